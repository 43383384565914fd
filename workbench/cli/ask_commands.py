"""`prompt` and `suggest`: asking about a version."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.output import print_json, progress_line
from workbench.cli.walk import walk
from workbench.commands.context import Context, SessionStore
from workbench.commands.edit_version import plan_of
from workbench.commands.run_candidate import baseline_of
from workbench.commands.suggest import ask_advisor, prompt_for
from workbench.errors import WrongInput
from workbench.model.project import Project
from workbench.model.project_file import read_project
from workbench.model.version import Version
from workbench.paths import default_session

PROJECT = click.argument("project", type=click.Path(path_type=Path))
SESSION = click.option("--session", type=click.Path(path_type=Path), help="Session file; PROJECT/.ledger/session.db by default.")
VERSION = click.option("--version", "name", help="Name or hash of the version to ask about; the newest by default.")
DEVICE = click.option("--device", help="Whose measurements go into the prompt; the first GPU by default, else the emulator.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def _base(store: SessionStore, project: Project, name: str | None) -> Version:
    baseline = baseline_of(store, project)
    return store.find_version(name) if name else (store.versions() or (baseline,))[-1]


@click.command()
@PROJECT
@SESSION
@VERSION
@DEVICE
@AS_JSON
def prompt(*, project: Path, session: Path | None, name: str | None, device: str | None, as_json: bool) -> None:
    """Print the prompt of four blocks, to be given to any model."""
    found = read_project(project)

    async def work(context: Context) -> None:
        store = context.open_store(session or default_session(found.folder), True)
        try:
            chosen, base = context.plugins.find_device(device), _base(store, found, name)
            text = prompt_for(context, store, found, base, chosen.id)
        finally:
            store.close()
        if as_json:
            print_json({"version": base.name, "hash": base.hash, "device": chosen.id, "prompt": text})
        else:
            click.echo(text)

    walk(work)


@click.command()
@PROJECT
@SESSION
@VERSION
@DEVICE
@click.option("--advisor", default="model", show_default=True, help="Who is asked.")
@click.option("--model", help="Any model the llm library offers; its default otherwise.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the answer here too, for `apply`.")
@AS_JSON
def suggest(*, project: Path, session: Path | None, name: str | None, device: str | None, advisor: str,
            model: str | None, output: Path | None, as_json: bool) -> None:  # fmt: skip
    """Ask a model about a version; the answer is kept in the session as a suggestion in review.

    The key comes from the environment or the OS keyring and is kept nowhere.
    """
    found = read_project(project)

    async def work(context: Context) -> None:
        store = context.open_store(session or default_session(found.folder), True)
        try:
            chosen, base = context.plugins.find_device(device), _base(store, found, name)
            with progress_line() as progress:
                asked = await ask_advisor(context, store, found, base, chosen.id, advisor=advisor, model=model, progress=progress)
            plan = plan_of(store, asked, found)
        finally:
            store.close()
        if as_json:
            print_json({"suggestion": asked, "plan": plan})
        else:
            click.echo(asked.answer)
        if output is not None:
            _write(output, asked.answer)

    walk(work)


def _write(output: Path, answer: str) -> None:
    try:
        output.write_text(answer, encoding="utf-8", newline="")
    except OSError as error:
        raise WrongInput("The answer cannot be written to {file}: {reason}; it is kept in the session.",
                         file=str(output), reason=error.strerror or str(error)) from error  # fmt: skip
