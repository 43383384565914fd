"""The Amdahl chart: application speed-up over kernel speed-up, the ceiling, and where the versions really are."""

from __future__ import annotations

import math

from workbench import units
from workbench.model.ledger import Account
from workbench.reports.blocks import AccountBlock
from workbench.reports.pdf.labels import Labels
from workbench.reports.pdf.pen import HEAD, SMALL, Style, fit
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet
from workbench.texts import tr

HEIGHT = 86.0
LABEL = Style(size=7.4)
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
    note = tr(
        "{wall} ÷ ({rest} + {kernel} ÷ s). Full dots are measured, each against its own baseline; the curve is of the last. "
        "A dot under it paid outside the kernel."
    )
    numbers = {"wall": units.milliseconds(wall, 0), "rest": units.milliseconds(rest, 0), "kernel": units.milliseconds(kernel, 0)}
    sheet.section(tr("Amdahl"), note.format(**numbers), height=HEIGHT + 66)
    sheet.pen.text(COLUMN, sheet.y - 2, tr("application speed-up"), HEAD)
    most = max([32.0, *(2.0 ** math.ceil(math.log2(point.kernel)) for point in block.points if point.kernel > 1)])
    lowest = min([1.0, *(point.application for point in block.points)])
    highest = max([account.ceiling, *(point.application for point in block.points)])
    margin = 0.06 * (highest - lowest) or 0.05
    axes = _Axes(sheet.y + 10, most, lowest - (margin if lowest < 1 else 0), highest + margin)
    _grid(sheet, axes)
    curve = _curve(axes, rest, kernel)
    sheet.pen.curve(curve, "dim")
    _ceiling(sheet, axes, account.ceiling)
    _dots(sheet, axes, block, curve)
    sheet.y = axes.top + HEIGHT + 23
    _facts(sheet, account)
    sheet.end_section(12)


def _facts(sheet: Sheet, account: Account) -> None:
    """Draw the account's numbers in a row: shares, prediction, what was measured, and how much of the ceiling that is."""
    gain = account.speedup
    if account.alone:
        _fact(sheet, COLUMN, units.percent(account.share_before), tr("kernel's share"))
        _fact(sheet, 238.0, units.ratio(account.ceiling), tr("ceiling, predicted"))
        sheet.y += 15
        return
    facts = (
        (f"{units.percent(account.share_before)} → {units.percent(account.share_after)}", tr("kernel's share")),
        (units.ratio(account.ceiling), tr("ceiling, predicted")),
        (units.ratio(account.predicted_speedup), tr("all else equal, predicted")),
        (f"{units.ratio(gain.value)} {units.interval(gain.low, gain.high)}", tr("measured")),
        (units.percent(account.ceiling_share, 0), tr("of the ceiling reached")),
    )
    for x, (value, label) in zip((COLUMN, 230.0, 290.0, 370.0, 472.0), facts, strict=True):
        _fact(sheet, x, value, label)
    sheet.y += 15


def _fact(sheet: Sheet, x: float, value: str, label: str) -> None:
    sheet.pen.text(x, sheet.y + 4, value, Style("medium", 8.0))
    sheet.pen.text(x, sheet.y + 13, label, Style(size=6.6, color="dim"))


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


def _curve(axes: _Axes, rest: float, kernel: float) -> list[tuple[float, float]]:
    steps = [axes.most ** (index / 60) for index in range(61)]
    return [(axes.x(s), axes.y((rest + kernel) / (rest + kernel / s))) for s in steps]


def _ceiling(sheet: Sheet, axes: _Axes, ceiling: float) -> None:
    y = axes.y(ceiling)
    sheet.pen.line((LEFT_AXIS, y), (RIGHT_AXIS, y), "text", dash=1.6)
    sheet.pen.text(
        RIGHT_AXIS + 5, y + 2.4, tr("{ratio} a free kernel").format(ratio=units.ratio(ceiling)), Style(size=7.4), limit=87
    )
    sheet.pen.text(RIGHT_AXIS + 5, y + 12, tr("all else equal (predicted)"), SMALL, limit=87)


def _dots(sheet: Sheet, axes: _Axes, block: AccountBlock, curve: list[tuple[float, float]]) -> None:
    """Draw every dot, then every label where it covers no dot, no other label and not the curve."""
    account, points = block.account, block.points
    labels = Labels((LEFT_AXIS + 2, axes.top - 8, RIGHT, axes.top + HEIGHT - 1))
    places = [(axes.x(point.kernel), axes.y(point.application)) for point in points]
    for place in places:
        labels.keep_free(place, 3.5)
    for place in curve:
        labels.keep_free(place, 2.0)
    labels.take((RIGHT_AXIS + 3, axes.y(account.ceiling or 1.0) - 5, RIGHT, axes.y(account.ceiling or 1.0) + 14))
    for point, (x, y) in zip(points, places, strict=True):
        if point.name == account.after_name and account.predicted_speedup is not None and not account.alone:
            hope = axes.x(account.traced_kernel_speedup or point.kernel), axes.y(account.predicted_speedup)
            if abs(x - hope[0]) + abs(y - hope[1]) > 4:
                sheet.pen.line(hope, (x, y), "stage_kernel", weight=1.1)
                sheet.pen.dot(*hope, 2.1, "dim", hollow=True)
                labels.keep_free(hope, 3.5)
                labels.put(sheet.pen, hope, units.ratio(account.predicted_speedup), HEAD, first="left")
        sheet.pen.dot(x, y, 2.5, "stage_kernel")
    for point, place in zip(points, places, strict=True):
        said = tr("{name} {ratio} measured").format(name=point.name, ratio=units.ratio(point.application))
        labels.put(sheet.pen, place, point.name if point.kernel == 1.0 else fit(said, LABEL, 170), LABEL)
