"""The state of the L2 cache before a timed launch (method section 1): cold, or warm with exactly this round's buffers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from cupy.cuda import runtime

from plugins.cuda.libcuda import Driver
from plugins.cuda.memory import CudaBuffer
from plugins.cuda.utility import Utility

_PERSISTING_L2 = 0x06
"""cudaLimitPersistingL2CacheSize."""


class Cache:
    """Prepares the L2 of one GPU. Calls queue on the null stream; make them inside `driver_faults`."""

    def __init__(self, utility: Utility, library: Driver, l2_bytes: int, persisting_bytes: int) -> None:
        self._utility = utility
        self._library = library
        self._bytes = 2 * max(l2_bytes, 2**20)
        self._written = self._read = 0
        self._persisting = persisting_bytes > 0
        if self._persisting:
            runtime.deviceSetLimit(_PERSISTING_L2, 0)

    def make_cold(self) -> None:
        """Write over twice the L2, then read other memory of that size, so that no dirty line is left to be written back."""
        if not self._written:
            self._written, self._read = runtime.malloc(self._bytes), runtime.malloc(self._bytes)
        if self._persisting:
            self._library.reset_persisting_cache()
        lines = self._bytes // 16
        self._utility.run("sweep_write", lines, np.uint64(self._written), np.uint64(lines), np.uint32(0x5AA55AA5))
        self._utility.run("sweep_read", lines, np.uint64(self._read), np.uint64(self._bytes))

    def make_warm(self, buffers: Sequence[CudaBuffer]) -> None:
        """Read each buffer once."""
        for buffer in buffers:
            self._utility.run("sweep_read", buffer.nbytes // 16, np.uint64(buffer.address), np.uint64(buffer.nbytes))

    def close(self) -> None:
        """Free the swept memory."""
        if self._written:
            runtime.free(self._written)
            runtime.free(self._read)
            self._written = self._read = 0
