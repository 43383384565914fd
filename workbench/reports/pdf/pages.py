"""All pages in order."""

from __future__ import annotations

from workbench.reports.blocks import Document
from workbench.reports.pdf.access_page import access_page
from workbench.reports.pdf.account_page import account_page
from workbench.reports.pdf.change_page import change_page
from workbench.reports.pdf.limits_page import limits_page
from workbench.reports.pdf.proof_page import proof_page
from workbench.reports.pdf.result_page import result_page
from workbench.reports.pdf.sheet import Sheet


def draw(document: Document, total: int) -> Sheet:
    """Draw the whole report; `total` is the number of pages, 0 while it is being counted."""
    sheet = Sheet(document, total)
    sheet.canvas.setTitle(f"{document.title}: kernel ledger report")
    sheet.canvas.setAuthor(document.program)
    sheet.canvas.setSubject(" ".join(str(part) for part in document.headline))
    sheet.canvas.setCreator(document.program)
    result_page(sheet)
    if document.account is not None:
        account_page(sheet, document.account)
    source = {change.hash: change for change in document.changes}
    access = {entry.version: entry for entry in document.access}
    for proof in document.proofs:
        proof_page(sheet, proof)
        if proof.row.line.version in access:
            access_page(sheet, access.pop(proof.row.line.version))
        if proof.row.line.version in source:
            change_page(sheet, source[proof.row.line.version])
    for entry in access.values():  # analysed, and never run on the report's device
        access_page(sheet, entry)
    limits_page(sheet)
    return sheet
