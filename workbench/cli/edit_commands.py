"""`suggest`, `prompt`, `apply`: from a question to an edit."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from workbench.cli.output import print_json, progress_line
from workbench.commands.apply import apply_answer
from workbench.commands.context import Context, SessionStore
from workbench.commands.edit_version import plan_of
from workbench.commands.run_candidate import baseline_of
from workbench.commands.suggest import ask_advisor, prompt_for
from workbench.engine import engine
from workbench.errors import ExitCode, WrongInput
from workbench.model.project import Project
from workbench.model.project_file import read_project
from workbench.model.version import Version
from workbench.paths import default_session

PROJECT = click.argument("project", type=click.Path(path_type=Path))
SESSION = click.option("--session", type=click.Path(path_type=Path), help="Session file; PROJECT/.ledger/session.db by default.")
VERSION = click.option("--version", "name", help="Name or hash of the version to ask about; the newest by default.")
DEVICE = click.option("--device", help="Whose measurements go into the prompt; the first GPU by default, else the emulator.")


def _base(store: SessionStore, project: Project, name: str | None) -> Version:
    baseline = baseline_of(store, project)
    return store.find_version(name) if name else (store.versions() or (baseline,))[-1]


@click.command()
@PROJECT
@SESSION
@VERSION
@DEVICE
def prompt(project: Path, session: Path | None, name: str | None, device: str | None) -> None:
    """Print the prompt of four blocks, to be given to any model."""
    found = read_project(project)

    async def walk() -> str:
        async with engine() as context:
            store = context.open_store(session or default_session(found.folder), True)
            try:
                chosen = context.plugins.find_device(device)
                return prompt_for(context, store, found, _base(store, found, name), chosen.id)
            finally:
                store.close()

    click.echo(asyncio.run(walk()))


@click.command()
@PROJECT
@SESSION
@VERSION
@DEVICE
@click.option(
    "--advisor", default="model", show_default=True, help="Who is asked; `kernel-ledger suggest --help` names the shipped ones."
)
@click.option("--model", help="Any model the llm library offers; its default otherwise.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the answer here too, for `apply`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def suggest(*, project: Path, session: Path | None, name: str | None, device: str | None, advisor: str,
            model: str | None, output: Path | None, as_json: bool) -> None:  # fmt: skip
    """Ask a model about a version; the answer is kept in the session as a suggestion in review.

    The key comes from the environment or the OS keyring and is kept nowhere.
    """
    found = read_project(project)

    async def walk(context: Context) -> None:
        store = context.open_store(session or default_session(found.folder), True)
        try:
            chosen = context.plugins.find_device(device)
            base = _base(store, found, name)
            with progress_line() as progress:
                asked = await ask_advisor(context, store, found, base, chosen.id, advisor=advisor, model=model, progress=progress)
            plan = plan_of(store, asked, found)
            if output is not None:
                output.write_text(asked.answer, encoding="utf-8")
            if as_json:
                print_json({"suggestion": asked, "plan": plan})
            else:
                click.echo(asked.answer)
        finally:
            store.close()

    async def start() -> None:
        async with engine() as context:
            await walk(context)

    asyncio.run(start())


@click.command()
@click.argument("answer", type=click.Path(path_type=Path))
@click.option("--to", "target", type=click.Path(path_type=Path), required=True, help="The file to edit.")
@click.option("--hunks", help="Numbers of the hunks to apply, like 1,3; all by default.")
@click.option("--yes", is_flag=True, help="Also apply what needs confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def apply(answer: Path, target: Path, hunks: str | None, yes: bool, as_json: bool) -> None:
    """Apply a model's ANSWER (diff, search/replace blocks or a whole file) to a file."""
    result = apply_answer(answer, target, _numbers(hunks), yes)
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(result.outcome)
        for notice in result.notices:
            click.echo(f"  {notice}")
        for hunk in result.hunks:
            click.echo(f"  hunk {hunk.number}: {hunk.status}" + "".join(f"\n    {notice}" for notice in hunk.notices))
    sys.exit(ExitCode.FAILED_GATE if result.outcome in ("refused", "needs-confirmation") else ExitCode.FINISHED)


def _numbers(text: str | None) -> list[int] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() for part in parts):
        raise WrongInput("--hunks is {text}; numbers with commas, like 1,3, were expected.", text=text)
    return [int(part) for part in parts]


COMMANDS = (suggest, prompt, apply)
