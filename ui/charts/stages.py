"""Stages of an account as bars: which colour, how long, where. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ui.widgets.stage_look import SHORT, token
from workbench import units
from workbench.model.ledger import Account
from workbench.texts import tr


class Segment(NamedTuple):
    """One piece of a stacked bar, seconds."""

    name: str
    title: str
    kind: str
    seconds: float

    @property
    def token(self) -> str:
        """Its colour."""
        return token(self.kind)


class Bar(NamedTuple):
    """A stacked bar: its pieces in order, and the measured total behind it (None: missing)."""

    title: str
    segments: tuple[Segment, ...]
    total: float | None


class Placed(NamedTuple):
    """A piece on pixels, left to right (right not included)."""

    segment: Segment
    left: int
    right: int


def bars_of(account: Account) -> tuple[Bar, ...]:
    """Return the bars before and after, of a baseline's own account one; the last is the version's that it is about.

    What is not attributed stands last; a negative remainder has no length and no bar.
    """
    before = Bar(account.before_name, _segments(account, "before"), account.traced_wall_before)
    if account.alone:
        return (before,)
    return before, Bar(account.after_name, _segments(account, "after"), account.traced_wall_after)


def _segments(account: Account, side: str) -> tuple[Segment, ...]:
    found = []
    for stage in account.stages:
        seconds = stage.before if side == "before" else stage.after
        if seconds:
            found.append(Segment(stage.name, stage.title, stage.kind, seconds))
    rest = account.remainder_before if side == "before" else account.remainder_after
    if rest is not None and rest > 0:
        found.append(Segment("rest", tr("Not attributed"), "rest", rest))
    return tuple(found)


def longest(bars: Sequence[Bar]) -> float:
    """Return the longest bar, seconds; 0 when there is none."""
    return max((sum(segment.seconds for segment in bar.segments) for bar in bars), default=0.0)


def place(bar: Bar, scale: float, left: int, width: int) -> list[Placed]:
    """Return the pieces on `width` pixels that stand for `scale` seconds; edges are rounded once, so that none overlap."""
    placed, done = [], 0.0
    for segment in bar.segments:
        begin = left + round(done / scale * width) if scale else left
        done += segment.seconds
        end = left + round(done / scale * width) if scale else left
        placed.append(Placed(segment, begin, end))
    return placed


def labels(segment: Segment) -> tuple[str, ...]:
    """Return what can stand in a piece, longest first: title and milliseconds, a short word and them, them alone."""
    number = units.milliseconds(segment.seconds)
    short = f"{tr(SHORT[segment.kind])} {number}" if segment.kind in SHORT else number
    return f"{segment.title} {number}", short, number
