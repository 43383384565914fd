"""Before and after as two stacked bars on one scale, and what the application would take with a free kernel."""

from __future__ import annotations

from collections.abc import Mapping

from workbench import units
from workbench.model.ledger import Account
from workbench.reports.pdf.pen import HEAD, SMALL, STRONG, Style, ink_on, measure
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet
from workbench.texts import tr

STAGE_COLORS: Mapping[str, str] = {
    "cpu": "stage_cpu", "h2d": "stage_h2d", "kernel": "stage_kernel", "other": "stage_other", "sync": "stage_sync",
    "d2h": "stage_d2h", "alloc": "stage_alloc", "rest": "stage_rest",
}  # fmt: skip
HEIGHT = 13.4
Part = tuple[str, str, float]
"""Title, kind, seconds."""


def stage_bars(sheet: Sheet, account: Account) -> None:
    """Draw the traced repeats part by part; the kernel last, what is not attributed hatched at the end."""
    sides = [
        (account.before_name, _parts(account, "before"), account.traced_wall_before),
        (account.after_name, _parts(account, "after"), account.traced_wall_after),
    ]
    walls = [wall for _, _, wall in sides if wall]
    if not walls:
        return
    sheet.section(tr("Where time went"), _note(account), height=84 if account.alone else 130)
    scale = (RIGHT - COLUMN) / max(walls)
    top = sheet.y
    if sides[0][2]:
        _side(sheet, sides[0], scale, top)
        _connect(sheet, (sides[0][1], sides[1][1]), scale, top)
    if sides[1][2]:
        _side(sheet, sides[1], scale, top + 43)
    parts = [part for part in sides[1][1] or sides[0][1] if part[1] != "rest"]
    sheet.y = _legend(sheet, top + (37 if account.alone else 78), parts) + 9
    if account.books_gain and account.ceiling and account.traced_wall_before:
        _free(sheet, account, scale)
    sheet.end_section(14)


def _note(account: Account) -> str:
    said = tr("Milliseconds of the traced repeat.") if account.alone else tr("Milliseconds of the traced repeats, one scale.")
    thin = tr("The thin bar is predicted.") if account.alone else tr("The thin bars are predicted.")
    return f"{said} {thin}" if account.books_gain and account.ceiling else said


def _parts(account: Account, side: str) -> list[Part]:
    stages = [(stage.title, stage.kind, getattr(stage, side)) for stage in account.stages if getattr(stage, side)]
    ordered = sorted(stages, key=lambda part: (part[1] == "kernel", 0))
    rest = getattr(account, f"remainder_{side}")
    return [*ordered, (tr("not attributed"), "rest", rest)] if rest and rest > 0 else ordered


def _side(sheet: Sheet, side: tuple[str, list[Part], float | None], scale: float, top: float) -> None:
    name, parts, wall = side
    sheet.pen.text(COLUMN, top, name, STRONG, limit=220)
    end = COLUMN + (wall or 0.0) * scale
    sheet.pen.text(max(end, COLUMN + 230), top, units.duration(wall), STRONG, align="right")
    x = COLUMN
    for _, kind, seconds in parts:
        length = seconds * scale
        sheet.pen.bar(x, top + 5, (max(length - 0.6, 0.3), HEIGHT), STAGE_COLORS.get(kind, "stage_rest"), hatched=kind == "rest")
        text = units.milliseconds(seconds, 0 if seconds >= 0.02 else 1)
        style = Style(size=7.4, color=ink_on(STAGE_COLORS.get(kind, "stage_rest")))
        if kind != "rest" and measure(text, style) + 3 <= length:
            sheet.pen.text(x + length / 2, top + 14.4, text, style, align="center")
        x += length
    rest = parts[-1] if parts and parts[-1][1] == "rest" else None
    if rest is not None:
        said = tr("{time} not attributed").format(time=units.milliseconds(rest[2]))
        left = min(x + 4, RIGHT - measure(said, SMALL))
        above = x + 4 + measure(said, SMALL) <= RIGHT
        sheet.pen.text(left, top + (14.4 if above else 27), said, SMALL)


def _connect(sheet: Sheet, sides: tuple[list[Part], list[Part]], scale: float, top: float) -> None:
    """Draw thin lines from each part's end above to its end below."""
    ends = []
    for parts in sides:
        x, found = COLUMN, {}
        for title, _, seconds in parts:
            x += seconds * scale
            found[title] = x
        ends.append(found)
    for title, x in ends[0].items():
        if title in ends[1]:
            sheet.pen.line((x, top + 20), (ends[1][title], top + 33), weight=0.4)


def _legend(sheet: Sheet, y: float, parts: list[Part]) -> float:
    """Draw the colours with their stages and return the baseline of the last line."""
    x = COLUMN
    for title, kind, _ in parts:
        length = measure(title, HEAD) + 19
        if x + length > RIGHT:
            x, y = COLUMN, y + 10.5
        sheet.pen.bar(x, y - 5.4, (6, 6), STAGE_COLORS.get(kind, "stage_rest"))
        sheet.pen.text(x + 9, y, title, HEAD)
        x += length
    return y


def _free(sheet: Sheet, account: Account, scale: float) -> None:
    """Draw what Amdahl predicts from the first bar: never in green, named as predicted."""
    wall = account.traced_wall_before or 0.0
    rows = [(wall / account.ceiling, tr("free kernel"))] if account.ceiling else []
    if account.predicted_speedup:
        rows.insert(0, (wall / account.predicted_speedup, tr("all else equal")))
    for seconds, said in rows:
        sheet.pen.bar(COLUMN, sheet.y, (seconds * scale, 4.4), "line")
        text = f"{units.duration(seconds)} {said}"
        room = COLUMN + seconds * scale + 4 + measure(text, SMALL) <= RIGHT
        if not room:
            sheet.y += 9
        sheet.pen.text(
            COLUMN + seconds * scale + 4 if room else RIGHT, sheet.y + 5, text, SMALL, align="left" if room else "right"
        )
        sheet.y += 10.5
