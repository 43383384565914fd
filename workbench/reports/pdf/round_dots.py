"""Every timed round as a dot, in run order and stacked: the noise is shown, not described."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from workbench import units
from workbench.model.ledger import Estimate
from workbench.reports.blocks import Proof
from workbench.reports.pdf.pen import HEAD, SMALL, STRONG, blend
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet, note_height
from workbench.reports.result import REGIMES
from workbench.texts import tr

DOTS, STACK, END = 268.0, 440.0, 512.0
HEIGHT = 42.0
BINS = 15
Groups = Sequence[Sequence[float]]
Side = tuple[str, Groups, Estimate | None, str]
"""Title, rounds by process, the interval where one is known, colour."""


def dots_height(proof: Proof) -> float:
    """Return what the rounds need, points."""
    return max(40 + HEIGHT * (2 if proof.baseline_rounds else 1), note_height(_note(proof)))


def round_dots(sheet: Sheet, proof: Proof) -> None:
    """Draw the rounds of the baseline (where this version was timed against it) and of the version."""
    sides: list[Side] = []
    if proof.baseline_rounds:
        sides.append((tr("baseline, same run"), proof.baseline_rounds, None, "dim"))
    sides.append((proof.row.line.name, proof.rounds, proof.row.line.kernel_time, "stage_kernel"))
    reach = max(_reach(groups) for _, groups, _, _ in sides)
    floor = (proof.row.protocol.noise_floor or 0.0) if proof.row.protocol else 0.0
    sheet.section(tr("Timed rounds"), _note(proof), height=dots_height(proof))
    count = sum(len(group) for group in proof.rounds)
    sheet.pen.text(DOTS, sheet.y - 2, tr("round 1"), HEAD)
    sheet.pen.text(STACK - 12, sheet.y - 2, tr("round {count}").format(count=count), HEAD, align="right")
    sheet.pen.text(STACK, sheet.y - 2, tr("all, stacked"), HEAD)
    sheet.y += 4
    for side in sides:
        _side(sheet, side, reach, floor)
        sheet.y += HEIGHT
    sheet.end_section(10)


def _note(proof: Proof) -> str:
    protocol = proof.row.protocol
    said = tr("Deviation from the side's own median, in run order; hairlines part the fresh processes.")
    if protocol is None:
        return said
    floor = tr("The grey band is the noise floor, ±{floor}.").format(floor=units.percent(protocol.noise_floor, 2))
    return f"{said} {floor + ' ' if protocol.noise_floor else ''}{tr('Timed')} {REGIMES[protocol.regime]}."


def _reach(groups: Groups) -> float:
    """Return half the height of the plot as a fraction: what holds 98 % of the rounds, at least 0.5 %."""
    values = [value for group in groups for value in group]
    middle = statistics.median(values)
    ordered = sorted(abs(value / middle - 1) for value in values)
    return max(0.005, ordered[int(0.98 * (len(ordered) - 1))] * 1.15)


def _side(sheet: Sheet, side: Side, reach: float, floor: float) -> None:
    name, groups, estimate, color = side
    values = [value for group in groups for value in group]
    middle = statistics.median(values)
    center, half = sheet.y + HEIGHT / 2, HEIGHT / 2 - 6
    sheet.pen.text(COLUMN, center - 3, name, STRONG, limit=DOTS - COLUMN - 6)
    sheet.pen.text(COLUMN, center + 8, units.duration(estimate.value if estimate else middle), STRONG)
    if estimate is not None:
        sheet.pen.text(COLUMN, center + 17.5, units.duration_interval(estimate.low, estimate.high), SMALL)
    band = half * min(floor / reach, 1)
    sheet.pen.bar(DOTS, center - band, (END - DOTS, 2 * band), blend("line", 0.5))
    sheet.pen.line((DOTS, center), (END, center), "dim", weight=0.4)
    for sign, share in ((-1, reach), (1, -reach)):
        sheet.pen.text(RIGHT, center + sign * half + 2.4, units.signed_percent(share), HEAD, align="right")
    shares = [[min(max((value / middle - 1) / reach, -1.0), 1.0) for value in group] for group in groups]
    _in_order(sheet, shares, (center, half), color)
    _stacked(sheet, [share for group in shares for share in group], (center, half), color)


def _in_order(sheet: Sheet, shares: Groups, place: tuple[float, float], color: str) -> None:
    center, half = place
    step = (STACK - 12 - DOTS) / sum(len(group) for group in shares)
    x = DOTS
    places: list[tuple[float, float]] = []
    for number, group in enumerate(shares):
        if number:
            sheet.pen.line((x, center - half), (x, center + half), weight=0.3)
        for share in group:
            places.append((x + step / 2, center - half * share))
            x += step
    sheet.pen.dots(places, 0.9, color)


def _stacked(sheet: Sheet, shares: Sequence[float], place: tuple[float, float], color: str) -> None:
    center, half = place
    counts = [0] * BINS
    for share in shares:
        counts[min(BINS - 1, int((share + 1) / 2 * BINS))] += 1
    step = min(2.4, (END - STACK) / max(counts))
    heights = [center - half * (2 * (index + 0.5) / BINS - 1) for index in range(BINS)]
    places = [(STACK + step * (number + 0.5), heights[index]) for index, count in enumerate(counts) for number in range(count)]
    sheet.pen.dots(places, 0.95, color)
