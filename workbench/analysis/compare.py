"""Two versions side by side: what was measured of both, row by row (their sources: `aligned`)."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from workbench.analysis.aligned import AlignedLine, Fold, Span, align, fold_unchanged
from workbench.analysis.standing import all_gates, failed_gates, timing_of
from workbench.analysis.stats import dispersion, samples
from workbench.analysis.verdict import LEAST_MARGIN
from workbench.model.ledger import MISSING, Account, Comparison, Estimate, Evidence
from workbench.model.run import Run
from workbench.texts import Message, message

__all__ = ["AlignedLine", "Fold", "Mark", "MetricRow", "Span", "Unit", "align", "fold_unchanged", "metric_rows"]

Mark = Literal["better", "worse", "same", "neutral"]
Unit = Literal["seconds", "bytes", "count", "fraction", "error", "bytes per second", "flops"]


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


def metric_rows(
    a: Run | None, b: Run | None, comparison: Comparison, a_account: Account | None = None, b_account: Account | None = None
) -> tuple[MetricRow, ...]:
    """Return what was measured of both versions, B against A, kernel time first."""
    rows = [_kernel_time(comparison), _end_to_end(a_account, b_account, comparison.books_gain)]
    rows += [_bandwidth(a, b, comparison), _spread(a, b)]
    rows += _resources(a, b)
    rows += _proof(a, b)
    return tuple(row for row in rows if row.a is not None or row.b is not None)


def _row(id: str, name: Message, unit: Unit, a: float | None, b: float | None, *, lower: Mark | None = None) -> MetricRow:
    """A row of exact numbers; `lower` says what a lower B means ("better" makes a higher one "worse"), None: neither."""
    change = None if a is None or b is None else b - a
    better: Mark | None = None
    if change is not None:
        better = "same" if change == 0 else "neutral" if lower is None else "better" if change < 0 else "worse"
    return MetricRow(id, name, unit, a, b, change, False, None, "missing" if a is None and b is None else "measured", better)


def _kernel_time(comparison: Comparison) -> MetricRow:
    """The kernel's time; CPU time stands without difference and mark, since it is no evidence of a gain."""
    names = {
        "cold": message("Kernel time, cold L2"),
        "warm": message("Kernel time, warm L2"),
        "streaming": message("Kernel time, streaming"),
        "cpu": message("CPU time"),
    }
    name = names.get(comparison.regime or "", message("Kernel time"))
    row = MetricRow("kernel_time", name, "seconds", comparison.a.value, comparison.b.value, evidence="measured")
    gain = comparison.speedup
    if gain.value is None:
        return row
    between = None if gain.low is None or gain.high is None else (1 / gain.high - 1, 1 / gain.low - 1)
    marks: dict[str | None, Mark] = {"FASTER": "better", "SLOWER": "worse", "SAME": "same"}
    better = marks.get(comparison.verdict, "neutral")
    return msgspec.structs.replace(row, difference=1 / gain.value - 1, relative=True, interval=between, better=better)


def _end_to_end(a: Account | None, b: Account | None, books_gain: bool) -> MetricRow:
    """The pipeline's untraced wall; the difference is that of interleaved pairs, never of walls from different moments.

    A baseline beside a version measured against it has the wall of that version's run; two versions are compared through their
    baseline. Better or worse only where the interval clears the margin.
    """
    walls = _wall(a, b), _wall(b, a)
    evidence: Evidence = "measured" if any(wall.value is not None for wall in walls) else "missing"
    row = MetricRow("end_to_end", message("End to end"), "seconds", walls[0].value, walls[1].value, evidence=evidence)
    gain = _gain_over(a, b) if a and b and books_gain else MISSING
    if gain.value is None:
        return row
    between = None if gain.low is None or gain.high is None else (1 / gain.high - 1, 1 / gain.low - 1)
    better: Mark = "neutral"
    if gain.low is not None and gain.high is not None:
        better = "better" if gain.low > 1 + LEAST_MARGIN else "worse" if gain.high < 1 / (1 + LEAST_MARGIN) else "neutral"
    return msgspec.structs.replace(
        row,
        name=message("End to end, by pairs"),
        difference=1 / gain.value - 1,
        relative=True,
        interval=between,
        better=better,
    )


def _wall(own: Account | None, other: Account | None) -> Estimate:
    if own and other and own.alone and other.before_name == own.before_name:
        return other.wall_before
    return own.wall if own else MISSING


def _gain_over(a: Account, b: Account) -> Estimate:
    """Return B's speed-up over A from both speed-ups over their baseline; independent, so the log intervals add in squares."""
    gains = [Estimate(1.0, 1.0, 1.0, "measured") if account.alone else account.speedup for account in (a, b)]
    if (a.alone and b.alone) or a.before_name != b.before_name or not gains[0].value or not gains[1].value:
        return MISSING
    value = gains[1].value / gains[0].value
    ends = [(gain.low, gain.high) for gain in gains if gain.low and gain.high]
    if len(ends) < 2:
        return Estimate(value, None, None, "measured")
    half = math.hypot(*(math.log(high / low) / 2 for low, high in ends))
    return Estimate(value, value * math.exp(-half), value * math.exp(half), "measured")


def _bandwidth(a: Run | None, b: Run | None, comparison: Comparison) -> MetricRow:
    """The project's least traffic over the kernel time; of CPU time it would mean nothing."""
    rates = []
    for run, time in ((a, comparison.a.value), (b, comparison.b.value)):
        timing = timing_of(run) if run else None
        known = timing is not None and timing.bytes is not None and time and comparison.books_gain
        rates.append(timing.bytes / time if known and timing and timing.bytes and time else None)
    return _row("bandwidth", message("Least traffic over time"), "bytes per second", rates[0], rates[1])


def _spread(a: Run | None, b: Run | None) -> MetricRow:
    spreads = [dispersion(samples(timing, "b")) if run and (timing := timing_of(run)) else None for run in (a, b)]
    return _row("dispersion", message("Spread of the rounds"), "fraction", spreads[0], spreads[1])


def _resources(a: Run | None, b: Run | None) -> list[MetricRow]:
    """What the compiler said; fewer spilled bytes are better, registers and shared memory are a choice."""
    made = [record.compile if run and (record := run.last("compile")) else None for run in (a, b)]

    def both(field: str) -> tuple[float | None, float | None]:
        first, second = (getattr(data, field) if data else None for data in made)
        return first, second

    return [
        _row("registers", message("Registers per thread"), "count", *both("registers")),
        _row("spills", message("Spilled bytes"), "bytes", *both("spill_bytes"), lower="better"),
        _row("shared", message("Static shared memory"), "bytes", *both("static_shared_bytes")),
    ]


def _proof(a: Run | None, b: Run | None) -> list[MetricRow]:
    """How far from the reference, and over how many cases and failed gates."""
    verified = [record.verify if run and (record := run.last("verify")) else None for run in (a, b)]
    errors = [data.worst.relative_error if data and data.worst else None for data in verified]
    cases = [float(len(data.cases)) if data else None for data in verified]
    failed = [float(len(failed_gates(run))) if run and all_gates(run) else None for run in (a, b)]
    return [
        _row("worst_error", message("Worst relative error"), "error", errors[0], errors[1]),
        _row("cases", message("Verified cases"), "count", cases[0], cases[1]),
        _row("failed_gates", message("Failed gates"), "count", failed[0], failed[1], lower="better"),
    ]
