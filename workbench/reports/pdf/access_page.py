"""A page for each analysed version: how its lines touch memory, its arrays with the predicted L2, totals by metric name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from workbench import units
from workbench.reports.access_blocks import AccessRow, MemoryAccess
from workbench.reports.access_words import array_numbers, numbers, title
from workbench.reports.pdf.pen import CODE, SMALL, TEXT, Style, wrap
from workbench.reports.pdf.sheet import BOTTOM, COLUMN, RIGHT, TOP, Sheet
from workbench.texts import tr

NUMBER = COLUMN + 14
"""Right edge of the line's number."""
START = NUMBER + 8
EDGES = (322.0, 368.0, 396.0, 424.0, 456.0, 488.0)
"""Right edges of requests, each takes, ideal, lanes, used and re-read."""
COUNTED = 496.0
ROW, SOURCE = 12.4, 12.8
CELL = Style(size=8.0, leading=11.0)
ARRAY_EDGES = (262.0, 316.0, 354.0, 394.0, 474.0, RIGHT)
METRIC = Style("code", 6.6, 10.0)
TOTAL = 11.4


def access_page(sheet: Sheet, entry: MemoryAccess) -> None:
    """Draw one version's memory access."""
    name = tr("Memory access of {name}").format(name=entry.name)
    sheet.start(f"{entry.name} {units.short_hash(entry.version)}", name, 1)
    compared = " " + tr("Compared with {list}.").format(list=entry.machine) if entry.machine else ""
    sheet.title(name, f"{entry.traced}{compared}")
    _lines(sheet, entry)
    _notes(sheet, entry)
    if entry.arrays:
        sheet.need(min(_arrays_height(entry) + _totals_height(entry), BOTTOM - TOP))  # the totals never stand on a page alone
        _arrays(sheet, entry)
    if entry.totals:
        _totals(sheet, entry)


def _line_heads(sheet: Sheet) -> None:
    words = ("requests", "each takes", "ideal", "lanes", "used", "re-read")
    heads = [(edge, "right", tr(word)) for edge, word in zip(EDGES, words, strict=True)]
    sheet.column_heads([(NUMBER, "right", tr("line")), (START, "left", tr("access")), *heads, (COUNTED, "left", tr("counted"))])


def _lines(sheet: Sheet, entry: MemoryAccess) -> None:
    note = tr(
        "Each takes: sectors of 32 bytes a request, for shared memory wavefronts. Exact: as the compiler's own list of accesses. "
        "Re-read: what a cache could save."
    )
    sheet.section(tr("By source line"), note)
    _line_heads(sheet)
    if not entry.rows:
        sheet.pen.text(COLUMN, sheet.y + 12, tr("The traced blocks touch no memory that is counted."), SMALL)
        sheet.y += 17
    for _, group in groupby(entry.rows, key=lambda row: row.line):
        rows = list(group)
        if sheet.need(SOURCE + ROW * len(rows) + 4):
            _line_heads(sheet)
        _line(sheet, rows)
    sheet.end_section(16)


def _line(sheet: Sheet, rows: Sequence[AccessRow]) -> None:
    """Draw a line's source, cut with an ellipsis where it is too long, and a row for each of its accesses."""
    first = rows[0]
    sheet.pen.text(NUMBER, sheet.y + 10, str(first.line) if first.line else units.MISSING, Style("code", 6.2, color="faint"),
                   align="right")  # fmt: skip
    source = " ".join(first.text.split()) or tr("no line of this file")
    sheet.pen.text(START, sheet.y + 10, source, Style(CODE.face, CODE.size, color="dim"), limit=RIGHT - START)
    sheet.y += SOURCE
    for row in rows:
        y = sheet.y + 8.6
        sheet.pen.text(START, y, title(row), CELL, limit=EDGES[0] - START - 34)
        for edge, number in zip(EDGES, numbers(row), strict=True):
            sheet.pen.text(edge, y, number, CELL, align="right")
        color = "text" if row.exactness == "exact" else "dim"
        sheet.pen.text(COUNTED, y, tr(row.exactness), Style(size=7.2, color=color), limit=RIGHT - COUNTED)
        sheet.y += ROW
    sheet.y += 2
    sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)


def _notes(sheet: Sheet, entry: MemoryAccess) -> None:
    said = [str(note) for note in (*entry.reasons, *entry.notes)]
    if not said:
        return
    sheet.section(tr("What to know"), tr("A line that is source-level says why.") if entry.reasons else "", height=40)
    for note in said:
        sheet.need(SMALL.leading * len(wrap(note, SMALL, RIGHT - COLUMN)))
        sheet.y = sheet.pen.paragraph(COLUMN, sheet.y, note, SMALL, RIGHT - COLUMN) + 2
    sheet.end_section(14)


def _arrays(sheet: Sheet, entry: MemoryAccess) -> None:
    note = str(entry.cache) if entry.cache is not None else tr("No cache was predicted.")
    sheet.section(tr("Arrays"), note, height=40 + ROW * min(len(entry.arrays), 8))
    _array_heads(sheet)
    for array in entry.arrays:
        if sheet.need(ROW + 2):
            _array_heads(sheet)
        y = sheet.y + 10
        sheet.pen.text(COLUMN, y, array.name, Style(CODE.face, 7.2), limit=56)
        for edge, number in zip(ARRAY_EDGES, array_numbers(array), strict=True):
            sheet.pen.text(edge, y, number, CELL, align="right")
        sheet.y += ROW + 2
        sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)
    sheet.end_section(14)


def _arrays_height(entry: MemoryAccess) -> float:
    return 60 + (ROW + 2) * len(entry.arrays)


def _totals_height(entry: MemoryAccess) -> float:
    return 30 + TOTAL * len(entry.totals)


def _array_heads(sheet: Sheet) -> None:
    words = ("size", "sectors read", "distinct", "written", "L2 reads, predicted", "hits, predicted")
    heads = [(edge, "right", tr(word)) for edge, word in zip(ARRAY_EDGES, words, strict=True)]
    sheet.column_heads([(COLUMN, "left", tr("array")), *heads])


def _totals(sheet: Sheet, entry: MemoryAccess) -> None:
    note = tr("Under Nsight Compute's names, of the traced blocks. What only a GPU knows is missing.")
    sheet.section(tr("Totals"), note, height=_totals_height(entry))
    for metric, value in entry.totals.items():
        sheet.need(TOTAL)
        sheet.pen.text(COLUMN, sheet.y, metric, METRIC, limit=RIGHT - COLUMN - 70)
        missing = value is None
        word = tr("missing") if missing else units.count(value)
        sheet.pen.text(RIGHT, sheet.y, word, Style(TEXT.face, 8.0, color="faint" if missing else "text"), align="right")
        sheet.y += TOTAL
    sheet.end_section()
