"""Events behind a blocking kernel (method section 1), and the SM clock from a probe on the device."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from cupy.cuda import runtime

from plugins.cuda.memory import TO_HOST
from plugins.cuda.utility import Utility

HOLD_NS = 30_000
"""The blocker holds the stream at least this long, and until the host has queued everything."""
HOLD_LIMIT_NS = 20_000_000
"""The blocker's own time-out: a host that never comes back must not leave the GPU spinning."""
PROBE_NS = 50_000
"""Length of one clock probe: 0.1 % at a 32 ns tick, 2 % where the nanosecond clock steps by 1 us."""

_MAPPED = 2
"""cudaHostAllocMapped."""


class EventClock:
    """Times one launch at a time on the null stream. Call inside `driver_faults`."""

    def __init__(self, utility: Utility) -> None:
        self._utility = utility
        self._start, self._end = runtime.eventCreate(), runtime.eventCreate()
        self._page = runtime.hostAlloc(4096, _MAPPED)
        self._flag = ctypes.c_uint32.from_address(self._page)
        self._flag.value = 0
        self._ticket = 0
        self._probed = runtime.malloc(16)

    def time(self, launch: Callable[[int], None]) -> float:
        """Return the seconds between two events around `launch`, which queues work on the stream it is given.

        The constant is not taken off.
        """
        self._ticket = self._ticket % (2**32 - 2) + 1
        self._utility.run_one(
            "hold", np.uint64(self._page), np.uint32(self._ticket), np.uint64(HOLD_NS), np.uint64(HOLD_LIMIT_NS)
        )
        try:
            runtime.eventRecord(self._start, 0)
            launch(0)
            runtime.eventRecord(self._end, 0)
        finally:
            self._flag.value = self._ticket
        runtime.eventSynchronize(self._end)
        return runtime.eventElapsedTime(self._start, self._end) * 1e-3

    def sm_clock_mhz(self) -> int | None:
        """Return cycles over nanoseconds of a short spin on one multiprocessor, None where the clock did not move."""
        host = np.zeros(2, np.int64)
        self._utility.run_one("clock_probe", np.uint64(PROBE_NS), np.uint64(self._probed))
        runtime.memcpy(host.ctypes.data, self._probed, 16, TO_HOST)
        cycles, nanoseconds = host.tolist()
        return round(cycles * 1e3 / nanoseconds) if nanoseconds > 0 and cycles > 0 else None

    def close(self) -> None:
        """Give events and memory back."""
        runtime.eventDestroy(self._start)
        runtime.eventDestroy(self._end)
        runtime.free(self._probed)
        runtime.freeHost(self._page)
