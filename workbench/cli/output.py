"""What a command prints: one JSON document with --json, else text for people; progress goes to standard error."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from workbench.commands.context import Progress as ProgressCall
from workbench.errors import LedgerError
from workbench.texts import Message

SCHEMA = 1


def plain(value: object) -> Any:
    """Return a value as JSON can hold it: messages as their sentence, NaN and infinity as text, paths as text."""
    if isinstance(value, Message):
        return str(value)
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return str(value) if isinstance(value, Path) else value


def print_json(document: Mapping[str, object]) -> None:
    """Print one stable document: keys may be added, never renamed, under the same schema number."""
    content = msgspec.json.format(msgspec.json.encode({"schema": SCHEMA, **plain(document)}), indent=1)
    click.echo(content.decode())


def say_error(error: LedgerError) -> int:
    """Print the sentence on standard error, and as a document where --json was asked for; return the exit code."""
    click.echo(str(error), err=True)
    if "--json" in sys.argv:
        print_json({"error": str(error), "exit_code": int(error.exit_code)})
    return int(error.exit_code)


@contextmanager
def progress_line() -> Iterator[ProgressCall]:
    """Show steps on standard error: a bar on a terminal, else a line whenever the step changes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _plain_progress()
        return
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(step: Message, done: int, total: int) -> None:
            bar.update(task, description=str(step), completed=done, total=total or None)

        yield show


def _plain_progress() -> ProgressCall:
    last = ""

    def show(step: Message, done: int, total: int) -> None:
        nonlocal last
        # Without numbers, so that "case 3 of 31" does not fill a log.
        if step.text != last:
            last = step.text
            click.echo(str(step), err=True)

    return show
