"""All that a plugin may import: the values, the doors it can fill, and what the program gives it.

A plugin is a folder with `plugin.toml`, `__init__.py` (any process; touches neither device nor Qt) and, where it has
them, `in_worker.py` (the child process only) and `in_window.py` (the window only).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from workbench.errors import LedgerError, Unavailable, WrongInput
from workbench.hookspecs import hookimpl
from workbench.model.access import (
    BANK_BYTES,
    BANKS,
    SECTOR_BYTES,
    AccessKind,
    AccessReport,
    ArrayAccess,
    LineAccess,
    Space,
    WarpPicture,
)
from workbench.model.device import DeviceInfo, GpuStatus
from workbench.model.failure import Failure, OutsideAccess, SourceLine
from workbench.model.hardware import Hardware, hardware_for, hardware_named
from workbench.model.includes import write_includes
from workbench.model.launch import ResolvedLaunch
from workbench.model.project import ValueSpec
from workbench.model.run import Clock, CompileData, Regime
from workbench.model.sanitizer import Finding, FindingKind, SanitizerData, Severity, Touch, TouchKind
from workbench.model.source import SourceText
from workbench.model.support import KernelSupport, Note, Support
from workbench.model.version import Code
from workbench.paths import cache_folder
from workbench.texts import Message, message, tr

__all__ = [
    "BANKS",
    "BANK_BYTES",
    "SECTOR_BYTES",
    "AccessKind",
    "AccessQuestion",
    "AccessReport",
    "AdvisorAnswer",
    "AnalysesAccess",
    "Argument",
    "Array",
    "ArrayAccess",
    "ArrayFacts",
    "Buffer",
    "Clock",
    "Code",
    "CompileData",
    "Compiled",
    "DeviceInfo",
    "DevicePlugin",
    "Failure",
    "Fault",
    "Finding",
    "FindingKind",
    "GpuStatus",
    "GuardHit",
    "Hardware",
    "KernelSupport",
    "LedgerError",
    "LineAccess",
    "Loaded",
    "Message",
    "Note",
    "OutsideAccess",
    "Regime",
    "Register",
    "ResolvedLaunch",
    "SanitizerData",
    "Sanitizes",
    "SectorBatch",
    "Severity",
    "SourceLine",
    "SourceText",
    "Space",
    "Support",
    "Touch",
    "TouchKind",
    "Unavailable",
    "ValueSpec",
    "WarpPicture",
    "WorkerDevice",
    "WrongInput",
    "cache_folder",
    "hardware_for",
    "hardware_named",
    "hookimpl",
    "message",
    "tr",
    "write_includes",
]  # fmt: skip

API_VERSION = 1

Array = npt.NDArray[Any]


class Fault(Exception):
    """Raised in the child when a pass cannot go on; carried to the program as the value it holds."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message.text)


# --- devices, the child's side -------------------------------------------------------------------------------------


class Buffer(Protocol):
    """Device memory that one array of a case lives in; the device that made it knows the rest."""

    nbytes: int


Argument = Buffer | np.generic
"""What a kernel is launched with, in order: buffers and scalars of the declared dtype."""


@dataclass(frozen=True)
class Compiled:
    """What `compile` made: enough for `load`, in this or another process."""

    binary: Path
    symbol: str
    data: CompileData


class Loaded(Protocol):
    """A kernel ready to be launched in this process."""

    compiled: Compiled


@dataclass(frozen=True)
class GuardHit:
    """Writes found outside a buffer after a launch. `offset` is in bytes from the buffer's start (negative: before it)."""

    buffer_index: int
    offset: int


@dataclass(frozen=True)
class ArrayFacts:
    """What a sanitizer is told of one argument: its name, bytes of an element, and whether it has values before the launch."""

    name: str
    item_bytes: int
    initialised: bool


@dataclass(frozen=True)
class SectorBatch:
    """Sectors of global memory that whole traced blocks asked for, one entry per sector of a request; arrays of one length.

    Entries of one block stand as its warps issue them side by side: the first request of every warp, then the second of each.
    """

    block: Array
    """Linear number of the block in the grid (int64)."""
    address: Array
    """Address of the sector's first byte (int64)."""
    write: Array
    """True for writes and atomics (bool)."""
    array: Array
    """Index into `AccessQuestion.names` of the argument, -1 for other memory (int64)."""
    line: Array
    """Source line, 0 where none is known (int64)."""


@dataclass(frozen=True)
class AccessQuestion:
    """What an access analysis is told beside the launch: the version's code, and the name of each argument.

    `sectors` is given the sectors of the traced blocks, batch by batch, each block once (for cache predictions).
    """

    code: Code
    names: Sequence[str]
    sectors: Callable[[SectorBatch], None] | None = None


class AnalysesAccess(Protocol):
    """What a device adds to `WorkerDevice` when it can say how a kernel touches memory."""

    def access(
        self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], question: AccessQuestion
    ) -> AccessReport:
        """Launch once with chosen blocks traced and return what they did; `sizes` is left empty. Raises Fault."""


class Sanitizes(Protocol):
    """What a device adds to `WorkerDevice` when it has a sanitizer of its own."""

    def sanitize(
        self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], facts: Sequence[ArrayFacts]
    ) -> SanitizerData:
        """Launch once under the sanitizer; `facts` has one entry an argument. Raises Fault(LaunchRefused | NotSupported)."""


class Inspects(Protocol):
    """What a device adds to `WorkerDevice` when it can say what it can do with a source that is in no project."""

    def inspect(self, code: Code, folder: Path, *, name: str) -> Support:
        """Compile every kernel of a source (an empty `code.entry`), or one. Raises Fault(WrongInput) for an unknown entry."""


class WorkerDevice(Protocol):
    """A device in the child process. Every method may raise `Fault`; nothing here is called in any other process."""

    info: DeviceInfo

    def compile(self, code: Code, folder: Path, *, name: str = "") -> Compiled:
        """Compile `code`, keeping binaries in `folder` by content. Raises Fault(CompileFailed | NotSupported)."""

    def load(self, compiled: Compiled, constants: Mapping[str, tuple[float, ...]]) -> Loaded:
        """Load a compiled kernel afresh (a new module each time) and fill its `__constant__` arrays."""

    def allocate(self, nbytes: int, *, alignment: int = 256) -> Buffer:
        """Return fresh memory at a fresh address with guard areas around it."""

    def free(self, buffer: Buffer) -> None:
        """Give a buffer back."""

    def write(self, buffer: Buffer, array: Array) -> None:
        """Copy host to device; the array's bytes fit the buffer."""

    def read(self, buffer: Buffer, dtype: str, shape: tuple[int, ...]) -> Array:
        """Copy device to host, after all earlier work."""

    def fill(self, buffer: Buffer, pattern: int) -> None:
        """Set every byte to `pattern` (0 to 255)."""

    def copy(self, target: Buffer, source: Buffer) -> None:
        """Copy one buffer's bytes into another of the same size on the device."""

    def draw(self, buffer: Buffer, dtype: str, shape: tuple[int, ...], values: ValueSpec, seed: int) -> None:
        """Fill a buffer with fresh values of a distribution; the same seed gives the same values on this device."""

    def launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        """Launch and wait. Raises Fault(LaunchRefused | OutOfBounds | DeviceFault | NotSupported)."""

    def timed_launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], regime: Regime) -> float:
        """Prepare the cache as `regime` says, launch once, return seconds by `clock()` with its constant taken off."""

    def settle(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], rounds: int) -> None:
        """Warm up: at least `rounds` launches, and until the clock settles where there is one, with a limit."""

    def regime(self, wanted: Regime, footprint: int) -> Regime:
        """Return the regime a footprint in bytes really has here (`streaming` above half the L2, `cpu` on the emulator)."""

    def clock(self) -> Clock:
        """Return how `timed_launch` reads time."""

    def sm_clock_mhz(self) -> int | None:
        """Return the SM clock now, None where it cannot be read."""

    def check_guards(self, buffers: Sequence[Buffer]) -> list[GuardHit]:
        """Return the writes outside these buffers since they were allocated."""

    def differing(self, a: Buffer, b: Buffer, dtype: str, relative: float, absolute: float) -> int:
        """Return how many elements of two outputs differ by more than relative·(|a| + RMS(a)) + absolute (NaN equals NaN)."""

    def environment(self) -> Mapping[str, str]:
        """Return the software that took part: compiler, driver, runtime, libraries, with versions."""

    def tracer(self) -> DeviceTracer:
        """Return what `p` of a pipeline uses to run and time device work."""

    def close(self) -> None:
        """Give everything back."""


Span = tuple[float, float]
"""Start and end in seconds on the host's `time.perf_counter` axis."""


class DeviceTracer(Protocol):
    """Device work of a pipeline on numbered streams. Work is queued; `resolve` gives its spans after `synchronize`.

    On a device without queues (the emulator) each call returns after the work is done.
    """

    def begin(self) -> None:
        """Set the common zero of host and device time; the device is idle."""

    def allocate(self, nbytes: int) -> Buffer:
        """Allocate device memory as a program would (`cudaMalloc`)."""

    def free(self, buffer: Buffer) -> None:
        """Free it as a program would (`cudaFree`, which waits)."""

    def host_array(self, shape: tuple[int, ...], dtype: str, *, pinned: bool) -> Array:
        """Return host memory, page-locked when `pinned` and the device has that."""

    def upload(self, buffer: Buffer, array: Array, stream: int, traced: bool) -> int:
        """Queue a host-to-device copy (blocking for pageable memory) and return a ticket for `resolve`."""

    def download(self, array: Array, buffer: Buffer, stream: int, traced: bool) -> int:
        """Copy device to host into `array` (blocking for pageable memory) and return a ticket."""

    def launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], stream: int, traced: bool) -> int:
        """Queue a kernel and return a ticket."""

    def record(self, stream: int) -> int:
        """Return a mark that is reached when all work queued on `stream` so far is done."""

    def wait(self, stream: int, mark: int) -> None:
        """Let later work on `stream` begin only after `mark` was reached; the host goes on."""

    def synchronize(self, stream: int | None = None) -> None:
        """Wait for one stream, or for all."""

    def resolve(self, ticket: int) -> Span:
        """Return when the ticket's device work ran. Call after `synchronize`."""


# --- doors a plugin can fill ---------------------------------------------------------------------------------------


class DevicePlugin(Protocol):
    """What a device plugin registers in any process: where its devices are and how a child opens one.

    `list_devices` may be slow (it starts a child where finding out needs a driver); it never raises.
    A plugin whose worker leaves a report when a fault ends it may have `explain_fault(report) -> Failure | None` besides.
    """

    kind: str

    def list_devices(self) -> Sequence[DeviceInfo]:
        """Return the devices this plugin offers on this machine, unavailable ones with their reason."""


@dataclass(frozen=True)
class AdvisorAnswer:
    """One piece of a streamed answer: text, or at the end the usage (tokens; None is unknown)."""

    text: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    price_usd: float | None = None
    truncated: bool = False


class Advisor(Protocol):
    """Who answers a prompt. `ask` yields pieces as they come and stops at once when its task is cancelled.

    Raises LedgerError with one clear sentence for a wrong key, no network, a quota, a filtered answer.
    """

    id: str
    title: str

    def models(self) -> Sequence[str]:
        """Return the models it can use now; empty for an advisor without models."""

    def ask(self, prompt: str, model: str | None) -> AsyncIterator[AdvisorAnswer]:
        """Stream the answer."""


class GpuStatusReader(Protocol):
    """Reads GPU status; `read` never raises, refused fields are None with their reason in `missing`."""

    def read(self, *, quiet: bool = False) -> Sequence[GpuStatus]:
        """Return one status per GPU; `quiet` leaves out the calls that disturb a timing."""

    def unavailable(self) -> Message | None:
        """Return why there is nothing to read, None when there is."""


@dataclass
class Register:
    """Given to each plugin's `register` hook; everything put here is stamped with the plugin's id."""

    plugin: str
    devices: list[DevicePlugin] = field(default_factory=list)
    advisors: list[Advisor] = field(default_factory=list)
    gpu_status: list[Callable[[], GpuStatusReader]] = field(default_factory=list)
