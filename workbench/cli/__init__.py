"""The command line: one sub-command for each thing the program can do; everything the window does works here too."""

from __future__ import annotations

import difflib
import importlib
import io
import os
import re
import sys
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.failing import PROGRAM, say_bad_usage, say_cannot_go_on, say_error, say_stopped
from workbench.errors import LedgerError, Unavailable, WrongInput

if TYPE_CHECKING:
    from workbench.commands.context import Context

EPILOG = """\b
Exit codes:
  0  finished and no gate failed, whatever the timing verdict
  1  a wrong answer, an access out of bounds or another gate that failed, a compile error, or an edit that
     was refused or needs confirmation
  2  wrong use or input: a bad project, a missing file or entry, an untrusted project, a newer session
  3  no result: a pass timed out, the device faulted, refused the launch or cannot run such a source, a worker
     crashed, there is no device, or you stopped it
"""
COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("run_commands", "Compile, verify, time and trace a version."),
    "access": ("access_command", "Say how a version touches memory, line by line."),
    "demo": ("run_commands", "Walk the shipped project to its printed ledger."),
    "new": ("run_commands", "Make a small working project."),
    "ledger": ("session_commands", "Print the ledger of a session."),
    "account": ("session_commands", "Print the Amdahl account, before and after."),
    "compare": ("session_commands", "Compare two versions."),
    "report": ("session_commands", "Print the ledger as PDF, Markdown, CSV or JSON."),
    "source": ("source_command", "Print a version's source, or its git patch."),
    "sessions": ("session_commands", "List the sessions opened here before."),
    "check": ("check_command", "Say what the emulator can do with a file."),
    "prompt": ("ask_commands", "Print the prompt for any model."),
    "suggest": ("ask_commands", "Ask a model; its answer is kept in review."),
    "apply": ("edit_commands", "Apply a model's answer to a file."),
    "devices": ("device_commands", "List what can run a kernel here."),
}
"""Name -> its module, loaded when the command is used (NumPy and the like take most of a second), and its line in the help."""


class _Group(click.Group):
    """Loads a command when it is used. A first word that is no command is a project or a session to open in the window."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(importlib.import_module(f"workbench.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            if not Path(args[0]).exists():
                raise _unknown(args[0])
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader, `head` for example, has seen enough.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)


def _unknown(word: str) -> WrongInput:
    """Return the sentence for a first word that is neither a command nor a file."""
    near = difflib.get_close_matches(word, COMMANDS, 1)
    if near:
        return WrongInput(
            "There is no command, project or session {word}; did you mean {near}? kernel-ledger --help lists the commands.",
            word=word,
            near=near[0],
        )
    return WrongInput("There is no command, project or session {word}; kernel-ledger --help lists the commands.", word=word)


@click.group(
    cls=_Group,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[-h] [--version]",
    subcommand_metavar="[PROJECT | SESSION | COMMAND ...]",
)
@click.version_option(package_name="kernel-ledger", prog_name="kernel-ledger")
@click.pass_context
def cli(context: click.Context) -> None:
    """Prove what a rewritten GPU kernel gained. Without a command, PROJECT or SESSION opens in the window."""
    if context.invoked_subcommand is None:
        sys.exit(open_window(None))


@cli.command("open", hidden=True)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--trust", is_flag=True, help="Let this project's own Python run, now and later.")
def open_(path: Path, trust: bool) -> None:
    """Open a project folder or a session file in the window."""
    sys.exit(open_window(path, trust=trust))


def has_display() -> bool:
    """Tell whether a window can be shown here; Qt's own choice of platform counts as one."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in names)


def _engine() -> AbstractAsyncContextManager[Context]:
    from workbench.engine import engine  # late: the window is painted before its engine is loaded

    return engine()


def open_window(path: Path | None, *, trust: bool = False, picture: Path | None = None, stay: bool = True) -> int:
    """Open the window on a project or session and return its exit code. The one door to the window.

    `picture` saves a picture of the window; with `stay` false it then closes. Raises Unavailable where Qt is not installed, and
    where a window that is to stay could not be seen.
    """
    if not has_display():
        if stay:
            raise Unavailable("There is no display to show the window on; every command works without it: kernel-ledger --help.")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # Qt says with every window that this platform has no size hints.
        os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")
    try:
        from ui.__main__ import run_window  # Qt is not installed on GPU servers
    except ImportError as error:
        reason = _why_no_window(error)
        if reason is None:
            raise
        raise reason from error
    return run_window(_engine, path, trust=trust, picture=picture, stay=stay)


def _why_no_window(error: ImportError) -> Unavailable | None:
    """Return what the window lacks: a package, or a system library that Qt loads. None for a mistake of our own."""
    package = (error.name or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError):
        if package not in ("PySide6", "pyqtgraph", "qasync", "shiboken6"):
            return None
        return Unavailable(
            "The window needs {name}; run: pip install 'kernel-ledger[desktop]'. Every other command works without it.",
            name=package,
        )
    library = re.match(r"(lib\S+): cannot open shared object file", str(error))
    if library is None:
        return None
    return Unavailable(
        "The window needs the system library {library}, which is not installed; `make setup` prints the command that installs "
        "it. Every other command works without it.",
        library=library[1],
    )


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and leave with its exit code; what the user can mend is one sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Signs that a terminal's encoding lacks, and names of files that are no UTF-8.
            stream.reconfigure(errors="backslashreplace")
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        sys.exit(cli.main(arguments, PROGRAM, standalone_mode=False) or 0)
    except LedgerError as error:
        sys.exit(say_error(error, as_json=as_json))
    except click.ClickException as error:
        sys.exit(say_bad_usage(error, as_json=as_json))
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(say_stopped(as_json=as_json))
    except OSError as error:
        sys.exit(say_cannot_go_on(error))
