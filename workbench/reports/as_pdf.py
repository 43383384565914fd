"""The report as PDF. reportlab is loaded here, when a PDF is asked for, and not before (0.3 s)."""

from __future__ import annotations

from workbench.reports.blocks import Document


def as_pdf(document: Document) -> bytes:
    """Return the file: A4, fonts embedded as subsets, text searchable, an outline, page x of y. Same document, same bytes."""
    from workbench.reports.pdf.pages import draw

    total = draw(document, 0).number
    return draw(document, total).finish()
