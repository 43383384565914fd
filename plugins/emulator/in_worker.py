"""The emulator in the child process: CUDA C++ compiled for the CPU and run there."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from plugins.emulator import DEVICE_ID, describe, memory
from plugins.emulator.access.analyse import BUDGET, Job, analyse, choose_blocks
from plugins.emulator.access.trace import Trace
from plugins.emulator.compiler import Compiler
from plugins.emulator.faults import fault_of
from plugins.emulator.kernels import EmulatorKernel, Request, fill_constants
from plugins.emulator.limits import check_launch
from plugins.emulator.memory import EmulatorBuffer, own
from plugins.emulator.runtime import Library, Report, Runtime
from plugins.emulator.sanitizer import Watch, read_findings
from plugins.emulator.support import inspect
from plugins.emulator.toolchain import cores, find_toolchain, why_unavailable
from plugins.emulator.tracer import EmulatorTracer
from workbench.plugin_api import (
    AccessQuestion,
    AccessReport,
    Argument,
    Array,
    ArrayFacts,
    Buffer,
    Clock,
    Code,
    Compiled,
    DeviceInfo,
    Failure,
    Fault,
    GuardHit,
    Loaded,
    Regime,
    ResolvedLaunch,
    SanitizerData,
    Support,
    ValueSpec,
    WorkerDevice,
    cache_folder,
    message,
)

MOST_WATCHED = 64 * 2**20
"""Bytes of all arrays of a sanitized launch: each is remembered in 80."""
MOST_THREADS = 16
"""OS threads of the pool: each keeps 1024 guarded stacks, and a process may have 65,530 mappings."""


def open_device(device_id: str, fault_file: Path | None = None) -> WorkerDevice:
    """Return the emulator. Raises Fault(NotSupported) with the reason when it cannot be used here.

    A wild access of a kernel ends the process with exit code 77; `fault_file` then holds what happened (`fault_report`).
    """
    toolchain = find_toolchain()
    reason = why_unavailable(toolchain)
    if device_id != DEVICE_ID:
        reason = message("The emulator has one device, {known}, and no {asked}.", known=DEVICE_ID, asked=device_id)
    if reason is not None or toolchain is None:
        raise Fault(Failure("NotSupported", reason or message("The emulator cannot be used here.")))
    return EmulatorDevice(Compiler(toolchain, cache_folder() / "emulator"), fault_file)


class EmulatorDevice:
    """`WorkerDevice` on the CPU, with two additions: `launch_checked` and `sanitize`."""

    def __init__(self, compiler: Compiler, fault_file: Path | None) -> None:
        self.info: DeviceInfo = describe(compiler.toolchain)
        self._compiler = compiler
        self._runtime = Runtime(compiler.runtime(), min(cores(), MOST_THREADS), fault_file)
        self._buffers: dict[int, EmulatorBuffer] = {}

    # --- kernels -------------------------------------------------------------------------------------------------

    def compile(self, code: Code, folder: Path, *, name: str = "") -> Compiled:
        """Compile `code`, keeping the library in `folder` by content. Raises Fault(CompileFailed | NotSupported)."""
        return self._compiler.compile(code, folder, name)

    def load(self, compiled: Compiled, constants: Mapping[str, tuple[float, ...]]) -> Loaded:
        """Load a compiled kernel from a fresh copy and fill its `__constant__` arrays."""
        return EmulatorKernel(compiled, constants)

    def inspect(self, code: Code, folder: Path, *, name: str) -> Support:
        """Return which kernels of a source can be run here, each compiled. Raises Fault(WrongInput) for an unknown entry."""
        return inspect(self._compiler, code, folder, name)

    def launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        """Launch and wait. A wild access ends the process (see `open_device`); other faults are raised."""
        self._run(_own_kernel(kernel), launch, arguments)

    def launch_checked(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        """Like `launch`, but every access is checked to the byte first, so that reads and writes out of bounds are raised.

        Raises Fault(OutOfBounds) with the argument (from 1), byte offset, element, block, thread and source line. The twin it
        runs is compiled at the first call and several times slower.
        """
        loaded = _own_kernel(kernel)
        self._run(loaded, launch, arguments, self._checked_library(loaded))

    def sanitize(
        self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], facts: Sequence[ArrayFacts]
    ) -> SanitizerData:
        """Launch once under the sanitizer and return its findings; a finding that would touch foreign memory leaves its block.

        Raises Fault(LaunchRefused) for arrays of more than `MOST_WATCHED` bytes in all: every byte is remembered in 80.
        """
        buffers = [argument if isinstance(argument, EmulatorBuffer) else None for argument in arguments]
        total = sum(buffer.nbytes for buffer in buffers if buffer is not None)
        if total > MOST_WATCHED:
            sentence = message(
                "The sanitizer watches {limit} bytes at most and this case has {bytes}; use smaller sizes.",
                limit=MOST_WATCHED,
                bytes=total,
            )
            raise Fault(Failure("LaunchRefused", sentence))
        loaded = _own_kernel(kernel)
        library = self._checked_library(loaded)
        watch = Watch(library)
        initialised = [fact.initialised for fact in facts]
        self._run(loaded, launch, arguments, library, watch=watch, initialised=initialised)
        sizes = [buffer.nbytes if buffer is not None else 0 for buffer in buffers]
        return read_findings(watch, library, launch, facts, sizes)

    def access(
        self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], question: AccessQuestion
    ) -> AccessReport:
        """Launch once with chosen blocks traced and return how they touch memory; the outputs are of those blocks only.

        Raises Fault as `launch_checked` does. The twin it runs is compiled at the first call.
        """
        loaded = _own_kernel(kernel)
        library = Library(self._compiler.traced(loaded.compiled))
        fill_constants(library, loaded.constants)
        blocks = int(np.prod(launch.grid))
        order = choose_blocks(blocks, in_order=loaded.facts.in_order)
        with contextlib.closing(Trace(self._runtime.library, order, launch.threads_per_block, BUDGET)) as trace:
            job = Job(library, launch, arguments, question, lambda on: self._run(loaded, launch, arguments, library, trace=on))
            return analyse(trace, job)

    def _checked_library(self, loaded: EmulatorKernel) -> Library:
        if loaded.checked_library is None:
            loaded.checked_library = Library(self._compiler.checked(loaded.compiled))
            fill_constants(loaded.checked_library, loaded.constants)
        return loaded.checked_library

    def timed_launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], regime: Regime) -> float:
        """Launch once and return the wall seconds, read inside the runtime around the pool's work. `regime` is always `cpu`."""
        return float(self._run(_own_kernel(kernel), launch, arguments).seconds)

    def settle(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], rounds: int) -> None:
        """Launch `rounds` times."""
        for _ in range(rounds):
            self.launch(kernel, launch, arguments)

    def _run(
        self,
        kernel: EmulatorKernel,
        launch: ResolvedLaunch,
        arguments: Sequence[Argument],
        checked: Library | None = None,
        *,
        watch: Watch | None = None,
        trace: Trace | None = None,
        initialised: Sequence[bool] = (),
    ) -> Report:
        check_launch(launch, kernel.facts.data.static_shared_bytes or 0, kernel.facts.launch_bound)
        library = checked or kernel.library
        request = Request(library, kernel.facts, launch, arguments)
        request.raw.checked = int(checked is not None)
        if trace is not None:
            request.trace(trace.address)
        if watch is not None:
            request.watch(watch.address, initialised)
        buffers = [(index, argument) for index, argument in enumerate(arguments) if isinstance(argument, EmulatorBuffer)]
        for index, buffer in buffers:
            self._runtime.name_argument(buffer.slot, index)
        report = self._runtime.launch(request.raw, library.binary, library.base)
        for _, buffer in buffers:
            self._runtime.name_argument(buffer.slot, -1)
        if report.fault:
            raise fault_of(report, library, list(request.ranges))
        return report

    # --- memory --------------------------------------------------------------------------------------------------

    def allocate(self, nbytes: int, *, alignment: int = 256) -> Buffer:
        """Return fresh memory between pages that cannot be touched, with a known pattern in the bytes left over."""
        try:
            address, slot = self._runtime.allocate(nbytes, alignment)
        except MemoryError:
            sentence = message("The emulator could not get {bytes} bytes of memory; use smaller sizes.", bytes=nbytes)
            raise Fault(Failure("LaunchRefused", sentence)) from None
        buffer = EmulatorBuffer(nbytes, address, slot)
        self._buffers[slot] = buffer
        return buffer

    def free(self, buffer: Buffer) -> None:
        """Give a buffer back; views of it must be gone."""
        mine = own(buffer)
        del self._buffers[mine.slot]
        self._runtime.free(mine.slot)

    def write(self, buffer: Buffer, array: Array) -> None:
        """Copy an array's bytes to the buffer's start."""
        content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        own(buffer).view(count=content.size)[:] = content

    def read(self, buffer: Buffer, dtype: str, shape: tuple[int, ...]) -> Array:
        """Return a copy of the buffer as an array; bfloat16 comes as uint16 bits."""
        count = int(np.prod(shape, dtype=np.int64))
        return own(buffer).view(dtype, count=count).reshape(shape).copy()

    def fill(self, buffer: Buffer, pattern: int) -> None:
        """Set every byte to `pattern`."""
        own(buffer).view()[:] = pattern

    def copy(self, target: Buffer, source: Buffer) -> None:
        """Copy one buffer into another of the same size."""
        own(target).view()[:] = own(source).view()

    def draw(self, buffer: Buffer, dtype: str, shape: tuple[int, ...], values: ValueSpec, seed: int) -> None:
        """Fill a buffer with fresh values (numpy's PCG64)."""
        count = int(np.prod(shape, dtype=np.int64))
        own(buffer).view(dtype, count=count)[:] = memory.draw(count, dtype, values, seed)

    def check_guards(self, buffers: Sequence[Buffer]) -> list[GuardHit]:
        """Return the writes found in the bytes around these buffers, at most one on each side of each."""
        return [
            GuardHit(index, offset) for index, buffer in enumerate(buffers) for offset in self._runtime.damaged(own(buffer).slot)
        ]

    def differing(self, a: Buffer, b: Buffer, dtype: str, relative: float, absolute: float) -> int:
        """Return how many elements differ by more than relative·(|a| + RMS(a)) + absolute (NaN equals NaN)."""
        return memory.differing(own(a).view(dtype), own(b).view(dtype), dtype, relative, absolute)

    # --- clock and the rest --------------------------------------------------------------------------------------

    def regime(self, wanted: Regime, footprint: int) -> Regime:
        """Always `cpu`: nothing is known of a GPU's caches."""
        return "cpu"

    def clock(self) -> Clock:
        """Return the wall clock of the CPU, whose time is never a gain."""
        return Clock("CPU wall clock", tick=time.get_clock_info("monotonic").resolution)

    def sm_clock_mhz(self) -> int | None:
        """None: there is no GPU."""
        return None

    def environment(self) -> Mapping[str, str]:
        """Return the compiler and the identity of the shim and runtime."""
        return {"compiler": self._compiler.toolchain.version, "emulator": self._compiler.identity[:12], "numpy": np.__version__}

    def tracer(self) -> EmulatorTracer:
        """Return what a pipeline uses; every call returns after its work is done."""
        return EmulatorTracer(self)

    def close(self) -> None:
        """Free every buffer; the pool sleeps until the process ends."""
        for buffer in list(self._buffers.values()):
            self.free(buffer)


def _own_kernel(kernel: Loaded) -> EmulatorKernel:
    if not isinstance(kernel, EmulatorKernel):
        raise TypeError(f"{type(kernel).__name__} was not loaded by the emulator")
    return kernel
