"""`ledger`, `account`, `compare`, `report`, `sessions`: commands that read a session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from workbench import units
from workbench.analysis.verdict import compare_versions
from workbench.cli.output import print_json
from workbench.commands.context import SessionStore
from workbench.commands.read_ledger import devices_of, ledger_of
from workbench.engine import open_session
from workbench.errors import LedgerError, WrongInput
from workbench.paths import default_session
from workbench.settings import load_settings
from workbench.texts import tr, tr_count

SESSION = click.argument("session", type=click.Path(path_type=Path))
DEVICE = click.option("--device", help="Whose runs; by default the device that can book gains, else the first.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@contextmanager
def reading(path: Path) -> Iterator[SessionStore]:
    """Open a session for reading; a project folder means its default session. Raises WrongInput when there is none."""
    file = default_session(path) if path.is_dir() else path
    if not file.exists():
        raise WrongInput("There is no session {path}; kernel-ledger run PROJECT makes one.", path=str(file))
    store = open_session(file, False)
    try:
        yield store
        if store.damage is not None:
            click.echo(str(store.damage), err=True)
    finally:
        store.close()


@click.command()
@SESSION
@DEVICE
@AS_JSON
def ledger(session: Path, device: str | None, as_json: bool) -> None:
    """Print the ledger of a session."""
    with reading(session) as store:
        found = ledger_of(store, device)
    if as_json:
        print_json({"ledger": found})
        return
    from workbench.cli.text import print_ledger  # late, as in the others: it loads Rich

    print_ledger(found)


@click.command()
@SESSION
@DEVICE
@click.option("--version", "name", help="The version after; by default the last accepted one.")
@AS_JSON
def account(session: Path, device: str | None, name: str | None, as_json: bool) -> None:
    """Print the Amdahl account, before and after."""
    with reading(session) as store:
        found = ledger_of(store, device)
        chosen = found.accounts.get(store.find_version(name).hash) if name else found.account
    if chosen is None:
        raise WrongInput(
            "No pipeline was traced for {name} in this session; the project needs a [pipeline].", name=name or "any version"
        )
    if as_json:
        print_json({"account": chosen})
        return
    from workbench.cli.text import print_account

    print_account(chosen)


@click.command()
@SESSION
@click.argument("a")
@click.argument("b")
@DEVICE
@AS_JSON
def compare(session: Path, a: str, b: str, device: str | None, as_json: bool) -> None:
    """Compare version B with version A (names or prefixes of their hash)."""
    with reading(session) as store:
        first, second = store.find_version(a), store.find_version(b)
        names = {version.hash: version.name for version in store.versions()}
        if first.hash == second.hash:
            raise WrongInput(
                "A and B are the same version, {name}, so there is nothing to compare; name two that differ:"
                " `kernel-ledger ledger SESSION` lists them.",
                name=first.name,
            )
        runs = tuple(store.latest_runs())
        where = ledger_of(store, device).device
    books_gain = any(run.environment.device.books_gains for run in runs if run.device == where)
    found = compare_versions(runs, first.hash, second.hash, device=where, books_gain=books_gain, names=names)
    if as_json:
        print_json({"a": first.hash, "b": second.hash, "device": where, "comparison": found})
        return
    from workbench.cli.text import console

    out = console()
    if found.sentence is not None:
        out.print(str(found.sentence), soft_wrap=True)
    for version, estimate in ((first, found.a), (second, found.b)):
        interval = units.duration_interval(estimate.low, estimate.high)
        out.print(f"{version.name}: {units.duration(estimate.value)} {interval}".rstrip(), soft_wrap=True)
    if found.speedup.value is not None:
        out.print(f"{tr('ratio')}: {units.ratio(found.speedup.value)} {units.interval(found.speedup.low, found.speedup.high)}")
    if found.route == "through the baseline":
        out.print(tr("They were not timed against each other: the ratio goes through the baseline that both were timed against."))


@click.command()
@SESSION
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), required=True, help="F.pdf, F.md, F.csv or F.json.")
@DEVICE
@AS_JSON
def report(session: Path, target: Path, device: str | None, as_json: bool) -> None:
    """Print the ledger as PDF, Markdown, CSV or JSON."""
    from workbench.commands.report import write_session_report  # late: it loads the report's builders

    with reading(session) as store:
        written = write_session_report(store, target, device)
    if as_json:
        print_json({"report": written})
    else:
        click.echo(str(written))


@click.command()
@AS_JSON
def sessions(as_json: bool) -> None:
    """List the sessions that were opened here before."""
    rows = [_summary(Path(path)) for path in load_settings().recent]
    if as_json:
        print_json({"sessions": rows})
        return
    if not rows:
        click.echo(tr("No session was opened here yet; kernel-ledger run PROJECT makes one."))
    for row in rows:
        click.echo(f"{row['path']}  {row['state']}")


def _summary(path: Path) -> dict[str, object]:
    if not path.exists():
        return {"path": str(path), "state": tr("is not there any more"), "versions": None, "runs": None, "devices": []}
    try:
        with reading(path) as store:
            runs = store.runs()
            devices = list(devices_of(runs))
            versions = len(store.versions())
            held = (tr_count("{count} version", "{count} versions", versions), tr_count("{count} run", "{count} runs", len(runs)))
            state = ", ".join(held) if store.damage is None else str(store.damage)
            return {"path": str(path), "state": state, "versions": versions, "runs": len(runs), "devices": devices}
    except LedgerError as error:
        return {"path": str(path), "state": str(error), "versions": None, "runs": None, "devices": []}
