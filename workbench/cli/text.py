"""Ledger, account and runs as text for a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from workbench import units
from workbench.analysis.ledger import build_ledger
from workbench.commands.context import SessionStore
from workbench.model.ledger import Account, Estimate, Ledger
from workbench.model.project import Project
from workbench.model.run import Run
from workbench.texts import tr


def _console() -> Console:
    return Console(highlight=False)


def _time(estimate: Estimate) -> str:
    return units.duration(estimate.value)


def print_ledger(ledger: Ledger) -> None:
    """Print one line for each version."""
    table = Table(title=f"{ledger.project} · {ledger.device_title}", title_justify="left", box=None, pad_edge=False)
    for title in ("version", "kernel", "speed-up", "end to end", "speed-up", "verdict", "gates passed", "worst error"):
        table.add_column(tr(title), justify="left" if title in ("version", "verdict") else "right")
    for line in ledger.lines:
        decided = line.gate_count("passed") + line.gate_count("failed") + line.gate_count("not run")
        table.add_row(
            "  " * line.depth + line.name,
            _time(line.kernel_time),
            units.ratio(line.speedup.value),
            _time(line.end_to_end),
            units.ratio(line.end_to_end_speedup.value),
            tr(line.chip),
            f"{line.gate_count('passed')} / {decided}",
            units.MISSING if line.worst is None else units.scientific(line.worst.relative_error),
        )
    _console().print(table)


def print_account(account: Account) -> None:
    """Print the stage table with the remainder, and the Amdahl figures where they may be printed."""
    table = Table(title=f"{account.before_name} → {account.after_name}", title_justify="left", box=None, pad_edge=False)
    for title in ("stage", "before, ms", "after, ms", "change, ms"):
        table.add_column(tr(title), justify="left" if title == "stage" else "right")
    for stage in account.stages:
        table.add_row(
            stage.title,
            units.milliseconds(stage.before, 3),
            units.milliseconds(stage.after, 3),
            units.signed_milliseconds(stage.change, 3),
        )
    table.add_row(
        tr("Not attributed"), units.milliseconds(account.remainder_before, 3), units.milliseconds(account.remainder_after, 3), ""
    )
    table.add_row(
        tr("Wall, traced"),
        units.milliseconds(account.traced_wall_before, 3),
        units.milliseconds(account.traced_wall_after, 3),
        "",
    )
    table.add_row(
        tr("Wall, measured"),
        units.milliseconds(account.wall_before.value, 3),
        units.milliseconds(account.wall_after.value, 3),
        "",
    )
    console = _console()
    console.print(table)
    if not account.books_gain:
        console.print(tr("CPU time: it proves that the application still works; no speed-up and no ceiling follow from it."))
        return
    for title, text in (
        ("Application", f"{units.ratio(account.speedup.value)} {units.interval(account.speedup.low, account.speedup.high)}"),
        ("Kernel", units.ratio(account.kernel_speedup.value)),
        ("A free kernel would give", units.ratio(account.ceiling)),
        ("Share of the ceiling reached", units.percent(account.ceiling_share, 0)),
        ("Kernel's share before, after", f"{units.percent(account.share_before)}, {units.percent(account.share_after)}"),
    ):
        console.print(f"{tr(title)}: {text}")


def print_run(store: SessionStore, project: Project, run: Run) -> None:
    """Print what a run found: gates, failures with their lines, and the ledger."""
    console = _console()
    for gate in run.gates:
        console.print(f"{tr(gate.status):>14}  {gate.title}: {gate.sentence}")
    for record in run.passes:
        if record.failure is not None:
            console.print(f"[bold]{record.failure.kind}[/bold] ({record.name}): {record.failure.message}", soft_wrap=True)
            for line in record.failure.lines:
                console.print(
                    f"    {project.kernel.source}:{line.line}: {line.severity}: {line.text}", markup=False, soft_wrap=True
                )
        elif record.status == "not run" and record.reason is not None:
            console.print(f"{tr('not run'):>14}  {record.name}: {record.reason}")
    console.print()
    print_ledger(build_ledger(project, store.versions(), store.runs(), run.device))
