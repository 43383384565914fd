"""One reading per GPU through nvidia-ml-py. `read` never raises: a refused field is None with its reason in `missing`."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any

import psutil

from plugins.nvml.answers import ask, switched_on, watt, whole, words
from workbench.plugin_api import GpuStatus, GpuStatusReader, Message, message

# Bits of nvmlClocksEventReasons (nvml.h), with the words nvidia-smi uses. Idle is no limit.
LIMITS = {
    0x2: "applications clocks",
    0x4: "software power cap",
    0x8: "hardware slowdown",
    0x10: "sync boost",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "hardware power brake",
    0x100: "display clocks",
}


def own_pids() -> set[int]:
    """Return this process, the processes of the same interpreter above it, and all that descend from the topmost of them."""
    top = psutil.Process()
    mine, here = {top.pid}, os.path.realpath(sys.executable)
    with contextlib.suppress(psutil.Error):
        while (parent := top.parent()) is not None and os.path.realpath(parent.exe()) == here:
            top = parent
    with contextlib.suppress(psutil.Error):
        mine |= {top.pid} | {child.pid for child in top.children(recursive=True)}
    return mine


class NvmlReader:
    """Reads through `library`, a module with NVML's functions, started here; `own` tells which processes are not others."""

    def __init__(self, library: Any, own: Callable[[], Collection[int]] = own_pids) -> None:
        self._library = library
        self._own = own
        missing: dict[str, str] = {}
        ask(missing, "nvml", library.nvmlInit)
        self._refused = missing.get("nvml")

    def unavailable(self) -> Message | None:
        """Return why there is nothing to read: no driver, or one that offers no GPU."""
        if self._refused is not None:
            return message("There is no GPU status: NVML does not start here ({reason}).", reason=self._refused)
        missing: dict[str, str] = {}
        count = ask(missing, "count", lambda: whole(self._library.nvmlDeviceGetCount()))
        if count is None:
            return message("There is no GPU status: NVML cannot count the GPUs ({reason}).", reason=missing["count"])
        return None if count else message("There is no GPU status: the NVIDIA driver offers no GPU.")

    def read(self, *, quiet: bool = False) -> Sequence[GpuStatus]:
        """Return one status for each GPU; `quiet` leaves out processes and utilisation, which disturb a timing."""
        if self._refused is not None:
            return ()
        count = ask({}, "count", lambda: whole(self._library.nvmlDeviceGetCount())) or 0
        missing: dict[str, str] = {}
        driver = ask(missing, "driver", lambda: words(self._library.nvmlSystemGetDriverVersion()))
        handles = [self._handle(index) for index in range(count)]
        return tuple(self._read_one(handle, driver, dict(missing), quiet) for handle in handles if handle is not None)

    def _handle(self, index: int) -> Any:
        return ask({}, "handle", lambda: self._library.nvmlDeviceGetHandleByIndex(index))

    def _read_one(self, handle: Any, driver: str | None, missing: dict[str, str], quiet: bool) -> GpuStatus:
        nvml = self._library
        return GpuStatus(
            name=ask(missing, "name", lambda: words(nvml.nvmlDeviceGetName(handle))) or "",
            uuid=ask(missing, "uuid", lambda: words(nvml.nvmlDeviceGetUUID(handle))) or "",
            sm_clock_mhz=ask(missing, "sm_clock_mhz", lambda: whole(nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM))),
            memory_clock_mhz=ask(
                missing, "memory_clock_mhz", lambda: whole(nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_MEM))
            ),
            power_watt=ask(missing, "power_watt", lambda: watt(nvml.nvmlDeviceGetPowerUsage(handle))),
            power_limit_watt=ask(missing, "power_limit_watt", lambda: watt(nvml.nvmlDeviceGetEnforcedPowerLimit(handle))),
            temperature_celsius=ask(missing, "temperature_celsius", lambda: self._temperature(handle)),
            memory_used_bytes=ask(missing, "memory_used_bytes", lambda: whole(nvml.nvmlDeviceGetMemoryInfo(handle).used)),
            memory_total_bytes=ask(missing, "memory_total_bytes", lambda: whole(nvml.nvmlDeviceGetMemoryInfo(handle).total)),
            utilization_percent=None if quiet else ask(missing, "utilization_percent", lambda: self._utilization(handle)),
            fan_percent=ask(missing, "fan_percent", lambda: whole(nvml.nvmlDeviceGetFanSpeed(handle))),
            limit_reasons=ask(missing, "limit_reasons", lambda: self._limits(handle)),
            persistence=ask(missing, "persistence", lambda: switched_on(nvml.nvmlDeviceGetPersistenceMode(handle))),
            mig=ask(missing, "mig", lambda: switched_on(nvml.nvmlDeviceGetMigMode(handle)[0])),
            driver=driver,
            other_processes=None if quiet else ask(missing, "other_processes", lambda: self._others(handle)),
            missing=missing,
        )

    def _temperature(self, handle: Any) -> int:
        return whole(self._library.nvmlDeviceGetTemperature(handle, self._library.NVML_TEMPERATURE_GPU))

    def _utilization(self, handle: Any) -> int:
        return whole(self._library.nvmlDeviceGetUtilizationRates(handle).gpu)

    def _limits(self, handle: Any) -> tuple[str, ...]:
        """Return what holds the clocks down now; the function was renamed with driver 535."""
        nvml = self._library
        read = getattr(nvml, "nvmlDeviceGetCurrentClocksEventReasons", None) or nvml.nvmlDeviceGetCurrentClocksThrottleReasons
        bits = whole(read(handle))
        return tuple(name for bit, name in LIMITS.items() if bits & bit)

    def _others(self, handle: Any) -> int:
        """Return how many processes that are not ours use this GPU."""
        found: set[int] = set()
        for list_processes in (
            self._library.nvmlDeviceGetComputeRunningProcesses,
            self._library.nvmlDeviceGetGraphicsRunningProcesses,
        ):
            found.update(whole(process.pid) for process in list_processes(handle))
        return len(found - set(self._own()))


def open_reader() -> GpuStatusReader:
    """Return a reader over the installed library; without a driver it says so."""
    return NvmlReader(importlib.import_module("pynvml"))
