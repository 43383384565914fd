"""Device memory of the cases: plain cudaMalloc, never a pool, with guard areas that show writes outside a buffer."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from cupy.cuda import runtime

from plugins.cuda.faults import driver_faults
from plugins.cuda.utility import Utility
from workbench.plugin_api import Array, Buffer, GuardHit

GUARD = 64 * 1024
"""Bytes of guard before and behind every buffer."""

TO_DEVICE, TO_HOST, ON_DEVICE = 1, 2, 3
"""cudaMemcpyKind."""

_NOTHING = np.iinfo(np.int64)


@dataclass(eq=False, slots=True)
class CudaBuffer:
    """`nbytes` at `address`; `base` and `total` are the allocation with its guards, `seed` the guards' pattern."""

    nbytes: int
    address: int
    base: int
    total: int
    seed: int

    @property
    def start(self) -> int:
        """Bytes of guard before the buffer."""
        return self.address - self.base


def own(buffer: Buffer) -> CudaBuffer:
    """Return a buffer as ours. Raises TypeError for another device's: a bug in the caller."""
    if not isinstance(buffer, CudaBuffer):
        raise TypeError(f"{type(buffer).__name__} is not a CUDA buffer")
    return buffer


class Memory:
    """Allocates, fills, copies and checks the guards. Everything runs on the null stream, so in order."""

    def __init__(self, utility: Utility) -> None:
        self._utility = utility
        self._live: dict[int, CudaBuffer] = {}

    def allocate(self, nbytes: int, alignment: int = 256) -> CudaBuffer:
        """Return memory whose address is a multiple of `alignment` (a power of two). Raises Fault when there is none."""
        room = max(alignment, 256)
        total = GUARD + room + nbytes + GUARD
        with driver_faults():
            base = runtime.malloc(total)
            address = (base + GUARD + room - 1) // room * room
            buffer = CudaBuffer(nbytes, address, base, total, secrets.randbits(32))
            self._live[base] = buffer
            self._utility.run("guard_fill", (2 * GUARD + room), *self._guard_arguments(buffer))
        return buffer

    @staticmethod
    def _guard_arguments(buffer: CudaBuffer) -> tuple[np.generic, ...]:
        end = buffer.start + buffer.nbytes
        return (
            np.uint64(buffer.base), np.uint64(buffer.start), np.uint64(end), np.uint64(buffer.total), np.uint32(buffer.seed),
        )  # fmt: skip

    def free(self, buffer: CudaBuffer) -> None:
        """Give a buffer back."""
        del self._live[buffer.base]
        with driver_faults():
            runtime.free(buffer.base)

    def write(self, buffer: CudaBuffer, array: Array) -> None:
        """Copy a host array's bytes to the start of the buffer."""
        source = np.ascontiguousarray(array)
        with driver_faults():
            runtime.memcpy(buffer.address, source.ctypes.data, source.nbytes, TO_DEVICE)

    def read(self, buffer: CudaBuffer, dtype: str, shape: tuple[int, ...]) -> Array:
        """Return the buffer's content; bfloat16 is given as uint16."""
        array: Array = np.empty(shape, "uint16" if dtype == "bfloat16" else dtype)
        with driver_faults():
            runtime.deviceSynchronize()
            if array.nbytes:
                runtime.memcpy(array.ctypes.data, buffer.address, array.nbytes, TO_HOST)
        return array

    def fill(self, buffer: CudaBuffer, pattern: int) -> None:
        """Set every byte."""
        with driver_faults():
            runtime.memsetAsync(buffer.address, pattern, buffer.nbytes, 0)

    def copy(self, target: CudaBuffer, source: CudaBuffer) -> None:
        """Copy a buffer to another on the device."""
        with driver_faults():
            runtime.memcpyAsync(target.address, source.address, min(target.nbytes, source.nbytes), ON_DEVICE, 0)

    def check_guards(self, buffers: Sequence[CudaBuffer]) -> list[GuardHit]:
        """Return for each buffer the nearest byte changed before it and the nearest one behind it."""
        if not buffers:
            return []
        nearest = np.tile(np.array([_NOTHING.min, _NOTHING.max], np.int64), len(buffers))
        with driver_faults():
            found = runtime.malloc(nearest.nbytes)
            try:
                runtime.memcpy(found, nearest.ctypes.data, nearest.nbytes, TO_DEVICE)
                for index, buffer in enumerate(buffers):
                    place = np.uint64(found + 16 * index)
                    self._utility.run("guard_check", buffer.total - buffer.nbytes, *self._guard_arguments(buffer), place)
                runtime.memcpy(nearest.ctypes.data, found, nearest.nbytes, TO_HOST)
            finally:
                runtime.free(found)
        hits = []
        for index, (before, behind) in enumerate(nearest.reshape(-1, 2).tolist()):
            hits += [GuardHit(index, offset) for offset in (before, behind) if offset not in (_NOTHING.min, _NOTHING.max)]
        return hits

    def close(self) -> None:
        """Free what is still there."""
        for buffer in list(self._live.values()):
            self.free(buffer)
