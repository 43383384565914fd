"""The last page: what the report does not show, and the hash of every version."""

from __future__ import annotations

from workbench.reports.pdf.pen import TEXT, Style
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet
from workbench.texts import tr


def limits_page(sheet: Sheet) -> None:
    """Draw the limits and the hashes."""
    document = sheet.document
    sheet.start(tr("limits and hashes"), tr("Limits and hashes"))
    sheet.title(tr("What this does not show"), tr("A gate that was not run proves nothing, and is not counted as passed."))
    sheet.section(tr("Limits"))
    for sentence in document.limits:
        sheet.need(30)
        sheet.y = sheet.pen.paragraph(COLUMN, sheet.y, str(sentence), TEXT, RIGHT - COLUMN) + 4
    sheet.end_section()
    sheet.section(tr("Versions"), tr("SHA-256 over source, launch and options."))
    for name, digest in document.hashes.items():
        sheet.need(24)
        sheet.pen.text(COLUMN, sheet.y, name, TEXT, limit=RIGHT - COLUMN)
        sheet.pen.text(COLUMN, sheet.y + 10, digest, Style("code", 7.6, color="dim"))
        sheet.y += 24
    sheet.end_section()
