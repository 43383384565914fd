"""The language between the program and a child: length-prefixed msgpack frames over any private byte stream.

A frame is a 4-byte little-endian length and that many bytes of msgpack. The child speaks first, with `Hello`; a
protocol number the program does not know is refused with both numbers. Then the program sends one `Call` at a time and
the child answers with any number of `Progress` and exactly one `Reply`. Large arrays do not travel in frames: they lie
in files of a shared arena (see `arrays`). Ending a call early means ending the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from workbench.errors import Unavailable
from workbench.model.device import DeviceInfo
from workbench.model.failure import Failure
from workbench.model.launch import ResolvedLaunch
from workbench.model.project import Argument
from workbench.model.run import CaseResult, Clock, CompileData, Group, PipelineData, Regime
from workbench.model.version import Code
from workbench.proof.controls import ControlResult, Sensitivity
from workbench.proof.inputs import CasePlan
from workbench.texts import Message
from workbench.worker.arrays import ArrayRef

PROTOCOL = 1
MAX_FRAME = 64 * 2**20
HEADER = 4


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The child's first words."""

    protocol: int
    pid: int
    role: str
    python: str


class Progress(msgspec.Struct, frozen=True, tag=True):
    """A step of the running call."""

    step: Message
    done: int = 0
    total: int = 0


class Reply(msgspec.Struct, frozen=True, tag=True):
    """The end of a call: a result (msgpack of the type the request names) or a failure."""

    result: msgspec.Raw = msgspec.Raw(b"\xc0")
    failure: Failure | None = None


# --- what a device worker is asked ---------------------------------------------------------------------------------


class Binary(msgspec.Struct, frozen=True):
    """A compiled version as it crosses process boundaries. `constants` are filled in on loading."""

    path: str
    symbol: str
    data: CompileData
    constants: Mapping[str, tuple[float, ...]] = {}


class Slot(msgspec.Struct, frozen=True):
    """One argument of a launch: a scalar (`value`), an array with contents (`array`), or an array to be poisoned."""

    name: str
    dtype: str
    role: str
    shape: tuple[int, ...] = ()
    value: float | int | None = None
    array: ArrayRef | None = None


class OpenDevice(msgspec.Struct, frozen=True, tag=True):
    """Open a device of a plugin; answers `DeviceOpened`."""

    plugin: str
    device: str
    plugin_folder: str = ""
    """Where a user's own plugin lies; empty for one that ships with the program."""


class DeviceOpened(msgspec.Struct, frozen=True):
    """What the device says of itself."""

    info: DeviceInfo
    software: Mapping[str, str]
    clock: Clock
    can_sanitize: bool = False


class Compile(msgspec.Struct, frozen=True, tag=True):
    """Compile a version; answers `Binary`."""

    code: Code
    folder: str
    name: str = ""


class Inspect(msgspec.Struct, frozen=True, tag=True):
    """Say what the device can do with a source: all its kernels where `code.entry` is empty; answers `Support`."""

    code: Code
    folder: str
    name: str


class Execute(msgspec.Struct, frozen=True, tag=True):
    """Launch once on a case with outputs poisoned; answers `Executed`. `checked` asks for the bounds-checking build."""

    binary: Binary
    launch: ResolvedLaunch
    slots: tuple[Slot, ...]
    poison: int
    arena: str
    checked: bool = False


class Executed(msgspec.Struct, frozen=True):
    """The outputs after a launch, and what else was seen."""

    outputs: Mapping[str, ArrayRef]
    overruns: Mapping[str, int] = {}
    """Argument -> byte offset of a write found in its guard area."""
    changed_inputs: tuple[str, ...] = ()
    bounds_checked: bool = False
    can_check: bool = False
    """True where the device has a bounds-checking build, whether or not this launch used it."""


class Sanitize(msgspec.Struct, frozen=True, tag=True):
    """Launch once on a case under the device's own sanitizer; answers `SanitizerData` (sizes left empty)."""

    binary: Binary
    launch: ResolvedLaunch
    slots: tuple[Slot, ...]
    poison: int


class Access(msgspec.Struct, frozen=True, tag=True):
    """Launch once with chosen blocks traced; answers `AccessReport`. Arrays without contents are zeros."""

    binary: Binary
    code: Code
    launch: ResolvedLaunch
    slots: tuple[Slot, ...]
    sizes: Mapping[str, int]
    hardware: str | None = None
    """Name of the hardware file whose caches are predicted; None follows the version's architecture."""


class TimeGroup(msgspec.Struct, frozen=True, tag=True):
    """Time `quads` quads A B B A in this process; answers `GroupTimed`. Inputs without an array are drawn fresh."""

    a: Binary
    b: Binary
    launch_a: ResolvedLaunch
    launch_b: ResolvedLaunch
    slots: tuple[Slot, ...]
    arguments: tuple[Argument, ...]
    quads: int
    warmup: int
    regime: Regime
    seed: int
    tolerances: Mapping[str, tuple[float, float]]
    """Output -> (relative, absolute) for the comparison of b's output with a's."""


class GroupTimed(msgspec.Struct, frozen=True):
    """One group and how many of its rounds were compared and differed."""

    group: Group
    regime: Regime
    clock: Clock
    checked_rounds: int
    wrong_rounds: int


class RunPipeline(msgspec.Struct, frozen=True, tag=True):
    """Run the project's pipeline with a and b in turn; answers `PipelineRun`."""

    folder: str
    function: str
    sizes: Mapping[str, int]
    entry: str
    arguments: tuple[Argument, ...]
    a: Binary
    b: Binary
    launch_a: ResolvedLaunch
    launch_b: ResolvedLaunch
    a_hash: str
    b_hash: str
    repeats: int
    arena: str
    compile_folder: str
    tolerances: Mapping[str, tuple[float, float]]
    options: tuple[str, ...] = ()


class TraceRef(msgspec.Struct, frozen=True):
    """A `Trace` whose columns lie in the arena."""

    columns: Mapping[str, ArrayRef]
    names: tuple[str, ...]
    lanes: tuple[str, ...]
    wall: int


class PipelineRun(msgspec.Struct, frozen=True):
    """The pipeline's repeats and the events of each side's median traced repeat."""

    data: PipelineData
    traces: Mapping[str, TraceRef]


# --- what a judge is asked -----------------------------------------------------------------------------------------


class OpenProject(msgspec.Struct, frozen=True, tag=True):
    """Load the project's reference and inputs; answers None."""

    folder: str
    reference: str | None
    inputs: str | None
    arguments: tuple[Argument, ...]
    tolerances: Mapping[str, tuple[float, float]]
    arena: str


class MakeCase(msgspec.Struct, frozen=True, tag=True):
    """Make the inputs of a case; answers `CaseMade`. The judge keeps its own copy."""

    plan: CasePlan


class CaseMade(msgspec.Struct, frozen=True):
    """The launch arguments of the case."""

    slots: tuple[Slot, ...]


class JudgeCase(msgspec.Struct, frozen=True, tag=True):
    """Compare two executions with complementary poisons with the reference; answers `Judged`."""

    first: Mapping[str, ArrayRef]
    second: Mapping[str, ArrayRef]
    patterns: tuple[int, int]
    answer: Mapping[str, ArrayRef] | None = None
    """A baseline's outputs that stand in for a missing reference."""


class Judged(msgspec.Struct, frozen=True):
    """The judge's word on one case."""

    case: CaseResult
    invalid_reference: int = 0
    """Reference elements that the output's dtype cannot hold: the case is no test then."""
    float64_error: float | None = None
    """The candidate's RMS error against the unrounded reference over RMS(r), the largest over the outputs."""
    controls: tuple[ControlResult, ...] = ()
    sensitivity: tuple[Sensitivity, ...] = ()


Request = (
    OpenDevice | Compile | Inspect | Execute | Sanitize | Access | TimeGroup | RunPipeline | OpenProject | MakeCase | JudgeCase
)
FromChild = Hello | Progress | Reply

_encoder = msgspec.msgpack.Encoder()
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_from_child: msgspec.msgpack.Decoder[FromChild] = msgspec.msgpack.Decoder(FromChild)
T = TypeVar("T")


def frame(value: Request | FromChild) -> bytes:
    """Return a value as one frame. Raises ValueError above MAX_FRAME: large arrays belong into the arena."""
    body = _encoder.encode(value)
    if len(body) > MAX_FRAME:
        raise ValueError(f"a frame of {len(body)} bytes is over the limit of {MAX_FRAME}")
    return len(body).to_bytes(HEADER, "little") + body


def frame_length(header: bytes) -> int:
    """Return the body length a header announces. Raises ValueError for one over MAX_FRAME: the stream is not ours."""
    length = int.from_bytes(header, "little")
    if length > MAX_FRAME:
        raise ValueError(f"a frame of {length} bytes is over the limit of {MAX_FRAME}")
    return length


def decode_from_child(body: bytes) -> FromChild:
    """Return what a child said. Raises msgspec.MsgspecError for anything else."""
    return _from_child.decode(body)


def read_request(stream: BinaryIO) -> Request | None:
    """Return the next request, None at the end of the stream."""
    header = stream.read(HEADER)
    if len(header) < HEADER:
        return None
    return _requests.decode(stream.read(frame_length(header)))


def result_of(value: object) -> Reply:
    """Return a reply that carries a result."""
    return Reply(msgspec.Raw(_encoder.encode(value)))


def decode_result(reply: Reply, kind: type[T]) -> T:
    """Return a reply's result as the type its request promises."""
    return msgspec.msgpack.decode(reply.result, type=kind)


def check_hello(hello: FromChild, program: Path) -> Hello:
    """Return the greeting. Raises Unavailable when the child speaks another protocol, with both numbers."""
    if not isinstance(hello, Hello):
        raise Unavailable("{program} did not greet as a worker; check which program is installed there.", program=program.name)
    if hello.protocol != PROTOCOL:
        raise Unavailable(
            "The worker speaks protocol {theirs} and this program protocol {ours}; install the same version on both sides.",
            theirs=hello.protocol,
            ours=PROTOCOL,
        )
    return hello
