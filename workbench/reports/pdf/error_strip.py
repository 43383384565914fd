"""Every case's worst error on one logarithmic axis, as a share of what the tolerance allows."""

from __future__ import annotations

import math

from workbench import units
from workbench.reports.blocks import CaseErrors, Proof
from workbench.reports.pdf.pen import HEAD, SMALL, Style
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet
from workbench.texts import tr

AXIS = 232.0
ROW = 13.0
LOWEST = -12
"""Errors below 1e-12 of the tolerance stand at the left end, as exact ones do."""


class _Axis:
    """Share of the tolerance to points, by its power of ten."""

    def __init__(self, fractions: list[float]) -> None:
        positive = [fraction for fraction in fractions if 0 < fraction < math.inf]
        self.low = max(min(math.floor(math.log10(min(positive))), -1), LOWEST) if positive else -3
        self.high = max(1, math.ceil(math.log10(max(positive)))) if positive else 1

    def x(self, fraction: float) -> float:
        power = min(max(math.log10(fraction), self.low), self.high) if fraction > 0 else self.low
        return AXIS + (RIGHT - 18 - AXIS) * (power - self.low) / (self.high - self.low)


def strip_height(proof: Proof) -> float:
    """Return what the strip needs, points."""
    return 54 + ROW * len(proof.errors)


def error_strip(sheet: Sheet, proof: Proof) -> None:
    """Draw one line of marks for each distribution of inputs."""
    fractions = [fraction for errors in proof.errors for fraction in errors.fractions]
    largest = max(fractions)
    axis = _Axis(fractions)
    sheet.section(tr("Worst error"), _note(len(fractions), largest), height=strip_height(proof))
    top = sheet.y - 6
    for index, errors in enumerate(proof.errors):
        _marks(sheet, axis, errors, (top + ROW * index + 6, largest))
    bottom = top + ROW * len(proof.errors) + 4
    sheet.pen.line((AXIS, bottom), (RIGHT, bottom), "dim")
    for power in range(axis.low, axis.high + 1, max(1, (axis.high - axis.low) // 6)):
        at = axis.x(10.0**power)
        sheet.pen.line((at, bottom), (at, bottom + 2.5), "dim")
        sheet.pen.text(at, bottom + 10.5, units.percent(10.0**power, max(0, -power - 2)), HEAD, align="center")
    sheet.pen.line((axis.x(1.0), top - 2), (axis.x(1.0), bottom), "text", weight=0.9)
    sheet.pen.text(axis.x(1.0) - 4, top + 0.5, tr("allowed"), SMALL, align="right")
    sheet.y = bottom + 22
    sheet.end_section(12)


def _marks(sheet: Sheet, axis: _Axis, errors: CaseErrors, place: tuple[float, float]) -> None:
    y, largest = place
    sheet.pen.text(COLUMN, y + 2.5, errors.distribution, Style(size=7.8, color="dim"), limit=AXIS - COLUMN - 6)
    sheet.pen.line((AXIS, y), (RIGHT, y), weight=0.3)
    for fraction in errors.fractions:
        name = "wrong" if fraction > 1 else "stage_kernel" if fraction == largest else "dim"
        at = axis.x(fraction)
        sheet.pen.line((at, y - 3.6), (at, y + 3.6), name, weight=1.3 if name != "dim" else 0.8)


def _note(cases: int, largest: float) -> str:
    said = tr("Each mark is the worst element of one case, as a share of its tolerance. Cases: {cases}.").format(cases=cases)
    if largest > 1:
        return said + " " + tr("At least one is outside.")
    if largest == 0:
        return said + " " + tr("All are exact.")
    return said + " " + tr("The worst is {factor} times inside.").format(factor=units.significant(1 / largest, 2))
