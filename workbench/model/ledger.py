"""The ledger: claims with their evidence. Every number carries where it comes from; None is missing, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.model.device import Environment
from workbench.model.run import Clock, GateResult, Regime, Verdict, WorstElement
from workbench.texts import Message

Evidence = Literal["measured", "imported", "predicted", "missing"]
Chip = Literal[
    "FASTER", "SLOWER", "SAME", "AMBIGUOUS", "WRONG ANSWER", "BASELINE", "CPU TIME", "passed", "failed", "not run",
    "not applicable", "accepted", "refused", "exact", "source-level", "predicted", "imported", "missing", "in review",
]  # fmt: skip
"""The closed list of chips (design section 10)."""


class Estimate(msgspec.Struct, frozen=True):
    """A number with its 95 % interval and where it comes from. Times in seconds, ratios bare."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    evidence: Evidence = "missing"


MISSING = Estimate()


class Comparison(msgspec.Struct, frozen=True):
    """B against A: both times, the ratio A/B (above 1 is faster), verdict and the margin it had to clear."""

    a: Estimate
    b: Estimate
    speedup: Estimate
    verdict: Verdict | None
    margin: float
    noise_floor: float | None
    """A/A floor of this baseline on this device under the same protocol, as a fraction."""
    rounds: int
    groups: int
    regime: Regime | None
    clock: Clock | None
    books_gain: bool
    """False for CPU time: then no verdict is printed and `speedup` is missing."""
    route: Literal["paired", "through the baseline", "none"] = "paired"
    sentence: Message | None = None
    smallest_change: float | None = None
    """Smallest change (a fraction) that a timing like this one calls FASTER or SLOWER 97.5 % of the time."""


class LedgerLine(msgspec.Struct, frozen=True):
    """One version in the ledger. `chip` says in one word what it is worth."""

    version: str
    name: str
    parent: str | None
    author: str
    hypothesis: str
    chip: Chip
    kernel_time: Estimate
    speedup: Estimate
    parent_speedup: Estimate
    end_to_end: Estimate
    end_to_end_speedup: Estimate
    worst: WorstElement | None
    gates: tuple[GateResult, ...]
    run: int | None
    device: str
    sentence: Message
    depth: int = 0
    confirmed: bool | None = None
    """True after a second run in fresh processes said the same; None where nothing needs confirming."""

    def gate_count(self, status: str) -> int:
        """Return how many gates ended with `status`."""
        return sum(gate.status == status for gate in self.gates)


class Stage(msgspec.Struct, frozen=True):
    """One row of the account, seconds. `before`/`after` are None when that side was not traced."""

    name: str
    title: str
    kind: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """after − before, seconds."""
        return None if self.before is None or self.after is None else self.after - self.before


class NextStage(msgspec.Struct, frozen=True):
    """A stage that could be improved next: what it costs now and the ceiling if it were free (predicted)."""

    name: str
    title: str
    kind: str
    seconds: float
    ceiling: float
    """wall / (wall − seconds)"""


class KernelCheck(msgspec.Struct, frozen=True):
    """The traced kernel against the honest clock, one version (method section 6): seconds a call, calls a repeat."""

    calls: int
    traced: float
    """In the account's traced repeat, with the pipeline's own inputs."""
    clock: float
    """Median of the timed rounds, on the project's declared inputs."""

    @property
    def difference(self) -> float:
        """traced/clock − 1, a fraction."""
        return self.traced / self.clock - 1.0


class Account(msgspec.Struct, frozen=True):
    """Amdahl arithmetic before and after (method section 6). All seconds; parts + remainder = traced wall, exactly.

    A baseline's own account (`alone`) says where the time goes: it stands under "before", and there is no "after", no gain.
    """

    before_name: str
    after_name: str
    stages: tuple[Stage, ...]
    remainder_before: float | None
    remainder_after: float | None
    traced_wall_before: float | None
    traced_wall_after: float | None
    wall_before: Estimate
    wall_after: Estimate
    tracing_factor: float | None
    kernel_speedup: Estimate
    speedup: Estimate
    """Measured end to end, from interleaved pairs of untraced repeats: where the host drifts not the quotient of the walls."""
    predicted_speedup: float | None
    """wall / (wall − kernel + kernel / s) with s the traced kernel's speed-up, all else equal."""
    ceiling: float | None
    """wall / (wall − kernel), a free kernel."""
    share_before: float | None
    share_after: float | None
    ceiling_share: float | None
    """Time saved / time a free kernel would save: (1 − 1/speedup) / share_before."""
    next_stages: tuple[NextStage, ...]
    go_on: bool | None
    repeats: int
    books_gain: bool
    verdict: Verdict | None = None
    time_saved: Estimate = MISSING
    """wall_before · (1 − 1/speedup), seconds."""
    alone: bool = False
    """One version against itself: every field of an "after" and of a gain is missing; ceiling and next stages are its own."""
    check_before: KernelCheck | None = None
    check_after: KernelCheck | None = None
    """None where the pipeline was not traced, or the version not timed."""

    @property
    def wall(self) -> Estimate:
        """The untraced wall of the version that the account is about."""
        return self.wall_before if self.alone else self.wall_after

    @property
    def traced_kernel_speedup(self) -> float | None:
        """The traced kernel's seconds before over those after: where the prediction lies on Amdahl's curve, not the clock's."""
        pairs = [(stage.before, stage.after) for stage in self.stages if stage.kind == "kernel"]
        before, after = (sum(pair[side] or 0.0 for pair in pairs) for side in (0, 1))
        return before / after if before > 0 and after > 0 else None

    @property
    def traced_wall(self) -> float | None:
        """The traced wall of the version that the account is about."""
        return self.traced_wall_before if self.alone else self.traced_wall_after


class Ledger(msgspec.Struct, frozen=True):
    """Everything a page or a report shows of one session on one device."""

    project: str
    goal: str
    device: str
    device_title: str
    books_gains: bool
    lines: tuple[LedgerLine, ...]
    account: Account | None
    accounts: Mapping[str, Account] = {}
    """Version hash -> its account against the baseline."""
    environment: Environment | None = None
    tries: int = 0
    """Candidates run, whatever became of them (winner's curse)."""
