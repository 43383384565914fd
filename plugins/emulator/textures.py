"""Texture objects of the emulator: an array with the way it is read (resources/emulator/texture.h)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from workbench.plugin_api import Failure, Fault, message

Array = npt.NDArray[Any]
Address = Literal["wrap", "clamp", "mirror", "border"]
_ADDRESSES: tuple[Address, ...] = ("wrap", "clamp", "mirror", "border")


@dataclass(frozen=True)
class Sampling:
    """How a texture is read, in the words of CUDA's cudaTextureDesc: the same address mode along every axis."""

    address: Address = "clamp"
    """Beyond the edge: the edge's value, zero (border), or, with unit coordinates only, the picture again (wrap, mirror)."""
    linear: bool = False
    """Values between texels, their weights in 256ths; float textures, or integers of 8 or 16 bits read as unit values."""
    unit_coordinates: bool = False
    """Coordinates run from 0 to 1 instead of counting texels."""
    unit_values: bool = False
    """Integers of 8 or 16 bits are read as floats from 0 (signed: -1) to 1."""


class _Descriptor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_uint32 * 3),
        ("channels", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("bytes", ctypes.c_uint32),
        ("address", ctypes.c_uint32 * 3),
        ("linear", ctypes.c_uint32),
        ("unit_coordinates", ctypes.c_uint32),
        ("unit_values", ctypes.c_uint32),
    ]


class EmulatorTexture:
    """A texture that lives as long as this object; `handle` is the kernel's cudaTextureObject_t argument."""

    def __init__(self, data: Array, axes: int, sampling: Sampling | None = None) -> None:
        """Copy `data`: `axes` dimensions, slowest first, then one of 1, 2 or 4 channels where there is one more.

        Raises Fault(LaunchRefused) for what CUDA has no texture of.
        """
        how = sampling or Sampling()
        shape = data.shape if data.ndim == axes else data.shape[:-1]
        channels = 1 if data.ndim == axes else data.shape[-1]
        _check(data, axes, channels, how)
        self._data = np.ascontiguousarray(data)
        sizes = (*reversed(shape), 1, 1, 1)[:3]
        address = _ADDRESSES.index(how.address)
        self._descriptor = _Descriptor(
            self._data.ctypes.data,
            (ctypes.c_uint32 * 3)(*sizes),
            channels,
            ord(data.dtype.kind),
            data.dtype.itemsize,
            (ctypes.c_uint32 * 3)(address, address, address),
            how.linear,
            how.unit_coordinates,
            how.unit_values,
        )

    @property
    def handle(self) -> np.uint64:
        """The argument to launch with."""
        return np.uint64(ctypes.addressof(self._descriptor))


def _check(data: Array, axes: int, channels: int, how: Sampling) -> None:
    if not 1 <= axes <= 3 or data.ndim not in (axes, axes + 1) or channels not in (1, 2, 4) or data.size == 0:
        sentence = message(
            "A texture of {axes} axes cannot be made from an array of shape {shape}; CUDA has 1 to 3 axes and 1, 2 "
            "or 4 channels.",
            axes=axes,
            shape="x".join(map(str, data.shape)),
        )
        raise Fault(Failure("LaunchRefused", sentence))
    narrow = data.dtype.kind in "iu" and data.dtype.itemsize <= 2
    plain = data.dtype in (np.dtype("float32"), *(np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4)))
    if not plain or (how.unit_values and not narrow) or (how.linear and not (how.unit_values or data.dtype.kind == "f")):
        sentence = message(
            "CUDA has no texture of {dtype} read like this; unit values need 8 or 16 bit integers, linear filtering needs "
            "float32 or unit values.",
            dtype=str(data.dtype),
        )
        raise Fault(Failure("LaunchRefused", sentence))
