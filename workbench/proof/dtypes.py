"""Element types as numpy holds them; bfloat16, which numpy lacks, travels as its 16 bits in uint16."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

FLOATS = ("float16", "bfloat16", "float32", "float64")
_BFLOAT16_TINY = 2.0**-126
_BFLOAT16_MAX = (2 - 2.0**-7) * 2.0**127


def is_float(dtype: str) -> bool:
    """Return True for the floating types."""
    return dtype in FLOATS


def storage(dtype: str) -> np.dtype[Any]:
    """Return the numpy dtype that holds `dtype` in memory."""
    return np.dtype("uint16" if dtype == "bfloat16" else dtype)


def largest(dtype: str) -> float:
    """Return the largest finite value."""
    if dtype == "bfloat16":
        return _BFLOAT16_MAX
    return float(np.finfo(dtype).max) if is_float(dtype) else float(_integer_bounds(dtype)[1])


def smallest_normal(dtype: str) -> float:
    """Return the smallest normal value of a floating type."""
    return _BFLOAT16_TINY if dtype == "bfloat16" else float(np.finfo(dtype).tiny)


def _integer_bounds(dtype: str) -> tuple[int, int]:
    if dtype == "bool":
        return 0, 1
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def integer_bounds(dtype: str) -> tuple[int, int]:
    """Return the smallest and largest value of an integer type or bool."""
    return _integer_bounds(dtype)


def to_bfloat16(values: Array) -> npt.NDArray[np.uint16]:
    """Return the bits of `values` rounded to bfloat16, to nearest with ties to even; NaN stays a quiet NaN of its sign.

    float64 goes through float32 rounded to odd, so that it is rounded once, not twice.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        single = np.atleast_1d(np.asarray(values)).astype(np.float32)
        bits = single.view(np.uint32).copy()
        if np.asarray(values).dtype.itemsize > 4:
            _round_to_odd(bits, single, np.atleast_1d(np.asarray(values)))
    rounded = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    result: npt.NDArray[np.uint16] = np.where(np.isnan(single), quiet, rounded).astype(np.uint16)
    return result.reshape(np.shape(values))


def _round_to_odd(bits: npt.NDArray[np.uint32], single: npt.NDArray[np.float32], values: Array) -> None:
    """Change float32 bits in place so that an inexact value is truncated and its last bit set (a sticky bit)."""
    exact = single.astype(values.dtype)
    away = np.isfinite(values) & (np.abs(exact) > np.abs(values))
    bits[away] -= np.uint32(1)
    bits[np.isfinite(values) & (exact != values)] |= np.uint32(1)


def from_bfloat16(bits: npt.NDArray[np.uint16]) -> npt.NDArray[np.float32]:
    """Return the exact float32 values of bfloat16 bits."""
    widened = np.atleast_1d(np.asarray(bits, dtype=np.uint16)).astype(np.uint32) << np.uint32(16)
    return widened.view(np.float32).reshape(np.shape(bits))


def to_float64(array: Array, dtype: str) -> npt.NDArray[np.float64]:
    """Return an array of declared `dtype` as float64 values."""
    return (from_bfloat16(array) if dtype == "bfloat16" else np.asarray(array)).astype(np.float64)


def rounded(values: Array, dtype: str) -> npt.NDArray[np.float64]:
    """Return float64 values as the floating type `dtype` would hold them, again in float64."""
    if dtype == "float64":
        return np.asarray(values, dtype=np.float64)
    if dtype == "bfloat16":
        return from_bfloat16(to_bfloat16(values)).astype(np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return np.asarray(values).astype(dtype).astype(np.float64)


def encode(values: Array, dtype: str) -> Array:
    """Return values in the memory form of `dtype` (bfloat16 as its bits); integers are clipped to its range."""
    if dtype == "bfloat16":
        return to_bfloat16(values)
    if is_float(dtype):
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(values).astype(dtype)
    if np.asarray(values).dtype.kind in "iub":
        low, high = _integer_bounds(dtype)
        return np.clip(values, low, high).astype(dtype)
    return np.clip(np.rint(values), *_integer_bounds(dtype)).astype(dtype)
