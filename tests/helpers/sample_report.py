"""SYNTHETIC reports: the document of a sample session, as the commands make it from a real one."""

from __future__ import annotations

from collections.abc import Sequence

from tests.helpers import sample_session as sample
from workbench.analysis.ledger import build_ledger
from workbench.model.run import Run
from workbench.model.version import Version
from workbench.reports.document import Document, ReportInput, build_document


def report_input(runs: Sequence[Run], device: str, versions: Sequence[Version] | None = None) -> ReportInput:
    """Return what a report of these runs is made from."""
    known = tuple(versions if versions is not None else sample.sample_versions())
    ledger = build_ledger(sample.sample_project(), known, runs, device)
    return ReportInput(ledger, known, tuple(runs), sample.sample_suggestions(), sample.sample_project(), "kernel-ledger test")


def gpu_document(*, confirmed: bool = True) -> Document:
    """Return the report of the GPU session."""
    return build_document(report_input(sample.gpu_runs(confirmed=confirmed), "cuda:0"))


def emulator_document() -> Document:
    """Return the report of the emulator session."""
    return build_document(report_input(sample.emulator_runs(), "emulator"))
