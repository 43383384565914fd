"""`apply`: an answer in a file, applied to another file. Loads neither NumPy nor the engine, so that it starts at once."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workbench.cli.output import print_json
from workbench.commands.apply import apply_answer
from workbench.errors import ExitCode, WrongInput


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
            told = () if hunk.chosen else hunk.notices  # those of chosen hunks stand above
            click.echo(f"  hunk {hunk.number}: {hunk.status}" + "".join(f"\n    {notice}" for notice in told))
    sys.exit(ExitCode.FAILED_GATE if result.outcome in ("refused", "needs-confirmation") else ExitCode.FINISHED)


def _numbers(text: str | None) -> list[int] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise WrongInput("--hunks is {text}; numbers with commas, like 1,3, were expected.", text=text)
    return [int(part) for part in parts]
