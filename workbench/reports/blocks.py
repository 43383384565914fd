"""What a report is made of: frozen values that every writer (PDF, Markdown, CSV, JSON) reads. Times in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.model.ledger import Account, Estimate, Ledger, LedgerLine
from workbench.model.project import Project
from workbench.model.run import Regime, Run
from workbench.model.sanitizer import FindingKind, Severity
from workbench.model.suggestion import Suggestion
from workbench.model.version import Version
from workbench.reports.access_blocks import MemoryAccess
from workbench.texts import Message

SCHEMA = 1
"""Number of the JSON document's layout."""


class ReportInput(msgspec.Struct, frozen=True):
    """All that a report is made from; `program` is the name and version of what wrote it."""

    ledger: Ledger
    versions: tuple[Version, ...]
    runs: tuple[Run, ...]
    suggestions: tuple[Suggestion, ...] = ()
    project: Project | None = None
    program: str = "kernel-ledger"

    @property
    def date(self) -> str:
        """Return when the newest evidence of the report's device was made (ISO 8601): the same session, the same report."""
        return max((run.started for run in self.runs if run.device == self.ledger.device), default="")


class Pair(msgspec.Struct, frozen=True):
    """A fact with its label."""

    label: Message
    text: str


class Bar(msgspec.Struct, frozen=True):
    """One bar; `kernel` is the part of `seconds` that is the kernel under study (None: all of it, or not known)."""

    name: str
    seconds: float
    kernel: float | None = None


class Figure(msgspec.Struct, frozen=True):
    """One large number on the first page, with the bars that show what it is made of."""

    label: Message
    text: str
    suffix: str = ""
    caption: str = ""
    bars: tuple[Bar, ...] = ()
    free: float | None = None
    """Seconds the application would take with a free kernel (predicted)."""
    ceiling: float | None = None


class Protocol(msgspec.Struct, frozen=True):
    """How a version's time was made; it stands wherever the time is printed. Fractions bare."""

    regime: Regime
    clock: str
    rounds: int
    groups: int
    margin: float | None = None
    noise_floor: float | None = None
    set_aside: int = 0
    checked_rounds: int = 0


class Row(msgspec.Struct, frozen=True):
    """One line of the ledger table; `leading` marks the one the headline speaks of."""

    line: LedgerLine
    parent: str | None
    protocol: Protocol | None
    leading: bool = False


class AmdahlPoint(msgspec.Struct, frozen=True):
    """A version in the Amdahl chart: both speed-ups measured."""

    name: str
    kernel: float
    application: float


class AccountBlock(msgspec.Struct, frozen=True):
    """The account page."""

    account: Account
    sentence: Message
    points: tuple[AmdahlPoint, ...]
    next_sentence: Message | None
    notes: tuple[Message, ...] = ()
    """What must stand beside the walls: the traced kernel against the clock, ratios that are of pairs."""


class CaseErrors(msgspec.Struct, frozen=True):
    """Worst errors of the cases of one distribution, each as a fraction of what the tolerance allows."""

    distribution: str
    fractions: tuple[float, ...]


class Found(msgspec.Struct, frozen=True):
    """One finding of a sanitizer: `count` of its kind at its lines (from 1, the one to look at first in front)."""

    severity: Severity
    kind: FindingKind
    sentence: Message
    lines: tuple[int, ...]
    count: int


class Proof(msgspec.Struct, frozen=True):
    """What was checked about one version. `rounds` are its timed rounds (seconds) by process, in run order."""

    row: Row
    sentence: Message
    errors: tuple[CaseErrors, ...]
    reference: str
    cases: int
    rounds: tuple[tuple[float, ...], ...]
    baseline_rounds: tuple[tuple[float, ...], ...]
    facts: tuple[Pair, ...]
    findings: tuple[Found, ...] = ()
    """What a launch under a sanitizer found, errors first."""


class DiffLine(msgspec.Struct, frozen=True):
    """One line of a change. `hunk` counts from 1, 0 outside; kind `gap` stands for unchanged lines left out."""

    kind: Literal["same", "added", "removed", "gap"]
    old: int | None
    new: int | None
    text: str
    hunk: int = 0


class Change(msgspec.Struct, frozen=True):
    """A version's source against its parent's; for a baseline the whole source as unchanged lines."""

    name: str
    parent: str | None
    hash: str
    author: Message
    hypothesis: str
    metric: str
    file: str
    lines: tuple[DiffLine, ...]
    added: int
    removed: int


class Document(msgspec.Struct, frozen=True):
    """A whole report."""

    title: str
    goal: str
    date: str
    """When the newest evidence was made, ISO 8601; empty where there is none."""
    program: str
    device: str
    device_title: str
    books_gains: bool
    headline: tuple[Message, ...]
    caveats: tuple[Message, ...]
    """What must stand directly under the headline: not confirmed, environment disturbed."""
    figures: tuple[Figure, ...]
    rows: tuple[Row, ...]
    ledger_note: tuple[Message, ...]
    environment: tuple[Pair, ...]
    method: tuple[Message, ...]
    content_hash: str
    tries: int
    account: AccountBlock | None
    proofs: tuple[Proof, ...]
    changes: tuple[Change, ...]
    hashes: Mapping[str, str]
    """Version name -> content hash."""
    limits: tuple[Message, ...]
    access: tuple[MemoryAccess, ...] = ()
    """How analysed versions touch memory."""


def estimate_or_none(estimate: Estimate) -> float | None:
    """Return the value of a measured or imported estimate; a predicted one is never passed off as measured."""
    return estimate.value if estimate.evidence in ("measured", "imported") else None
