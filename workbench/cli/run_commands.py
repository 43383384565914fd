"""`run`, `demo`, `new`: commands that make something."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from workbench import cli
from workbench.analysis.standing import why_failed
from workbench.cli.failing import PROGRAM
from workbench.cli.output import print_json, progress_line
from workbench.cli.text import print_run
from workbench.cli.walk import store_of, walk
from workbench.cli.whole_number import WholeNumber
from workbench.commands.context import Context, SessionStore
from workbench.commands.demo import Demo, run_demo, what_next
from workbench.commands.new_project import new_project
from workbench.commands.run_candidate import RunRequest, run_candidate
from workbench.errors import ExitCode, Unavailable
from workbench.model.project import Project
from workbench.model.project_file import read_project
from workbench.model.run import Run
from workbench.model.source import read_source
from workbench.model.version import Author
from workbench.texts import Message, message

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def exit_code(run: Run) -> ExitCode:
    """Return what a run answers: its failure's code, 1 for a failed gate, else 0."""
    if run.failure is not None:
        return run.failure.exit_code
    return ExitCode.FAILED_GATE if any(gate.status == "failed" for gate in run.gates) else ExitCode.FINISHED


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--source", type=click.Path(path_type=Path), help="A candidate's source; the project's own file is the baseline.")
@click.option("--device", help="emulator, cuda:0 ...; the first GPU by default, else the emulator.")
@click.option("--session", type=click.Path(path_type=Path), help="Session file; PROJECT/.ledger/session.db by default.")
@click.option("--trust", is_flag=True, help="Let this project's own Python run, now and later.")
@click.option("--seed", type=WholeNumber(0, 2**63 - 1), help="Replay with this seed; secret and fresh by default.")
@click.option("--name", help="The version's name.")
@click.option("--parent", help="Name or hash of the version it was made from.")
@click.option("--hypothesis", default="", help="What the version claims.")
@click.option("--rounds", type=WholeNumber(1, 100_000), help="Timed rounds of each version.")
@AS_JSON
def run(*, project: Path, source: Path | None, device: str | None, session: Path | None, trust: bool, seed: int | None,
        name: str | None, parent: str | None, hypothesis: str, rounds: int | None, as_json: bool) -> None:  # fmt: skip
    """Compile, verify, time and trace a version, and keep what was learned."""
    found = read_project(project)
    text = read_source(source) if source else None
    request = RunRequest(found, device, text, None, name, parent, Author("person"), hypothesis, rounds, seed, keep_warm=False)

    async def work(context: Context) -> Run:
        with store_of(context, found, session, trust=trust) as store:
            with progress_line() as progress:
                done = await run_candidate(context, store, request, progress)
            kept = store.find_version(done.version).name
            if name not in (None, kept):
                notice = message("The session already has this source as {kept}; it keeps that name.", kept=kept)
                click.echo(str(notice), err=True)
            _show(store, found, done, as_json=as_json)
            return done

    done = walk(work)
    sentence = why_failed(done)
    if sentence is not None:
        click.echo(str(sentence), err=True)
    sys.exit(exit_code(done))


def _show(store: SessionStore, project: Project, done: Run, *, as_json: bool) -> None:
    if as_json:
        print_json({"run": done, "name": store.find_version(done.version).name, "exit_code": int(exit_code(done))})
    else:
        print_run(store, project, done)


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="Folder for the results."
)
@click.option("--device", help="The first GPU by default, else the emulator.")
@click.option("--window/--no-window", default=None, help="Leave the window open; by default where there is a display.")
@AS_JSON
def demo(out: Path, device: str | None, window: bool | None, as_json: bool) -> None:
    """Walk the shipped project: baseline, two suggestions, proof, pipeline, ledger, report, window."""

    def say(sentence: Message) -> None:
        click.echo(str(sentence), err=as_json)

    async def work(context: Context) -> Demo:
        with progress_line() as progress:
            done = await run_demo(context, out, device, progress, say)
        context.remember(done.session)
        return done

    done = walk(work)
    failed = [run for run in done.runs if exit_code(run) != ExitCode.FINISHED]
    code = max((exit_code(run) for run in failed), default=ExitCode.FINISHED)
    for run in failed:
        click.echo(str(why_failed(run)), err=True)
    if as_json:
        ids = [run.id for run in done.runs]
        print_json({"session": done.session, "report": out / "ledger.pdf", "runs": ids, "exit_code": int(code)})
    shown, pictures = _show_window(done.session, out / "window.png", cli.has_display() if window is None else window)
    for sentence in what_next(replace(done, files=(*done.files, *pictures)), _typed_program()):
        say(sentence)
    sys.exit(code or shown)


def _show_window(session: Path, picture: Path, stay: bool) -> tuple[int, tuple[Path, ...]]:
    """Show the window on a session and return its exit code and the picture it left, if any."""
    picture.unlink(missing_ok=True)
    try:
        shown = cli.open_window(session, picture=picture, stay=stay)
    except Unavailable as error:
        click.echo(str(error), err=True)
        shown = 0
    return shown, (picture,) if picture.exists() else ()


def _typed_program() -> str:
    """Return this program as it can be typed in the folder where one is: relative where it lies below, else its path."""
    program = Path(sys.argv[0]).absolute()
    if not program.is_file():
        return PROGRAM
    return str(program.relative_to(Path.cwd())) if program.is_relative_to(Path.cwd()) else str(program)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@AS_JSON
def new(folder: Path, as_json: bool) -> None:
    """Make a small working project in a new or empty FOLDER."""
    made = new_project(folder)
    if as_json:
        print_json({"project": made})
    else:
        click.echo(f"Made {made}. Next: kernel-ledger run {folder} --trust")
