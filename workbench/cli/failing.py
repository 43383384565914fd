"""How a command ends that cannot do what it was asked: one sentence on standard error, and a document with --json."""

from __future__ import annotations

import json
import os
import sys

import click

from workbench.errors import ExitCode, LedgerError
from workbench.texts import Message, message

PROGRAM = "kernel-ledger"
SCHEMA = 1
"""Of every document that --json prints."""


def say_error(error: LedgerError, *, as_json: bool) -> int:
    """Print an expected failure and return its exit code."""
    return _say(error.message, error.exit_code, as_json)


def say_bad_usage(error: click.ClickException, *, as_json: bool) -> int:
    """Print what is wrong with the words on the command line, and return 2."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    program = context.command_path if context is not None else PROGRAM
    words = error.format_message()
    ended = words if words.endswith((".", "?")) else f"{words}."
    return _say(message("{words} See: {program} --help", words=ended, program=program), ExitCode.WRONG_INPUT, as_json)


def say_stopped(*, as_json: bool) -> int:
    """Print that the user stopped the command, and return 3."""
    return _say(message("Stopped; what had ended is kept in the session."), ExitCode.NO_RESULT, as_json)


def say_cannot_go_on(error: OSError) -> int:
    """Print that the system refused something that nothing else foresaw (a full disk behind standard output), and return 3."""
    if error.filename:
        text = message("{reason}: {file}; free some space or check the permissions there, and try again.",
                       reason=error.strerror or str(error), file=str(error.filename))  # fmt: skip
    else:
        text = message(
            "The output could not be written: {reason}; free some space or send it elsewhere.",
            reason=error.strerror or str(error),
        )
    code = _say(text, ExitCode.NO_RESULT, as_json=False)
    # What could not be written is still in the buffer and would be tried again on the way out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _say(text: Message, code: ExitCode, as_json: bool) -> int:
    click.echo(str(text), err=True)
    if as_json:
        click.echo(json.dumps({"schema": SCHEMA, "error": str(text), "exit_code": int(code)}, indent=1, ensure_ascii=False))
    return int(code)
