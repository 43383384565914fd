"""Prints a session's ledger as PDF, Markdown, CSV or JSON."""

from __future__ import annotations

from pathlib import Path

from workbench import VERSION
from workbench.commands.context import SessionStore
from workbench.commands.read_ledger import ledger_of
from workbench.reports.document import Document, ReportInput, build_document
from workbench.reports.write import write_report


def report_document(store: SessionStore, device: str | None) -> Document:
    """Return what a report of a session on a device says. Raises WrongInput when it has no runs there."""
    ledger = ledger_of(store, device)
    program = f"kernel-ledger {VERSION}"
    return build_document(
        ReportInput(
            ledger, tuple(store.versions()), tuple(store.latest_runs()), tuple(store.suggestions()), store.project(), program
        )
    )


def write_session_report(store: SessionStore, target: Path, device: str | None) -> Path:
    """Write the report of a session on a device; the ending of `target` decides the form. Raises WrongInput."""
    write_report(report_document(store, device), target)
    return target
