"""Page 2: the account. Where the time of the application is, before and after, and what a better kernel could still give."""

from __future__ import annotations

from workbench import units
from workbench.model.ledger import Account, NextStage
from workbench.reports.blocks import AccountBlock
from workbench.reports.pdf.amdahl_chart import amdahl_chart
from workbench.reports.pdf.pen import SMALL, TEXT, Style
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet
from workbench.reports.pdf.stage_bars import STAGE_COLORS, stage_bars
from workbench.texts import tr

BEFORE, AFTER, CHANGE, SHARE, BARS = 304.0, 356.0, 408.0, 448.0, 458.0
ROW = 14.4


def account_page(sheet: Sheet, block: AccountBlock) -> None:
    """Draw the account; a device that books no gain gets its stages and nothing that speaks of a gain."""
    account = block.account
    sheet.start(account.before_name if account.alone else f"{account.before_name} → {account.after_name}", tr("The account"))
    sheet.title(tr("The account"), str(block.sentence))
    _stages(sheet, block)
    stage_bars(sheet, account)
    if account.books_gain:
        amdahl_chart(sheet, block)
        _next(sheet, block)


def _note(block: AccountBlock) -> str:
    account = block.account
    said = tr(
        "One traced repeat of each side, both of one interleaved pair. The parts and what is left over are its wall exactly."
    )
    if account.alone:
        said = tr("One traced repeat. The parts and what is left over are its wall exactly.")
    if account.tracing_factor is not None:
        said += " " + tr("Tracing factor {factor}.").format(factor=units.ratio(account.tracing_factor, 3))
    return "\n".join([said, *(str(note) for note in block.notes)])


def _heads(account: Account) -> list[tuple[float, str, str]]:
    if account.alone:
        numbers = [(AFTER, "right", tr("time")), (SHARE, "right", tr("of wall")), (BARS, "left", tr("time"))]
    else:
        numbers = [
            (BEFORE, "right", tr("before")),
            (AFTER, "right", tr("after")),
            (CHANGE, "right", tr("change")),
            (SHARE, "right", tr("of after")),
            (BARS, "left", tr("after, tick is before")),
        ]
    return [(COLUMN, "left", tr("stage")), *numbers]


def _stages(sheet: Sheet, block: AccountBlock) -> None:
    account = block.account
    sheet.section(tr("Stages"), _note(block), height=60 + ROW * (len(account.stages) + 2))
    sheet.column_heads(_heads(account))
    largest = max((seconds for stage in account.stages for seconds in (stage.before, stage.after) if seconds), default=0.0)
    for stage in account.stages:
        _row(sheet, account, stage.title, (stage.before, stage.after), (stage.kind, largest))
    _row(sheet, account, tr("Not attributed"), (account.remainder_before, account.remainder_after), ("rest", largest))
    sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), "text", weight=0.7)
    wall = (account.traced_wall_before, account.traced_wall_after)
    _numbers(sheet, account, tr("Wall clock, traced"), wall, Style("bold"))
    sheet.y += ROW
    _untraced(sheet, account)
    sheet.end_section(15)


def _untraced(sheet: Sheet, account: Account) -> None:
    """Draw the measured walls with their intervals; the change is the time saved by interleaved pairs."""
    title = tr("Wall clock, untraced")
    style = Style("medium")
    y = sheet.y + 10.9
    sheet.pen.text(COLUMN, y, title, style)
    sheet.pen.text(COLUMN, y + 9.6, tr("medians of {repeats} repeats").format(repeats=account.repeats), SMALL)
    walls = [(AFTER, account.wall_before)] if account.alone else [(BEFORE, account.wall_before), (AFTER, account.wall_after)]
    for x, wall in walls:
        interval = f"[{units.milliseconds(wall.low)}, {units.milliseconds(wall.high)}]" if wall.low is not None else ""
        sheet.pen.text(x, y, _ms(wall.value), style, align="right")
        sheet.pen.text(x, y + 9.6, interval, Style(size=6.5, color="faint"), align="right")
    saved = account.time_saved.value
    if saved is not None:
        sheet.pen.text(CHANGE, y, _ms(-saved, signed=True), style, align="right")
        sheet.pen.text(CHANGE, y + 9.6, tr("of pairs"), Style(size=6.5, color="faint"), align="right")
    sheet.y += 25


def _row(sheet: Sheet, account: Account, title: str, times: tuple[float | None, float | None], place: tuple[str, float]) -> None:
    kind, largest = place
    style = Style("medium", color="accent") if kind == "kernel" else Style(color="dim" if kind == "rest" else "text")
    _numbers(sheet, account, title, times, style)
    scale = (RIGHT - BARS - 2) / largest if largest else 0.0
    before, after = (None, times[0]) if account.alone else times
    if after is not None:
        sheet.pen.bar(
            BARS, sheet.y + 4.6, (max(after, 0.0) * scale, 5.4), STAGE_COLORS.get(kind, "stage_rest"), hatched=kind == "rest"
        )
    if before is not None:
        at = BARS + max(before, 0.0) * scale
        sheet.pen.line((at, sheet.y + 2.7), (at, sheet.y + 12.1), "text", weight=1.0)
    sheet.y += ROW
    sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)


def _numbers(sheet: Sheet, account: Account, title: str, times: tuple[float | None, float | None], style: Style) -> None:
    """Draw one row of times: a baseline's own in one column, else before, after, change; last the share of the wall."""
    before, after = times
    y = sheet.y + 10.4
    whole = account.traced_wall
    counted = before if account.alone else after
    sheet.pen.text(COLUMN, y, title, style, limit=BEFORE - COLUMN - 42)
    if account.alone:
        sheet.pen.text(AFTER, y, _ms(before), style, align="right")
    else:
        change = None if before is None or after is None else after - before
        for x, text in ((BEFORE, _ms(before)), (AFTER, _ms(after)), (CHANGE, _ms(change, signed=True))):
            sheet.pen.text(x, y, text, style, align="right")
    share = counted / whole if counted is not None and whole else None
    sheet.pen.text(SHARE, y, units.percent(share), style, align="right")


def _ms(seconds: float | None, *, signed: bool = False) -> str:
    if seconds is None:
        return units.MISSING
    return f"{units.signed_milliseconds(seconds) if signed else units.milliseconds(seconds)} ms"


def _next(sheet: Sheet, block: AccountBlock) -> None:
    stages = _shown(block.account)
    if not stages:
        return
    sheet.section(
        tr("What next"),
        tr("Ceilings if a stage were free, all else equal: predicted, not promised."),
        height=40 + ROW * len(stages),
    )
    if block.next_sentence is not None:
        sheet.y = sheet.pen.paragraph(COLUMN, sheet.y, str(block.next_sentence), TEXT, RIGHT - COLUMN) + 3
    sheet.column_heads(
        [
            (COLUMN, "left", tr("stage")),
            (BEFORE, "right", tr("costs now")),
            (AFTER + 24, "right", tr("app if free")),
            (SHARE, "right", tr("ceiling")),
        ]
    )
    widest = max(stage.ceiling for stage in stages) - 1
    wall = block.account.traced_wall or 0.0
    for stage in stages:
        style = Style("medium", color="accent") if stage.kind == "kernel" else TEXT
        y = sheet.y + 10.4
        sheet.pen.text(COLUMN, y, stage.title, style, limit=BEFORE - COLUMN - 42)
        sheet.pen.text(BEFORE, y, _ms(stage.seconds), style, align="right")
        sheet.pen.text(AFTER + 24, y, _ms(wall - stage.seconds), style, align="right")
        sheet.pen.text(SHARE, y, units.ratio(stage.ceiling), style, align="right")
        _lollipop(sheet, (stage.ceiling - 1) / widest if widest > 0 else 0.0, style.color)
        sheet.y += ROW
        sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)
    sheet.end_section()


def _shown(account: Account) -> list[NextStage]:
    """Return the stages with the highest ceilings, the kernel always among them."""
    kernel = [stage for stage in account.next_stages if stage.kind == "kernel"]
    others = [stage for stage in account.next_stages if stage.kind != "kernel"]
    return sorted([*others[: 5 - len(kernel)], *kernel], key=lambda stage: -stage.ceiling)


def _lollipop(sheet: Sheet, share: float, name: str) -> None:
    end = BARS + share * (RIGHT - BARS - 8)
    sheet.pen.line((BARS, sheet.y + 7.3), (end, sheet.y + 7.3), "dim" if name == "text" else name)
    sheet.pen.dot(end, sheet.y + 7.3, 2.1, "dim" if name == "text" else name, hollow=True)
