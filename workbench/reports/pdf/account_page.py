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
ROW = 15.6


def account_page(sheet: Sheet, block: AccountBlock) -> None:
    """Draw the account; a device that books no gain gets its stages and nothing that speaks of a gain."""
    account = block.account
    sheet.start(f"{account.before_name} → {account.after_name}", tr("The account"))
    sheet.title(tr("The account"), str(block.sentence))
    _stages(sheet, account)
    stage_bars(sheet, account)
    if account.books_gain:
        amdahl_chart(sheet, block)
        _next(sheet, block)


def _note(account: Account) -> str:
    said = tr("One traced repeat of each side, the one of median wall. The parts and what is left over are its wall exactly.")
    if account.tracing_factor is not None:
        said += " " + tr("Tracing factor {factor}.").format(factor=units.ratio(account.tracing_factor, 3))
    return said


def _stages(sheet: Sheet, account: Account) -> None:
    sheet.section(tr("Stages"), _note(account), height=60 + ROW * (len(account.stages) + 2))
    sheet.column_heads(
        [
            (COLUMN, "left", tr("stage")),
            (BEFORE, "right", tr("before")),
            (AFTER, "right", tr("after")),
            (CHANGE, "right", tr("change")),
            (SHARE, "right", tr("of after")),
            (BARS, "left", tr("after, tick is before")),
        ]
    )
    largest = max((seconds for stage in account.stages for seconds in (stage.before, stage.after) if seconds), default=0.0)
    for stage in account.stages:
        _row(sheet, account, stage.title, (stage.before, stage.after), (stage.kind, largest))
    _row(sheet, account, tr("Not attributed"), (account.remainder_before, account.remainder_after), ("rest", largest))
    sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), "text", weight=0.7)
    wall = (account.traced_wall_before, account.traced_wall_after)
    _numbers(sheet, tr("Wall clock, traced"), wall, wall[1], Style("bold"))
    sheet.y += ROW
    _untraced(sheet, account)
    sheet.end_section(18)


def _untraced(sheet: Sheet, account: Account) -> None:
    """Draw the measured walls, from which every speed-up of the application comes, with their intervals."""
    _numbers(sheet, tr("Wall clock, untraced"), (account.wall_before.value, account.wall_after.value), None, Style("medium"))
    sheet.y += 11.0
    for x, wall in ((BEFORE, account.wall_before), (AFTER, account.wall_after)):
        interval = f"[{units.milliseconds(wall.low)}, {units.milliseconds(wall.high)}]" if wall.low is not None else ""
        sheet.pen.text(x, sheet.y + 10, interval, Style(size=6.5, color="faint"), align="right")
    sheet.pen.text(COLUMN, sheet.y + 10, tr("medians of {repeats} repeats").format(repeats=account.repeats), SMALL)
    sheet.y += 15


def _row(sheet: Sheet, account: Account, title: str, times: tuple[float | None, float | None], place: tuple[str, float]) -> None:
    kind, largest = place
    style = Style("medium", color="accent") if kind == "kernel" else Style(color="dim" if kind == "rest" else "text")
    _numbers(sheet, title, times, account.traced_wall_after, style)
    scale = (RIGHT - BARS - 2) / largest if largest else 0.0
    before, after = times
    if after is not None:
        sheet.pen.bar(
            BARS, sheet.y + 5.1, (max(after, 0.0) * scale, 5.4), STAGE_COLORS.get(kind, "stage_rest"), hatched=kind == "rest"
        )
    if before is not None:
        at = BARS + max(before, 0.0) * scale
        sheet.pen.line((at, sheet.y + 3.2), (at, sheet.y + 12.6), "text", weight=1.0)
    sheet.y += ROW
    sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)


def _numbers(sheet: Sheet, title: str, times: tuple[float | None, float | None], whole: float | None, style: Style) -> None:
    before, after = times
    y = sheet.y + 10.9
    change = None if before is None or after is None else after - before
    share = after / whole if after is not None and whole else None
    sheet.pen.text(COLUMN, y, title, style, limit=BEFORE - COLUMN - 42)
    for x, text in ((BEFORE, _ms(before)), (AFTER, _ms(after)), (CHANGE, _ms(change, signed=True))):
        sheet.pen.text(x, y, text, style, align="right")
    if whole is not None:
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
        height=50 + ROW * len(stages),
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
    wall = block.account.traced_wall_after or 0.0
    for stage in stages:
        style = Style("medium", color="accent") if stage.kind == "kernel" else TEXT
        y = sheet.y + 10.9
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
    sheet.pen.line((BARS, sheet.y + 7.8), (end, sheet.y + 7.8), "dim" if name == "text" else name)
    sheet.pen.dot(end, sheet.y + 7.8, 2.1, "dim" if name == "text" else name, hollow=True)
