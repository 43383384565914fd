"""The diff of each version against its parent, with line numbers, hunks and simple colours."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import units
from workbench.reports.blocks import Change, DiffLine
from workbench.reports.pdf.highlight import Piece, highlighted
from workbench.reports.pdf.pen import CODE, LABEL, SMALL, TEXT, Style, blend, longest
from workbench.reports.pdf.sheet import COLUMN, LEFT, RIGHT, Sheet
from workbench.texts import tr

NUMBERS, SIGN, START = (98.0, 117.0), 123.0, 132.0
LINE = 10.4
FEW = 4
GROUNDS = {"added": ("accent", 0.11), "removed": ("text", 0.08)}
SIGNS = {"added": "+", "removed": "−"}


def change_page(sheet: Sheet, change: Change) -> None:
    """Draw one version's change; a baseline shows its source."""
    sheet.start(f"{change.name} {units.short_hash(change.hash)}", tr("Source of {name}").format(name=change.name), 1)
    if change.parent is None:
        sheet.title(tr("The baseline"), f"{change.name}. {change.author}")
    else:
        lead = tr("{name}, from {parent}. {author}").format(name=change.name, parent=change.parent, author=change.author)
        sheet.title(tr("The change"), lead)
    if change.hypothesis:
        sheet.section(tr("Hypothesis"), tr("Written before the run."))
        sheet.y = sheet.pen.paragraph(COLUMN, sheet.y, change.hypothesis, TEXT, RIGHT - COLUMN)
        if change.metric:
            said = tr("The metric that would confirm it: {metric}").format(metric=change.metric)
            sheet.y = sheet.pen.paragraph(COLUMN, sheet.y, said, SMALL, RIGHT - COLUMN)
        sheet.end_section(14)
    _file(sheet, change)


def _file(sheet: Sheet, change: Change) -> None:
    sheet.need(60)
    sheet.pen.line((LEFT, sheet.y), (RIGHT, sheet.y))
    sheet.pen.text(LEFT, sheet.y + 16, change.file, LABEL, limit=300)
    counts = f"+{change.added} −{change.removed} {tr('lines')}   {units.short_hash(change.hash)}"
    sheet.pen.text(RIGHT, sheet.y + 16, counts if change.parent else units.short_hash(change.hash), SMALL, align="right")
    sheet.y += 26
    hunk = 0
    for index, (line, pieces) in enumerate(zip(change.lines, _colored(change.lines), strict=True)):
        if change.parent is not None and not sheet.fits(LINE) and _only_context(change.lines[index:]):
            count = len(change.lines) - index
            said = tr("… 1 unchanged line") if count == 1 else tr("… {count} unchanged lines").format(count=count)
            sheet.pen.text(START, sheet.y + 7.4, said, SMALL)
            break
        sheet.need(LINE)
        if line.hunk and line.hunk != hunk:
            sheet.pen.text(LEFT, sheet.y + 7.4, tr("hunk {number}").format(number=line.hunk), SMALL)
        hunk = line.hunk or hunk
        _line(sheet, line, pieces)
        sheet.y += LINE
    sheet.end_section()


def _only_context(lines: Sequence[DiffLine]) -> bool:
    """True for a few unchanged lines at the end of a change: no page of their own is turned for them."""
    return len(lines) <= FEW and all(line.kind == "same" for line in lines)


def _colored(lines: Sequence[DiffLine]) -> list[list[Piece]]:
    """Colour the new and the old text each as one, so that comments over several lines stay comments."""
    new = iter(highlighted([line.text for line in lines if line.kind != "removed"]))
    old = iter(highlighted([line.text for line in lines if line.kind != "added"]))
    found = []
    for line in lines:
        from_old = next(old) if line.kind != "added" else []
        from_new = next(new) if line.kind != "removed" else []
        found.append(from_old if line.kind == "removed" else from_new)
    return found


def _line(sheet: Sheet, line: DiffLine, pieces: Sequence[Piece]) -> None:
    base = sheet.y + 7.4
    if line.kind == "gap":
        sheet.pen.text(START, base, tr("… {count} unchanged lines").format(count=line.text), SMALL)
        return
    if line.kind in GROUNDS:
        _ground(sheet, line.kind)
        sheet.pen.text(SIGN, base, SIGNS[line.kind], Style("code", 6.6, color="accent" if line.kind == "added" else "dim"))
    for x, number in zip(NUMBERS, (line.old, line.new), strict=True):
        if number is not None:
            sheet.pen.text(x, base, str(number), Style("code", 5.8, color="faint"), align="right")
    _code(sheet, line.kind, pieces)


def _ground(sheet: Sheet, kind: str) -> None:
    if kind in GROUNDS:
        sheet.pen.bar(SIGN - 3, sheet.y, (RIGHT - SIGN + 3, LINE), blend(*GROUNDS[kind]))


def _code(sheet: Sheet, kind: str, pieces: Sequence[Piece]) -> None:
    """Draw a line of code; one too long for the page goes on below it, so that nothing of the evidence is cut off."""
    x = START
    for name, text in pieces:
        style = Style(CODE.face, CODE.size, color=name)
        rest = text.replace("\t", "    ")
        while rest:
            head = longest(rest, style, RIGHT - x)
            if not head:
                sheet.y += LINE
                sheet.need(LINE)
                _ground(sheet, kind)
                x = START + 8
                continue
            x += sheet.pen.text(x, sheet.y + 7.4, head, style)
            rest = rest[len(head) :]
