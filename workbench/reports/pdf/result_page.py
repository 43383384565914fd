"""Page 1: the claim, the two large numbers on one scale, the ledger, where and how it was measured."""

from __future__ import annotations

from collections.abc import Mapping

from workbench import units
from workbench.analysis.gate_count import count_gates
from workbench.model.ledger import LedgerLine
from workbench.reports.blocks import Figure, Row
from workbench.reports.pdf.pen import DIM, HEAD, SMALL, TEXT, Style, measure, wrap
from workbench.reports.pdf.sheet import COLUMN, LEFT, RIGHT, Sheet
from workbench.texts import tr

NAME = Style("title", 30.0, 36.0, spacing=-0.5)
HEADLINE = Style(size=14.6, leading=21.0)
NUMBER = Style("light", 64.0, spacing=-2.4)
WORD = Style("light", 34.0, spacing=-0.8)
SUFFIX = Style("light", 40.0, color="dim")
CAVEAT = Style(size=8.2, leading=13.5, color="doubt")
BAR = 7.0
FIGURES = (COLUMN, 344.0)
"""Left edges of the two large numbers."""
CHIP_COLORS: Mapping[str, str] = {
    "FASTER": "proven", "passed": "proven", "accepted": "proven", "WRONG ANSWER": "wrong", "failed": "wrong", "refused": "wrong",
    "AMBIGUOUS": "doubt", "not run": "doubt", "SLOWER": "text",
}  # fmt: skip
COLUMNS = {"kernel": 283.0, "speedup": 325.0, "application": 389.0, "gain": 431.0, "verdict": 439.0, "proof": 484.0}
NAME_ROOM = 66.0
"""Right edges of the number columns, left edges of the last two."""


def result_page(sheet: Sheet) -> None:
    """Draw the first page."""
    document = sheet.document
    versions = tr("1 version") if len(document.rows) == 1 else tr("{count} versions").format(count=len(document.rows))
    sheet.start(versions, document.title)
    sheet.y = sheet.pen.paragraph(LEFT, 96, document.title, NAME, RIGHT - LEFT)
    for line in _sentence_lines([str(part) for part in document.headline], 470):
        sheet.pen.text(LEFT, sheet.y, line, HEADLINE)
        sheet.y += HEADLINE.leading
    for caveat in document.caveats:
        sheet.y = sheet.pen.paragraph(LEFT, sheet.y - 2, str(caveat), CAVEAT, 470)
    if document.figures:
        _figures(sheet)
    _ledger(sheet)
    _environment(sheet)
    _method(sheet)
    _hash(sheet)


def _sentence_lines(sentences: list[str], length: float) -> list[str]:
    """Return the headline's lines; a sentence that fits on a line of its own is not broken."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and measure(f"{lines[-1]} {sentence}", HEADLINE) <= length:
            lines[-1] += f" {sentence}"
        else:
            lines += wrap(sentence, HEADLINE, length)
    return lines


# --- large numbers -------------------------------------------------------------------------------------------------


def _figures(sheet: Sheet) -> None:
    sheet.y += 8
    top = sheet.y
    scale = max((bar.seconds for figure in sheet.document.figures for bar in figure.bars), default=0.0)
    room = RIGHT - FIGURES[1] - 44
    for x, figure in zip(FIGURES, sheet.document.figures, strict=False):
        sheet.pen.text(x, top, str(figure.label), Style(size=8.8, color="dim"))
        style = NUMBER if scale else WORD
        foot = top + (54 if scale else 36)
        length = sheet.pen.text(x - (3 if scale else 0), foot, figure.text, style)
        sheet.pen.text(x + length + 2, foot, figure.suffix, SUFFIX)
        sheet.pen.text(x, foot + 18, figure.caption, Style(size=8.0, color="dim"))
        if scale:
            _bars(sheet, figure, (x, top + 92), room / scale)
    if scale:
        names = next(figure.bars for figure in sheet.document.figures if figure.bars)
        for index, bar in enumerate(names):
            sheet.pen.text(LEFT, top + 98 + 16 * index, bar.name, Style(size=8.0), limit=98)
        sheet.pen.text(LEFT, top + 98 + 16 * len(names), tr("blue is the kernel, one scale"), SMALL)
        sheet.y = top + 98 + 16 * len(names) + 18
    else:
        sheet.y = top + 80


def _bars(sheet: Sheet, figure: Figure, place: tuple[float, float], scale: float) -> None:
    """Draw one bar for each version; the part that is not the kernel is grey and comes first."""
    x, y = place
    for index, bar in enumerate(figure.bars):
        top = y + 16 * index
        kernel = bar.seconds if bar.kernel is None else min(bar.kernel, bar.seconds)
        sheet.pen.bar(x, top, ((bar.seconds - kernel) * scale, BAR), "line")
        sheet.pen.bar(x + (bar.seconds - kernel) * scale, top, (kernel * scale, BAR), "stage_kernel")
        sheet.pen.text(x + bar.seconds * scale + 4, top + 6.2, units.duration(bar.seconds), Style(size=8.0))
    if figure.free is not None and figure.ceiling is not None:
        at, bottom = x + figure.free * scale, y + 16 * len(figure.bars) + 10
        sheet.pen.line((at, y - 6), (at, bottom), "text", dash=1.6)
        said = tr("free kernel: {time}, {ratio} (predicted)").format(
            time=units.duration(figure.free, 3), ratio=units.ratio(figure.ceiling)
        )
        length = measure(said, SMALL)
        left_of = at - 4 - length >= x - 60
        sheet.pen.text(at - 4 - length if left_of else min(at + 4, RIGHT - length), bottom - 3, said, SMALL)


# --- ledger --------------------------------------------------------------------------------------------------------


def _ledger(sheet: Sheet) -> None:
    note = "\n".join(str(part) for part in sheet.document.ledger_note)
    sheet.section(tr("Ledger"), note, height=90)
    _ledger_heads(sheet)
    for row in sheet.document.rows:
        height = _row_height(row)
        if sheet.need(height):
            _ledger_heads(sheet)
        _ledger_row(sheet, row)
        sheet.y += height
        if row is not sheet.document.rows[-1]:
            sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)
    sheet.end_section(12)


def _ledger_heads(sheet: Sheet) -> None:
    kernel = tr("kernel") if sheet.document.books_gains else tr("kernel, CPU time")
    sheet.column_heads(
        [
            (COLUMN, "left", tr("version")),
            (COLUMNS["kernel"], "right", kernel),
            (COLUMNS["application"], "right", tr("application")),
            (COLUMNS["verdict"], "left", tr("verdict")),
            (COLUMNS["proof"], "left", tr("gates passed")),
        ]
    )


def _name_lines(row: Row) -> list[str]:
    return wrap(row.line.name, TEXT, NAME_ROOM, most=2)


def _row_height(row: Row) -> float:
    lines = max(len(_name_lines(row)) + 1, len(_proof_lines(row)), 2)
    return 17.0 + 9.6 * (lines - 1)


def _ledger_row(sheet: Sheet, row: Row) -> None:
    line, pen = row.line, sheet.pen
    style = Style("medium", color="accent") if row.leading else TEXT
    y = sheet.y + 11.5
    for index, part in enumerate(_name_lines(row)):
        pen.text(COLUMN, y + 10.4 * index, part, style)
    pen.text(COLUMN, y + 10.4 * len(_name_lines(row)) - 0.6, line.author, SMALL, limit=NAME_ROOM - 4)
    _number(
        sheet,
        "kernel",
        units.duration(line.kernel_time.value),
        units.duration_interval(line.kernel_time.low, line.kernel_time.high),
        style,
    )
    if sheet.document.books_gains:
        _number(sheet, "speedup", units.ratio(line.speedup.value), units.interval(line.speedup.low, line.speedup.high), style)
        gain = line.end_to_end_speedup
        _number(sheet, "gain", units.ratio(gain.value), units.interval(gain.low, gain.high), style)
    wall = line.end_to_end
    _number(sheet, "application", units.duration(wall.value), units.duration_interval(wall.low, wall.high), style)
    _verdict(sheet, line)
    for index, part in enumerate(_proof_lines(row)):
        pen.text(COLUMNS["proof"], y + 10.0 * index, part, TEXT if index == 0 else SMALL, limit=RIGHT - COLUMNS["proof"])


def _verdict(sheet: Sheet, line: LedgerLine) -> None:
    word = Style("medium", 7.2, color=CHIP_COLORS.get(line.chip, "dim"))
    room = COLUMNS["proof"] - COLUMNS["verdict"] - 2
    y = sheet.y + 11.5
    for part in wrap(tr(line.chip), word, room):
        sheet.pen.text(COLUMNS["verdict"], y, part, word)
        y += 9.2
    if line.confirmed is not None:
        sheet.pen.paragraph(
            COLUMNS["verdict"], y + 0.6, tr("confirmed") if line.confirmed else tr("not yet confirmed"), SMALL, room
        )


def _number(sheet: Sheet, column: str, value: str, interval: str, style: Style) -> None:
    y = sheet.y + 11.5
    sheet.pen.text(COLUMNS[column], y, value, style, align="right")
    sheet.pen.text(COLUMNS[column], y + 9.8, interval, Style(size=6.5, color="faint"), align="right")


def _proof_lines(row: Row) -> list[str]:
    line: LedgerLine = row.line
    count = count_gates(line.gates)
    lines = [count.text, *(part for part in count.beside.split(", ") if part)]
    if line.worst is not None:
        lines.append(tr("error {error}").format(error=units.scientific(line.worst.relative_error)))
    return lines


# --- environment, method, hash -------------------------------------------------------------------------------------


def _environment(sheet: Sheet) -> None:
    sheet.section(tr("Environment"))
    sheet.pairs([(str(pair.label), pair.text) for pair in sheet.document.environment])
    sheet.end_section(11)


def _method(sheet: Sheet) -> None:
    sheet.section(tr("Method"), height=100)
    for number, sentence in enumerate(sheet.document.method, 1):
        sheet.need(14)
        sheet.pen.text(COLUMN, sheet.y, f"{number}.", DIM)
        sheet.y = sheet.pen.paragraph(COLUMN + 13, sheet.y, str(sentence), TEXT, RIGHT - COLUMN - 13)
    sheet.end_section(10)


def _hash(sheet: Sheet) -> None:
    sheet.section(tr("Content hash"), height=29)
    digest = sheet.document.content_hash
    sheet.pen.text(COLUMN, sheet.y, " ".join(digest[index : index + 8] for index in range(0, 64, 8)), Style("code", 8.2))
    sheet.y += 12
    sheet.pen.text(
        COLUMN, sheet.y + 2, tr("SHA-256 of the sources, the raw timings, the gate results and the environment."), HEAD
    )
    sheet.y += 12
