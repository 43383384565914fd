"""The Amdahl chart: application speed-up over kernel speed-up, the ceiling, and where the versions really are."""

from __future__ import annotations

import math

from workbench import units
from workbench.model.ledger import Account
from workbench.reports.blocks import AccountBlock, AmdahlPoint
from workbench.reports.pdf.pen import HEAD, SMALL, Style, fit, measure
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet
from workbench.texts import tr

HEIGHT = 92.0
LEFT_AXIS, RIGHT_AXIS = COLUMN + 28, RIGHT - 92


class _Axes:
    """Data to points: x is log2 of the kernel's speed-up, y the application's."""

    def __init__(self, top: float, most: float, low: float, high: float) -> None:
        self.top, self.most, self.low, self.high = top, most, low, high

    def x(self, kernel: float) -> float:
        return LEFT_AXIS + (RIGHT_AXIS - LEFT_AXIS) * math.log2(max(kernel, 1.0)) / math.log2(self.most)

    def y(self, application: float) -> float:
        return self.top + HEIGHT * (self.high - application) / (self.high - self.low)


def amdahl_chart(sheet: Sheet, block: AccountBlock) -> None:
    """Draw the chart; without a ceiling (no kernel in the trace) there is none."""
    account = block.account
    wall, kernel = account.traced_wall_before, next((stage.before for stage in account.stages if stage.kind == "kernel"), None)
    if account.ceiling is None or not wall or not kernel:
        return
    rest = wall - kernel
    note = tr("{wall} ÷ ({rest} + {kernel} ÷ s). Full dots are measured. A dot under the curve paid a cost outside the kernel.")
    numbers = {"wall": units.milliseconds(wall, 0), "rest": units.milliseconds(rest, 0), "kernel": units.milliseconds(kernel, 0)}
    sheet.section(tr("Amdahl"), note.format(**numbers), height=HEIGHT + 76)
    sheet.pen.text(COLUMN, sheet.y - 2, tr("application speed-up"), HEAD)
    most = max([32.0, *(2.0 ** math.ceil(math.log2(point.kernel)) for point in block.points if point.kernel > 1)])
    lowest = min([1.0, *(point.application for point in block.points)])
    highest = max([account.ceiling, *(point.application for point in block.points)])
    margin = 0.06 * (highest - lowest) or 0.05
    axes = _Axes(sheet.y + 10, most, lowest - (margin if lowest < 1 else 0), highest + margin)
    _grid(sheet, axes)
    _curve(sheet, axes, rest, kernel)
    _ceiling(sheet, axes, account.ceiling)
    _dots(sheet, axes, block.points, account)
    sheet.y = axes.top + HEIGHT + 25
    _facts(sheet, account)
    sheet.end_section(14)


def _facts(sheet: Sheet, account: Account) -> None:
    """Draw the account's numbers in a row: shares, prediction, what was measured, and how much of the ceiling that is."""
    gain = account.speedup
    facts = (
        (f"{units.percent(account.share_before)} → {units.percent(account.share_after)}", tr("kernel's share")),
        (units.ratio(account.ceiling), tr("ceiling, predicted")),
        (units.ratio(account.predicted_speedup), tr("all else equal, predicted")),
        (f"{units.ratio(gain.value)} {units.interval(gain.low, gain.high)}", tr("measured")),
        (units.percent(account.ceiling_share, 0), tr("of the ceiling reached")),
    )
    for x, (value, label) in zip((COLUMN, 238.0, 306.0, 394.0, 472.0), facts, strict=True):
        sheet.pen.text(x, sheet.y + 4, value, Style("medium", 8.0))
        sheet.pen.text(x, sheet.y + 13, label, Style(size=6.6, color="dim"))
    sheet.y += 15


def _grid(sheet: Sheet, axes: _Axes) -> None:
    step = next(size for size in (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 1e3) if (axes.high - axes.low) / size <= 6)
    tick = math.ceil(axes.low / step) * step
    while tick <= axes.high:
        sheet.pen.line((LEFT_AXIS, axes.y(tick)), (RIGHT_AXIS, axes.y(tick)), weight=0.3)
        sheet.pen.text(
            LEFT_AXIS - 6, axes.y(tick) + 2.6, units.ratio(tick, 1 if step >= 0.1 and step != 0.25 else 2), HEAD, align="right"
        )
        tick += step
    bottom = axes.top + HEIGHT
    sheet.pen.line((LEFT_AXIS, bottom), (RIGHT_AXIS, bottom), "dim")
    power = 1
    while power <= axes.most:
        sheet.pen.line((axes.x(power), bottom), (axes.x(power), bottom + 2.5), "dim")
        sheet.pen.text(axes.x(power), bottom + 11, f"{power}{units.TIMES}", HEAD, align="center")
        power *= 2 if axes.most <= 256 else 8
    sheet.pen.text(RIGHT_AXIS + 12, bottom + 11, tr("kernel speed-up"), HEAD)


def _curve(sheet: Sheet, axes: _Axes, rest: float, kernel: float) -> None:
    steps = [axes.most ** (index / 60) for index in range(61)]
    sheet.pen.curve([(axes.x(s), axes.y((rest + kernel) / (rest + kernel / s))) for s in steps], "dim")


def _ceiling(sheet: Sheet, axes: _Axes, ceiling: float) -> None:
    y = axes.y(ceiling)
    sheet.pen.line((LEFT_AXIS, y), (RIGHT_AXIS, y), "text", dash=1.6)
    sheet.pen.text(
        RIGHT_AXIS + 5, y + 2.4, tr("{ratio} a free kernel").format(ratio=units.ratio(ceiling)), Style(size=7.4), limit=87
    )
    sheet.pen.text(RIGHT_AXIS + 5, y + 12, tr("all else equal (predicted)"), SMALL, limit=87)


def _dots(sheet: Sheet, axes: _Axes, points: tuple[AmdahlPoint, ...], account: Account) -> None:
    taken: list[tuple[float, float]] = []
    for point in points:
        x, y = axes.x(point.kernel), axes.y(point.application)
        if point.name == account.after_name and account.predicted_speedup is not None:
            hope = axes.y(account.predicted_speedup)
            if abs(y - hope) > 4:
                sheet.pen.line((x, hope), (x, y), "stage_kernel", weight=1.1)
                sheet.pen.dot(x, hope, 2.1, "dim", hollow=True)
                sheet.pen.text(x - 5, hope - 3, units.ratio(account.predicted_speedup), HEAD, align="right")
        sheet.pen.dot(x, y, 2.5, "stage_kernel")
        said = tr("{name} {ratio} measured").format(name=point.name, ratio=units.ratio(point.application))
        said = fit(said, SMALL, 170)
        down = sum(abs(y - other) < 9 and x - left < 150 for left, other in taken)
        place = (x + 6, y + 2.6 + 9 * down) if x + 6 + measure(said, SMALL) < RIGHT else (x - 6 - measure(said, SMALL), y + 10)
        baseline = point.kernel == 1.0
        sheet.pen.text(
            place[0] + (8 if baseline else 0),
            place[1] - (5 if baseline else 0),
            point.name if baseline else said,
            Style(size=7.4),
        )
        taken.append((x, y + 9 * down))
