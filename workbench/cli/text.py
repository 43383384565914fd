"""Ledger, account and runs as text for a terminal."""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from workbench import units
from workbench.analysis.account_sentences import drift_note, kernel_check, pairs_note
from workbench.analysis.gate_count import count_gates
from workbench.analysis.ledger import build_ledger
from workbench.commands.context import SessionStore
from workbench.model.ledger import Account, Estimate, Ledger
from workbench.model.project import Project
from workbench.model.run import Run
from workbench.texts import tr

LOG_WIDTH = 160
"""Columns where nobody's terminal says how many there are."""


def console() -> Console:
    """Return where text goes. Nothing in it is markup: names, sentences and code may hold brackets."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else LOG_WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def _time(estimate: Estimate) -> str:
    return units.duration(estimate.value)


def print_ledger(ledger: Ledger) -> None:
    """Print one line for each version."""
    table = Table(title=Text(f"{ledger.project} · {ledger.device_title}"), title_justify="left", box=None, pad_edge=False)
    table.add_column(tr("version"), overflow="fold")
    for title in ("kernel", "ratio", "end to end", "ratio", "verdict", "gates", "not run", "error"):
        head = "\n".join(tr(title).rsplit(" ", 1))
        table.add_column(head, justify="left" if title == "verdict" else "right", no_wrap=True)
    for line in ledger.lines:
        gates = count_gates(line.gates)
        table.add_row(
            Text("  " * line.depth + line.name),
            _time(line.kernel_time),
            units.ratio(line.speedup.value),
            _time(line.end_to_end),
            units.ratio(line.end_to_end_speedup.value),
            tr(line.chip),
            gates.text,
            units.count(gates.not_run) if gates.not_run else "",
            units.MISSING if line.worst is None else units.scientific(line.worst.relative_error),
        )
    out = console()
    out.print(table)
    if ledger.books_gains and any(line.end_to_end_speedup.value for line in ledger.lines if line.parent):
        out.print(tr("Ratios end to end are of interleaved pairs with the baseline; times are medians."))
    drift = drift_note(ledger)
    if drift is not None:
        out.print(str(drift), soft_wrap=True)


def print_account(account: Account) -> None:
    """Print the stage table with the remainder, and the Amdahl figures where they may be printed; a baseline has one column."""
    name = account.before_name if account.alone else f"{account.before_name} → {account.after_name}"
    heads = ("stage", "time, ms") if account.alone else ("stage", "before, ms", "after, ms", "change, ms")
    table = Table(title=Text(name), title_justify="left", box=None, pad_edge=False)
    for title in heads:
        table.add_column(tr(title), justify="left" if title == "stage" else "right")
    for title, before, after, change in _account_rows(account):
        cells = (units.milliseconds(before, 3), units.milliseconds(after, 3), units.signed_milliseconds(change, 3))
        table.add_row(Text(title), *cells[: len(heads) - 1])
    out = console()
    out.print(table)
    if not account.books_gain:
        out.print(tr("CPU time: it proves that the application still works; no speed-up and no ceiling follow from it."))
    for title, text in _figures(account):
        out.print(f"{tr(title)}: {text}")
    for note in (pairs_note(account), kernel_check(account)):
        if note is not None:
            out.print(str(note), soft_wrap=True)


def _account_rows(account: Account) -> list[tuple[str, float | None, float | None, float | None]]:
    rows = [(stage.title, stage.before, stage.after, stage.change) for stage in account.stages]
    saved = account.time_saved.value
    return [
        *rows,
        (tr("Not attributed"), account.remainder_before, account.remainder_after, _change(account, "remainder")),
        (tr("Wall, traced"), account.traced_wall_before, account.traced_wall_after, _change(account, "traced_wall")),
        (tr("Wall, measured"), account.wall_before.value, account.wall_after.value, None if saved is None else -saved),
    ]


def _change(account: Account, field: str) -> float | None:
    before, after = getattr(account, f"{field}_before"), getattr(account, f"{field}_after")
    return None if before is None or after is None else after - before


def _figures(account: Account) -> list[tuple[str, str]]:
    if not account.books_gain:
        return []
    share = units.percent(account.share_before)
    if account.alone:
        figures = [("A free kernel would give (predicted)", units.ratio(account.ceiling)), ("Kernel's share", share)]
    else:
        gain = account.speedup
        figures = [
            ("Application", f"{units.ratio(gain.value)} {units.interval(gain.low, gain.high)}"),
            ("Kernel", units.ratio(account.kernel_speedup.value)),
            ("A free kernel would give (predicted)", units.ratio(account.ceiling)),
            ("Share of the ceiling reached", units.percent(account.ceiling_share, 0)),
            ("Kernel's share before, after", f"{share}, {units.percent(account.share_after)}"),
        ]
    best = next(iter(account.next_stages), None)
    if best is not None:
        figures.append(("Next, if it were free (predicted)", f"{best.title}, {units.ratio(best.ceiling)}"))
    return figures


def print_run(store: SessionStore, project: Project, run: Run) -> None:
    """Print what a run found: gates, the lines of failures, and the ledger."""
    out = console()
    for gate in run.gates:
        out.print(f"{tr(gate.status):>14}  {gate.title}: {gate.sentence}", soft_wrap=True)
    for record in run.passes:
        if record.failure is not None:
            out.print(f"{tr('failed'):>14}  {record.name}: {record.failure.kind}: {record.failure.message}", soft_wrap=True)
            for line in record.failure.lines:
                out.print(f"{'':14}  {project.kernel.source}:{line.line}: {line.severity}: {line.text}", soft_wrap=True)
        elif record.status == "not run" and record.reason is not None:
            out.print(f"{tr('not run'):>14}  {record.name}: {record.reason}", soft_wrap=True)
    out.print()
    print_ledger(build_ledger(project, store.versions(), store.latest_runs(), run.device))
