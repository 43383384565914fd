"""Two versions side by side: metric rows of two runs, and their sources aligned line by line."""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.model.ledger import Account, Comparison, Evidence
from workbench.model.run import Run
from workbench.texts import Message

Mark = Literal["better", "worse", "same", "neutral"]
Unit = Literal["seconds", "bytes", "count", "fraction", "error", "bytes per second", "flops"]
Span = tuple[int, int]
"""Start and end (exclusive) of changed characters in a line."""


class MetricRow(msgspec.Struct, frozen=True):
    """One metric of both versions, in SI base units (`unit` says how to write them); None is missing.

    `difference` is (b − a)/a when `relative`, else b − a; `interval` (95 %) is in the same terms. `better` None: not comparable.
    """

    id: str
    name: Message
    unit: Unit
    a: float | None
    b: float | None
    difference: float | None = None
    relative: bool = False
    interval: tuple[float, float] | None = None
    evidence: Evidence = "missing"
    better: Mark | None = None


class AlignedLine(msgspec.Struct, frozen=True):
    """One row of a side-by-side diff. Numbers are 1-based and None where that side has no such line."""

    kind: Literal["same", "changed", "added", "removed"]
    a_number: int | None
    b_number: int | None
    a_text: str = ""
    b_text: str = ""
    a_spans: tuple[Span, ...] = ()
    b_spans: tuple[Span, ...] = ()


class Fold(msgspec.Struct, frozen=True):
    """A run of unchanged lines that is hidden; `lines` can be shown in its place."""

    lines: tuple[AlignedLine, ...]

    @property
    def count(self) -> int:
        """How many lines are hidden."""
        return len(self.lines)


def metric_rows(
    a: Run | None, b: Run | None, comparison: Comparison, a_account: Account | None = None, b_account: Account | None = None
) -> tuple[MetricRow, ...]:
    """Return what was measured of both versions, B against A, kernel time first."""
    raise NotImplementedError


def align(a: str, b: str) -> tuple[AlignedLine, ...]:
    """Return the lines of two sources side by side, with the changed words of changed lines as spans."""
    raise NotImplementedError


def fold_unchanged(lines: tuple[AlignedLine, ...], context: int = 3) -> tuple[AlignedLine | Fold, ...]:
    """Replace unchanged runs by folds, keeping `context` lines beside each change."""
    raise NotImplementedError
