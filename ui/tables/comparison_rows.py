"""What the compare page says of two versions, as text. No widget."""

from __future__ import annotations

from typing import NamedTuple

from ui.tables.cells import Cell, Column, Tone, number
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
    """Return what was chosen; where nothing was, the selected version against its parent, else against the first one."""
    a, b = (digest if view.version(digest) else None for digest in compared)
    if a and b:
        return Pair(a, b)
    last = view.versions[-1].hash if view.versions else None
    b = b or (selected if view.version(selected) else last)
    version = view.version(b)
    parent = version.parent if version and view.version(version.parent) else None
    first = next((other.hash for other in view.versions if other.hash != b), None)
    return Pair(a or parent or first, b)


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


def columns(a: str, b: str) -> tuple[Column, ...]:
    """Return the columns of the metrics table."""
    return (
        Column(tr("Metric"), stretch=True),
        Column(a, right=True),
        Column(b, right=True),
        Column(tr("difference"), right=True, drop=1),
        Column(tr("interval, 95 %"), right=True, drop=3),
        Column("", drop=2),
    )


def metric_cells(row: MetricRow, comparison: Comparison) -> tuple[Cell, ...]:
    """Return one metric's cells."""
    word, tone = _MARKS[row.better] if row.better else ("", "dim")
    mark = Cell(tr(word), tone)
    if row.id == "kernel_time":
        mark = Cell(chip=chip_of(comparison))
    sides = [number(text_of(row, value), "faint" if value is None else "text") for value in (row.a, row.b)]
    spread = ""
    if row.interval and row.relative:
        spread = units.interval(row.interval[0] * 100, row.interval[1] * 100, 1) + " %"
    return (Cell(str(row.name)), *sides, number(difference_of(row)), number(spread, "dim"), mark)


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
    return f"{sign}{text_of(row, abs(row.difference))}"
