"""What a command prints: one JSON document with --json, else text for people; progress goes to standard error."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from workbench.cli.failing import SCHEMA
from workbench.texts import Message

if TYPE_CHECKING:  # it brings NumPy, which `apply` can do without
    from workbench.commands.context import Progress as ProgressCall


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


@contextmanager
def progress_line() -> Iterator[ProgressCall]:
    """Show steps on standard error: a bar on a terminal, else a line whenever the step changes."""
    if not sys.stderr.isatty():
        yield plain_progress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=30), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(step: Message, done: int, total: int) -> None:
            bar.update(task, description=str(step), completed=done, total=total or None)

        yield show


def plain_progress() -> ProgressCall:
    """Return a progress call that prints one line for each step of each version, so that a log stays short.

    "Timing X, process 2 of 5" and the rounds inside take turns, so the last two steps are remembered.
    """
    last: deque[tuple[str, str]] = deque(maxlen=2)

    def show(step: Message, done: int, total: int) -> None:
        key = (step.text, str(step.arguments.get("name", "")))
        if key not in last:
            last.append(key)
            click.echo(str(step), err=True)

    return show
