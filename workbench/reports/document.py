"""The one document model behind every format: pure, from values to values."""

from __future__ import annotations

from workbench.analysis.standing import deciding_run, timing_of
from workbench.analysis.verdict import compare_versions
from workbench.model.ledger import Comparison, LedgerLine
from workbench.model.run import Run, TimingData
from workbench.reports.access_blocks import memory_access
from workbench.reports.account_block import account_block
from workbench.reports.blocks import Document, Protocol, ReportInput, Row
from workbench.reports.changes import changes
from workbench.reports.content_hash import content_hash
from workbench.reports.proofs import proofs
from workbench.reports.result import caveats, figures, headline, leading_line, ledger_note
from workbench.reports.setting import environment, limits, method

__all__ = ["Document", "ReportInput", "build_document"]


def build_document(session: ReportInput) -> Document:
    """Return the report of one session on one device. Nothing is computed here that the ledger does not say."""
    ledger = session.ledger
    lead = leading_line(ledger)
    rows = tuple(_row(session, line, lead) for line in ledger.lines)
    return Document(
        title=ledger.project or ledger.device_title,
        goal=ledger.goal,
        date=session.date,
        program=session.program,
        device=ledger.device,
        device_title=ledger.device_title,
        books_gains=ledger.books_gains,
        headline=headline(ledger, lead),
        caveats=caveats(ledger, lead),
        figures=figures(ledger, lead),
        rows=rows,
        ledger_note=ledger_note(rows, ledger),
        environment=environment(session),
        method=method(session, rows),
        content_hash=content_hash(session),
        tries=ledger.tries,
        account=account_block(ledger),
        proofs=proofs(session, rows),
        changes=changes(session),
        hashes={version.name: version.hash for version in session.versions},
        limits=limits(session),
        access=memory_access(session.versions, session.runs),
    )


def _row(session: ReportInput, line: LedgerLine, lead: LedgerLine | None) -> Row:
    names = {version.hash: version.name for version in session.versions}
    run = deciding_run(session.runs, line.version, line.device)
    timing = timing_of(run) if run and line.kernel_time.value is not None else None
    return Row(
        line=line,
        parent=names.get(line.parent or ""),
        protocol=_protocol(timing, _compared(session, line, run, names)) if timing else None,
        leading=lead is not None and line.version == lead.version,
    )


def _compared(session: ReportInput, line: LedgerLine, run: Run | None, names: dict[str, str]) -> Comparison | None:
    timing = timing_of(run) if run else None
    if timing is None:
        return None
    return compare_versions(
        session.runs, timing.a_hash, line.version, device=line.device, books_gain=session.ledger.books_gains, names=names
    )


def _protocol(timing: TimingData, comparison: Comparison | None) -> Protocol:
    return Protocol(
        regime=timing.regime,
        clock=timing.clock.name,
        rounds=sum(len(group.b) for group in timing.groups),
        groups=len(timing.groups),
        margin=comparison.margin if comparison else None,
        noise_floor=comparison.noise_floor if comparison else None,
        set_aside=sum(group.set_aside for group in timing.groups),
        checked_rounds=timing.checked_rounds,
    )
