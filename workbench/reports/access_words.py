"""The words of the memory access section: the same heads and cells in the PDF and in Markdown, and its CSV."""

from __future__ import annotations

import csv
import io

from workbench import units
from workbench.reports.access_blocks import AccessRow, ArrayRow
from workbench.reports.as_csv import cell
from workbench.reports.blocks import Document
from workbench.texts import tr

HEADS = ("line", "access", "requests", "each takes", "ideal", "lanes", "used", "re-read", "counted")
ARRAY_HEADS = ("array", "size", "sectors read", "distinct", "written", "L2 reads (predicted)", "L2 hits (predicted)")
CSV_HEADS = (
    "version", "hash", "line", "space", "access", "arrays", "requests", "each_takes", "ideal", "lanes", "used", "re_read",
    "counted", "text",
)  # fmt: skip


def title(row: AccessRow) -> str:
    """Return what an access is called with its arrays: `global read src`."""
    return " ".join(part for part in (tr(row.space), tr(row.kind), ", ".join(row.arrays)) if part)


def numbers(row: AccessRow) -> tuple[str, ...]:
    """Return requests, what each takes, ideal, lanes, used and re-read."""
    return (
        units.count(row.requests), mean(row.each), mean(row.ideal), mean(row.lanes), units.percent(row.used, 0),
        units.percent(row.re_read, 0),
    )  # fmt: skip


def array_numbers(row: ArrayRow) -> tuple[str, ...]:
    """Return size, sectors read, distinct and written, and the predicted reads and hit rate of the second level."""
    return (
        units.size(row.bytes or None), units.count(row.read), units.count(row.distinct), units.count(row.written),
        units.count(row.l2_reads), units.percent(row.l2_hit_rate, 0),
    )  # fmt: skip


def mean(value: float | None) -> str:
    """Return a mean of counts: three digits, whole numbers without a point."""
    if value is None:
        return units.MISSING
    return units.count(round(value)) if value >= 1000 else f"{value:.3g}"


def access_csv(document: Document) -> str:
    """Return every access of every analysed version, one row each; cells without a meaning are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(CSV_HEADS)
    for entry in document.access:
        for row in entry.rows:
            values = (
                entry.name, entry.version, row.line, row.space, row.kind, " ".join(row.arrays), row.requests, row.each, row.ideal,
                row.lanes, row.used, row.re_read, row.exactness, row.text,
            )  # fmt: skip
            writer.writerow([cell(value) for value in values])
    return text.getvalue()
