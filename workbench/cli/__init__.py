"""The command line: one sub-command for each thing the program can do; everything the window does works here too."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from workbench import VERSION
from workbench.cli import device_commands, edit_commands, run_commands, session_commands
from workbench.cli.output import say_error
from workbench.errors import ExitCode, LedgerError, Unavailable

EPILOG = """\b
Exit codes:
  0  finished and no gate failed, whatever the timing verdict
  1  a wrong answer, an access out of bounds or another gate that failed, a compile error,
     or an edit that was refused or needs confirmation
  2  wrong use or input: a bad project, a missing file or entry, an untrusted project, a newer session
  3  no result: a pass timed out, the device faulted, a worker crashed, there is no device, or you stopped it
"""


class _Group(click.Group):
    """A first word that is no command is a project or a session to open in the window."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["open", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_Group,
    invoke_without_command=True,
    epilog=EPILOG,
    subcommand_metavar="[PROJECT | SESSION | COMMAND [ARGS]...]",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(VERSION, prog_name="kernel-ledger")
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


def open_window(path: Path | None, *, trust: bool = False, picture: Path | None = None, stay: bool = True) -> int:
    """Open the window on a project or session and return its exit code. The one door to the window.

    `picture` saves a picture of the window; with `stay` false it then closes. Raises Unavailable where Qt is not installed, and
    where a window that is to stay could not be seen.
    """
    if not has_display():
        if stay:
            raise Unavailable("There is no display to show the window on; every command works without it: kernel-ledger --help.")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from ui.__main__ import run_window  # Qt is not installed on GPU servers
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("PySide6", "pyqtgraph", "qasync", "shiboken6"):
            raise Unavailable(
                "The window needs {name}; run: pip install 'kernel-ledger[desktop]'. Every other command works without it.",
                name=error.name.partition(".")[0],
            ) from error
        raise
    from workbench.engine import engine

    return run_window(engine, path, trust=trust, picture=picture, stay=stay)


for _module in (run_commands, edit_commands, session_commands, device_commands):
    for _command in _module.COMMANDS:
        cli.add_command(_command)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and leave with its exit code; what the user can mend is one sentence on standard error."""
    try:
        sys.exit(cli.main(arguments, standalone_mode=False) or 0)
    except LedgerError as error:
        sys.exit(say_error(error))
    except click.exceptions.Abort:
        click.echo("Stopped; what had ended is kept in the session.", err=True)
        sys.exit(ExitCode.NO_RESULT)
    except click.ClickException as error:
        error.show()
        sys.exit(ExitCode.WRONG_INPUT)
    except KeyboardInterrupt:
        click.echo("Stopped; what had ended is kept in the session.", err=True)
        sys.exit(ExitCode.NO_RESULT)
    except BrokenPipeError:
        sys.exit(ExitCode.FINISHED)
