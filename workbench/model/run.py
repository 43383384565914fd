"""A run: everything learned about one version on one device, pass by pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.model.access import AccessReport
from workbench.model.device import Environment
from workbench.model.failure import Failure
from workbench.model.sanitizer import SanitizerData
from workbench.texts import Message

PassName = Literal["compile", "verify", "sanitize", "time", "trace", "profile", "access"]
GateStatus = Literal["passed", "failed", "not run", "not applicable"]
Verdict = Literal["FASTER", "SLOWER", "SAME", "AMBIGUOUS", "WRONG ANSWER"]
Regime = Literal["cold", "warm", "streaming", "cpu"]


class GateResult(msgspec.Struct, frozen=True):
    """One check. `facts` are numbers by name (seconds, bytes, counts, ratios) that panels and reports format."""

    gate: str
    """Stable id: `numeric`, `shapes`, `values`, `bounds`, `unwritten`, `inputs`, `controls`, `rounds` ..."""
    title: Message
    status: GateStatus
    sentence: Message
    facts: Mapping[str, float | int | str] = {}


class WorstElement(msgspec.Struct, frozen=True):
    """The element nearest to, or furthest over, its tolerance. `error` is |c − r|; `allowed` its bound."""

    output: str
    index: tuple[int, ...]
    candidate: float
    reference: float
    error: float
    allowed: float
    relative_error: float
    """error / (|r| + S)"""


class CompileData(msgspec.Struct, frozen=True):
    """What the compiler said and made. Resources are None where the compiler does not tell."""

    compiler: str
    seconds: float
    cached: bool = False
    symbol: str = ""
    binary_hash: str = ""
    registers: int | None = None
    spill_bytes: int | None = None
    static_shared_bytes: int | None = None
    warnings: tuple[str, ...] = ()


class CaseResult(msgspec.Struct, frozen=True):
    """One verified input: sizes, distribution and seed are enough to replay it."""

    sizes: Mapping[str, int]
    distribution: str
    seed: int
    passed: bool
    worst: WorstElement | None = None
    wrong_elements: int = 0
    elements: int = 0
    unwritten: int = 0
    failure: Failure | None = None


class VerifyData(msgspec.Struct, frozen=True):
    """All verified cases and the gates decided from them."""

    cases: tuple[CaseResult, ...]
    gates: tuple[GateResult, ...]
    worst: WorstElement | None = None
    reference: str = ""
    """What the answer was compared with: `reference.py:preprocess in float64`, or a named baseline."""
    float64_error: float | None = None
    """RMS error of the declared case against the unrounded reference, over RMS(r)."""


class Clock(msgspec.Struct, frozen=True):
    """How device time was read: `name`, constant taken off and its spread (seconds), smallest step (seconds)."""

    name: str
    constant: float = 0.0
    constant_spread: float = 0.0
    constant_source: Literal["measured", "hardware file", "none"] = "none"
    tick: float = 0.0


class Group(msgspec.Struct, frozen=True):
    """Rounds of one fresh process. A and B have equal length 2q: quad i is A[2i], B[2i], B[2i+1], A[2i+1] (seconds)."""

    a: tuple[float, ...]
    b: tuple[float, ...]
    sm_clock_mhz: tuple[int, ...] = ()
    set_aside: int = 0


class TimingData(msgspec.Struct, frozen=True):
    """Timed rounds of `b_hash` against `a_hash` in the order A B B A. For a baseline both are the same (A/A)."""

    a_hash: str
    b_hash: str
    groups: tuple[Group, ...]
    regime: Regime
    clock: Clock
    warmup: int
    sizes: Mapping[str, int]
    inputs: str
    """How inputs were made, for example `fresh each round, integers(0, 256)`."""
    checked_rounds: int = 0
    wrong_rounds: int = 0
    bytes: int | None = None
    flops: int | None = None


class PipelineRepeat(msgspec.Struct, frozen=True):
    """One execution of the pipeline: wall seconds; `stages` only when traced (name -> seconds, each instant once)."""

    version: Literal["a", "b"]
    traced: bool
    wall: float
    stages: Mapping[str, float] = {}
    kernel_calls: int = 0


class PipelineData(msgspec.Struct, frozen=True):
    """The pipeline with the baseline (a) and with this version (b), interleaved."""

    a_hash: str
    b_hash: str
    repeats: tuple[PipelineRepeat, ...]
    stage_titles: Mapping[str, str] = {}
    stage_kinds: Mapping[str, str] = {}
    """Stage name -> kind: `cpu`, `h2d`, `kernel`, `other`, `sync`, `d2h`, `alloc`."""
    sizes: Mapping[str, int] = {}
    outputs_match: bool | None = None


class PassRecord(msgspec.Struct, frozen=True):
    """One pass of a run as the session keeps it. Exactly one of the data fields is set when it finished."""

    name: PassName
    status: Literal["finished", "failed", "not run"]
    started: str
    seconds: float
    failure: Failure | None = None
    reason: Message | None = None
    """Why it was not run."""
    compile: CompileData | None = None
    verify: VerifyData | None = None
    time: TimingData | None = None
    trace: PipelineData | None = None
    access: AccessReport | None = None
    sanitize: SanitizerData | None = None
    gates: tuple[GateResult, ...] = ()
    environment: Environment | None = None


class Run(msgspec.Struct, frozen=True):
    """A run as read back from a session; `id` is the session's row, `passes` in the order they ended."""

    id: int
    version: str
    device: str
    started: str
    environment: Environment
    seed: int
    passes: tuple[PassRecord, ...] = ()
    finished: bool = False
    confirms: int | None = None
    """The run that this one confirms in fresh processes (winner's curse)."""

    def last(self, name: PassName) -> PassRecord | None:
        """Return the latest record of a pass, None when there is none."""
        return next((record for record in reversed(self.passes) if record.name == name), None)

    @property
    def failure(self) -> Failure | None:
        """The first failure of any pass."""
        return next((record.failure for record in self.passes if record.failure), None)

    @property
    def gates(self) -> tuple[GateResult, ...]:
        """Every gate decided in this run."""
        return tuple(gate for record in self.passes for gate in record.gates)
