"""Fresh values and comparison of outputs, on the device: nothing is copied to the host but the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from cupy.cuda import runtime

from plugins.cuda.faults import driver_faults
from plugins.cuda.memory import TO_HOST, CudaBuffer
from plugins.cuda.utility import Utility
from workbench.plugin_api import Array, ValueSpec

_KINDS = {"zeros": 0, "ones": 1, "arange": 2, "normal": 3, "uniform": 4, "integers": 5}
"""The enum `kind` of utility.cu."""

_ITEM_BYTES = {"bfloat16": 2}


def item_bytes(dtype: str) -> int:
    """Return the bytes of one element of a dtype of the model."""
    return _ITEM_BYTES.get(dtype) or np.dtype(dtype).itemsize


@contextmanager
def _answer(dtype: str, count: int) -> Iterator[tuple[int, Array]]:
    """Give `count` zeroed numbers on the device, and their host copy after the work inside."""
    host: Array = np.zeros(count, dtype)
    place = runtime.malloc(host.nbytes)
    try:
        runtime.memsetAsync(place, 0, host.nbytes, 0)
        yield place, host
        runtime.memcpy(host.ctypes.data, place, host.nbytes, TO_HOST)
    finally:
        runtime.free(place)


class Values:
    """Draws and compares buffers through the utility kernels."""

    def __init__(self, utility: Utility) -> None:
        self._utility = utility

    def draw(self, buffer: CudaBuffer, dtype: str, count: int, values: ValueSpec, seed: int) -> None:
        """Fill `count` elements; element i depends on i and the seed alone (Philox4x32-10). Reals are truncated to integers."""
        with driver_faults():
            self._utility.run(
                f"draw_{dtype}",
                count,
                np.uint64(buffer.address),
                np.uint64(count),
                np.int32(_KINDS[values.kind]),
                np.float64(values.low),
                np.float64(values.high),
                np.uint64(seed % 2**64),
            )

    def differing(self, a: CudaBuffer, b: CudaBuffer, dtype: str, relative: float, absolute: float) -> int:
        """Return how many elements differ by more than relative·(|a| + RMS(a)) + absolute.

        RMS is over the finite elements of a, summed in float64; NaN equals NaN, an infinity only itself. Reads in place.
        """
        count = np.uint64(a.nbytes // item_bytes(dtype))
        first, second = np.uint64(a.address), np.uint64(b.address)
        exact = relative == 0.0 and absolute == 0.0
        with driver_faults():
            rms = 0.0 if exact else self._rms(first, count, dtype)
            allowed = np.float64(relative * rms + absolute)
            with _answer("uint64", 1) as (place, host):
                self._utility.run(
                    f"differing_{dtype}", int(count), first, second, count, np.float64(relative), allowed,
                    np.int32(exact and "float" not in dtype), np.uint64(place),
                )  # fmt: skip
            return int(host[0])

    def _rms(self, address: np.uint64, count: np.uint64, dtype: str) -> float:
        with _answer("float64", 1) as (sums, total), _answer("uint64", 1) as (counts, finite):
            self._utility.run(f"squares_{dtype}", int(count), address, count, np.uint64(sums), np.uint64(counts))
        return float(np.sqrt(total[0] / finite[0])) if finite[0] else 0.0
