"""What the compare page says of two versions, as text. No widget."""

from __future__ import annotations

from typing import NamedTuple

from ui.tables.cells import Cell, Column, Tone, number
from ui.tables.last_run import Side
from workbench import units
from workbench.analysis.compare import MetricRow
from workbench.model.ledger import Chip, Comparison
from workbench.model.run import Regime
from workbench.state.workspace import SessionView
from workbench.texts import Message, message, tr

_REGIMES: dict[Regime, str] = {
    "cold": "L2 cold", "warm": "L2 warm", "streaming": "streaming, larger than the L2", "cpu": "on the processor",
}  # fmt: skip
_MARKS: dict[str, tuple[str, Tone]] = {
    "better": ("better", "text"), "worse": ("worse", "wrong"), "same": ("same", "dim"), "neutral": ("", "dim"),
}  # fmt: skip
"""`better` is not green: the proven green belongs to FASTER, passed and accepted alone."""


class Pair(NamedTuple):
    """The two versions compared, as hashes; None where one is not chosen."""

    a: str | None
    b: str | None


def pair_of(view: SessionView, compared: tuple[str | None, str | None], selected: str | None, device: str) -> Pair:
    """Return what was chosen; where nothing was, the selected version against its parent, else against the first one.

    A version is never put beside itself where there is another.
    """
    a, b = (digest if view.version(digest) else None for digest in compared)
    if a and b and a != b:
        return Pair(a, b)
    a = None if a == b else a
    last = view.versions[-1].hash if view.versions else None
    b = b or (selected if view.version(selected) else last)
    version = view.version(b)
    parent = version.parent if version and view.version(version.parent) else None
    first = next((other.hash for other in view.versions if other.hash != b), None)
    return Pair(a or parent or first, b)


class Headline(NamedTuple):
    """What the page says over both versions: one sentence, its chip, and times, ratio and protocol below."""

    sentence: str
    chip: Chip | None
    below: str


def headline(comparison: Comparison, a: Side, b: Side, device: str) -> Headline:
    """Return what is said of two versions on a device: one that was never run there is missing, one with itself no claim."""
    names = [_name(side) for side in (a, b)]
    absent = [name for name, side in zip(names, (a, b), strict=True) if side.run is None]
    if a.version == b.version:
        said = message("A and B are the same version, {name}: there is nothing to gain.", name=names[0])
        return Headline(
            str(said), _without_verdict(comparison), " ".join(part for part in (_floor(comparison), below(comparison)) if part)
        )
    for side, time in ((b, comparison.b), (a, comparison.a)):
        if side.run and side.run.failure and time.value is None and comparison.verdict is None:
            said = message("{name} has nothing to compare: {reason}", name=_name(side), reason=str(side.run.failure.message))
            return Headline(str(said), "failed", below(comparison))
    if len(absent) == 2:
        said = message("{a} and {b} were not run on {device} yet.", a=names[0], b=names[1], device=device)
        return Headline(str(said), "missing", "")
    if absent:
        said = message("{name} was not run on {device} yet, so its side is missing.", name=absent[0], device=device)
        return Headline(str(said), "missing", below(comparison))
    return Headline(str(comparison.sentence or ""), chip_of(comparison), below(comparison))


def _name(side: Side) -> str:
    return side.version.name if side.version else units.MISSING


def _without_verdict(comparison: Comparison) -> Chip | None:
    return None if comparison.books_gain else chip_of(comparison)


def _floor(comparison: Comparison) -> str:
    if comparison.noise_floor is None or not comparison.books_gain:
        return ""
    return str(
        message(
            "Timed against itself it differs by {floor}: the noise floor here.", floor=units.percent(comparison.noise_floor, 2)
        )
    )


def chip_of(comparison: Comparison) -> Chip | None:
    """Return the verdict's chip; CPU TIME where no gain is booked, none where nothing was concluded."""
    if comparison.verdict == "WRONG ANSWER":
        return "WRONG ANSWER"
    if not comparison.books_gain:
        return "CPU TIME" if comparison.a.value is not None or comparison.b.value is not None else None
    return comparison.verdict


def below(comparison: Comparison) -> str:
    """Return times, ratio and protocol behind the sentence."""
    parts: list[Message] = []
    if comparison.a.value is not None and comparison.b.value is not None:
        times = [_with_interval(side.value, side.low, side.high) for side in (comparison.b, comparison.a)]
        parts.append(message("{b} against {a}.", b=times[0], a=times[1]))
    if comparison.books_gain and comparison.speedup.low is not None:
        spread = units.interval(comparison.speedup.low, comparison.speedup.high)
        parts.append(message("Ratio {ratio} {interval}.", ratio=units.ratio(comparison.speedup.value), interval=spread))
    if comparison.rounds:
        regime = tr(_REGIMES[comparison.regime]) if comparison.regime else "—"
        rounds, groups = units.count(comparison.rounds), units.count(comparison.groups)
        parts.append(
            message("{rounds} interleaved rounds in {groups} processes, {regime}.", rounds=rounds, groups=groups, regime=regime)
        )
    if comparison.route == "through the baseline":
        parts.append(message("Both were timed against the same baseline, not against each other."))
    return " ".join(str(part) for part in parts)


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    return " ".join(part for part in (units.duration(value), units.duration_interval(low, high)) if part)


_SHORT = {"end_to_end": "End to end", "bandwidth": "Effective bandwidth"}
"""Metrics whose whole name is too long for the table: it is the cell's tip."""
_EXACT = frozenset({"registers", "spills", "shared", "cases", "failed_gates"})
"""Metrics that are counted: they have no interval."""


def columns() -> tuple[Column, ...]:
    """Return the columns of the metrics table; for want of room first the interval goes, then the mark, then the difference."""
    return (
        Column(tr("Metric"), stretch=True),
        Column("A", right=True),
        Column("B", right=True),
        Column(tr("Difference"), right=True, drop=1),
        Column(tr("Interval, 95 %"), right=True, drop=3),
        Column(tr("Mark"), drop=2),
    )


def metric_cells(row: MetricRow, comparison: Comparison) -> tuple[Cell, ...]:
    """Return one metric's cells."""
    word, tone = _MARKS[row.better] if row.better else ("", "dim")
    mark = Cell(tr(word) if word else "", tone)
    if row.id == "kernel_time":
        mark = Cell(chip=chip_of(comparison))
    sides = [number(text_of(row, value), "faint" if value is None else "text") for value in (row.a, row.b)]
    title = Cell(tr(_SHORT[row.id]), tip=str(row.name)) if row.id in _SHORT else Cell(str(row.name))
    return (title, *sides, number(difference_of(row)), _interval(row), mark)


def _interval(row: MetricRow) -> Cell:
    if row.interval and row.relative:
        return number(units.interval(row.interval[0] * 100, row.interval[1] * 100, 1), "dim")
    return Cell(tr("exact"), "dim") if row.id in _EXACT and row.difference is not None else Cell()


def text_of(row: MetricRow, value: float | None) -> str:
    """Return a metric's value as text with its unit."""
    if value is None:
        return units.MISSING
    match row.unit:
        case "seconds":
            return units.duration(value)
        case "bytes":
            return units.size(value)
        case "count":
            return units.count(round(value))
        case "fraction":
            return units.percent(value, 2)
        case "error":
            return units.scientific(value)
        case "bytes per second":
            return units.bandwidth(value)
        case _:
            return units.significant(value)


def difference_of(row: MetricRow) -> str:
    """Return the difference with its sign, nothing where there is none to give."""
    if row.difference is None:
        return ""
    if row.relative:
        return units.signed_percent(row.difference)
    if row.difference == 0:
        return "0"
    sign = "+" if row.difference > 0 else units.MINUS
    if row.unit == "fraction":
        points = message("{number} pt", number=f"{abs(row.difference) * 100:.2f}")
        return f"{sign}{points}"
    return f"{sign}{text_of(row, abs(row.difference))}"
