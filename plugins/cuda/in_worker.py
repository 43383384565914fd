"""A CUDA GPU in the child process: the `WorkerDevice` that every pass works with."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from plugins.cuda import probe
from plugins.cuda.probe import ATTRIBUTES, COMPUTE_MAJOR, COMPUTE_MINOR, driver_release, prepare_environment, uuid_text

# The driver reads these when it starts, which importing CuPy may do. Lazy loading would load a kernel at its first launch,
# behind the blocker that waits for the host: the launch would wait for the blocker's time-out.
os.environ.setdefault("CUDA_MODULE_LOADING", "EAGER")
prepare_environment()

import cupy  # noqa: E402
from cupy.cuda import runtime  # noqa: E402

from plugins.cuda.cache_flush import Cache  # noqa: E402
from plugins.cuda.clock import EventClock  # noqa: E402
from plugins.cuda.compile import Compiler  # noqa: E402
from plugins.cuda.constant import clock_of  # noqa: E402
from plugins.cuda.faults import driver_faults  # noqa: E402
from plugins.cuda.graph_clock import slope  # noqa: E402
from plugins.cuda.launch import CudaKernel, Launcher, own_kernel, pack  # noqa: E402
from plugins.cuda.libcuda import Driver, open_driver  # noqa: E402
from plugins.cuda.memory import CudaBuffer, Memory, own  # noqa: E402
from plugins.cuda.nvrtc import Nvrtc, open_nvrtc  # noqa: E402
from plugins.cuda.tracer import CudaTracer  # noqa: E402
from plugins.cuda.utility import Utility  # noqa: E402
from plugins.cuda.utility_binary import utility_binary  # noqa: E402
from plugins.cuda.values import Values  # noqa: E402
from workbench.plugin_api import (  # noqa: E402
    Argument,
    Array,
    Buffer,
    Clock,
    Code,
    Compiled,
    DeviceInfo,
    GuardHit,
    Loaded,
    Regime,
    ResolvedLaunch,
    Unavailable,
    ValueSpec,
    WorkerDevice,
    WrongInput,
)

SETTLE_SECONDS = 2.0
"""Limit of `settle` beyond the asked rounds."""
_SETTLED = 0.01
"""Times and clock of two successive windows that are this close count as settled."""
_WINDOW = 10


class CudaDevice:
    """One GPU. All work but a pipeline's runs on the null stream; after a sticky fault only the end of the process helps."""

    def __init__(self, info: DeviceInfo, library: Driver, nvrtc: Nvrtc, *, may_measure: bool = True) -> None:
        self.info = info
        self._nvrtc = nvrtc
        architecture = "sm_" + str(info.properties["compute_capability"]).replace(".", "")
        self._compiler = Compiler(nvrtc, architecture)
        self._clock = clock_of(info, may_measure=may_measure)
        self._l2_bytes = int(info.properties["l2_bytes"])
        with driver_faults():
            self._utility = Utility(utility_binary(nvrtc, architecture), int(info.properties["sm_count"]))
            self._memory, self._values = Memory(self._utility), Values(self._utility)
            self._launcher = Launcher(info, library)
            self._cache = Cache(self._utility, library, self._l2_bytes, int(info.properties["persisting_l2_bytes"]))
            self._events = EventClock(self._utility)
        self._tracers: list[CudaTracer] = []

    # --- kernels ---

    def compile(self, code: Code, folder: Path, *, name: str = "") -> Compiled:
        """See `WorkerDevice`."""
        return self._compiler.compile(code, folder, name=name)

    def load(self, compiled: Compiled, constants: Mapping[str, tuple[float, ...]]) -> CudaKernel:
        """See `WorkerDevice`."""
        return self._launcher.load(compiled, constants)

    def launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        """See `WorkerDevice`."""
        mine, packed = own_kernel(kernel), pack(arguments)
        self._launcher.check(mine, launch, arguments)
        with driver_faults():
            self._launcher.launch_packed(mine, launch, packed)
            runtime.deviceSynchronize()

    # --- memory ---

    def allocate(self, nbytes: int, *, alignment: int = 256) -> CudaBuffer:
        """See `WorkerDevice`."""
        return self._memory.allocate(nbytes, alignment)

    def free(self, buffer: Buffer) -> None:
        """See `WorkerDevice`."""
        self._memory.free(own(buffer))

    def write(self, buffer: Buffer, array: Array) -> None:
        """See `WorkerDevice`."""
        self._memory.write(own(buffer), array)

    def read(self, buffer: Buffer, dtype: str, shape: tuple[int, ...]) -> Array:
        """See `WorkerDevice`."""
        return self._memory.read(own(buffer), dtype, shape)

    def fill(self, buffer: Buffer, pattern: int) -> None:
        """See `WorkerDevice`."""
        self._memory.fill(own(buffer), pattern)

    def copy(self, target: Buffer, source: Buffer) -> None:
        """See `WorkerDevice`."""
        self._memory.copy(own(target), own(source))

    def draw(self, buffer: Buffer, dtype: str, shape: tuple[int, ...], values: ValueSpec, seed: int) -> None:
        """See `WorkerDevice`."""
        self._values.draw(own(buffer), dtype, math.prod(shape), values, seed)

    def check_guards(self, buffers: Sequence[Buffer]) -> list[GuardHit]:
        """See `WorkerDevice`."""
        return self._memory.check_guards([own(buffer) for buffer in buffers])

    def differing(self, a: Buffer, b: Buffer, dtype: str, relative: float, absolute: float) -> int:
        """See `WorkerDevice`."""
        return self._values.differing(own(a), own(b), dtype, relative, absolute)

    # --- time ---

    def clock(self) -> Clock:
        """See `WorkerDevice`."""
        return self._clock

    def regime(self, wanted: Regime, footprint: int) -> Regime:
        """Return `streaming` for a footprint above half the L2, else what was wanted (`cpu` means nothing here: `cold`)."""
        if footprint > self._l2_bytes // 2:
            return "streaming"
        return "warm" if wanted == "warm" else "cold"

    def timed_launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], regime: Regime) -> float:
        """See `WorkerDevice`. Never less than one tick of the device's clock."""
        mine, packed = own_kernel(kernel), pack(arguments)
        self._launcher.check(mine, launch, arguments)
        with driver_faults():
            if regime == "warm":
                self._cache.make_warm([argument for argument in arguments if isinstance(argument, CudaBuffer)])
            else:
                self._cache.make_cold()
            seconds = self._events.time(lambda stream: self._launcher.launch_packed(mine, launch, packed, stream))
        return max(seconds - self._clock.constant, self._clock.tick)

    def settle(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], rounds: int) -> None:
        """Launch at least `rounds` times, then until two windows agree in median time and SM clock, for two seconds at most."""
        mine, packed = own_kernel(kernel), pack(arguments)
        self._launcher.check(mine, launch, arguments)
        with driver_faults():
            for _ in range(rounds):
                self._launcher.launch_packed(mine, launch, packed)
            runtime.deviceSynchronize()
            limit = time.perf_counter() + SETTLE_SECONDS
            last: tuple[float, float] | None = None
            while time.perf_counter() < limit:
                times = [
                    self._events.time(lambda stream: self._launcher.launch_packed(mine, launch, packed, stream))
                    for _ in range(_WINDOW)
                ]
                now = (float(np.median(times)), float(self._events.sm_clock_mhz() or 0))
                if last is not None and all(abs(a - b) <= _SETTLED * max(a, b) for a, b in zip(last, now, strict=True)):
                    return
                last = now

    def sm_clock_mhz(self) -> int | None:
        """See `WorkerDevice`: from a 50 us probe on one multiprocessor."""
        with driver_faults():
            return self._events.sm_clock_mhz()

    def slope(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], count: int, rounds: int) -> float:
        """Return seconds per launch by the graph slope, the second clock; its launches follow each other, so the L2 is warm."""
        mine, packed = own_kernel(kernel), pack(arguments)
        self._launcher.check(mine, launch, arguments)
        with driver_faults():
            return slope(
                self._events.time, lambda stream: self._launcher.launch_packed(mine, launch, packed, stream), count, rounds
            )

    def time_spin(self, cycles: int) -> float:
        """Return the event clock's seconds, constant included, for a one-thread kernel that spins for `cycles`."""
        with driver_faults():
            return self._events.time(lambda _: self._utility.run_one("spin", np.int64(cycles)))

    # --- the rest ---

    def environment(self) -> Mapping[str, str]:
        """See `WorkerDevice`."""
        driver, loaded = runtime.driverGetVersion(), runtime.runtimeGetVersion()
        return {
            "driver": str(self.info.properties["driver"]),
            "cuda driver": _version(driver),
            "cuda runtime": _version(loaded),
            "nvrtc": ".".join(str(part) for part in self._nvrtc.version),
            "cupy": cupy.__version__,
            "compute capability": str(self.info.properties["compute_capability"]),
        }

    def tracer(self) -> CudaTracer:
        """See `WorkerDevice`."""
        self._tracers.append(CudaTracer(self._launcher))
        return self._tracers[-1]

    def close(self) -> None:
        """See `WorkerDevice`."""
        with driver_faults():
            runtime.deviceSynchronize()
            for tracer in self._tracers:
                tracer.close()
            self._memory.close()
            self._cache.close()
            self._events.close()
            self._launcher.close()
            self._utility.close()


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def device_info(ordinal: int) -> DeviceInfo:
    """Return what the runtime says about a GPU, in the words that `probe.py` uses."""
    told = runtime.getDeviceProperties(ordinal)
    properties: dict[str, str | int | float] = {
        name: runtime.deviceGetAttribute(number, ordinal) for name, number in ATTRIBUTES.items()
    }
    major, minor = runtime.deviceGetAttribute(COMPUTE_MAJOR, ordinal), runtime.deviceGetAttribute(COMPUTE_MINOR, ordinal)
    properties["compute_capability"] = f"{major}.{minor}"
    properties["memory_bytes"] = int(told["totalGlobalMem"])
    clock, bus = (runtime.deviceGetAttribute(number, ordinal) for number in (probe.MEMORY_CLOCK_KHZ, probe.MEMORY_BUS_BITS))
    if peak := probe.peak_bandwidth(clock, bus):
        properties["memory_bandwidth"] = peak
    properties["driver"] = driver_release(runtime.driverGetVersion())
    properties["runtime"] = _version(runtime.runtimeGetVersion())
    raw = told.get("uuid", b"")
    uuid = uuid_text(bytes(raw)) if len(raw) == 16 else None
    return DeviceInfo(f"cuda:{ordinal}", bytes(told["name"]).decode(errors="replace"), "cuda", uuid=uuid, properties=properties)


def open_cuda(device_id: str, *, may_measure: bool = True) -> CudaDevice:
    """Open `cuda:N`. Raises WrongInput for another name, Unavailable with the reason when it cannot be used."""
    kind, _, number = device_id.partition(":")
    if kind != "cuda" or not number.isdigit():
        raise WrongInput("{device} is no CUDA device; its name is cuda: and a number.", device=device_id)
    library = open_driver()
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        raise Unavailable("The CUDA driver cannot be used (code {code}); see what nvidia-smi says.", code=error.status) from error
    if int(number) >= count:
        raise Unavailable("There is no {device}: the driver offers {count} GPUs.", device=device_id, count=count)
    with driver_faults():
        runtime.setDevice(int(number))
        info = device_info(int(number))
    return CudaDevice(info, library, open_nvrtc(), may_measure=may_measure)


def open_device(device_id: str, fault_file: Path | None = None) -> WorkerDevice:
    """Open a GPU for the worker. A GPU's faults come back as codes, so nothing is ever written to `fault_file`."""
    del fault_file
    return open_cuda(device_id)
