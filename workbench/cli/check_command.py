"""`check`: what the emulator can and cannot do with a file that is in no project."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workbench.cli.output import print_json
from workbench.cli.walk import walk
from workbench.commands.check_source import check_source
from workbench.errors import ExitCode
from workbench.model.support import Support
from workbench.texts import message, tr


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--entry", help="One kernel, like scale or scale<float, 4>; all kernels of the file by default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def check(file: Path, entry: str | None, as_json: bool) -> None:
    """Say what the emulator can and cannot do with FILE; every kernel is compiled, none is run."""
    found = walk(lambda context: check_source(context, file, entry))
    code = ExitCode.FINISHED if found.supported else ExitCode.FAILED_GATE
    if as_json:
        print_json({"file": file.name, **found.to_json(), "exit_code": int(code)})
    else:
        _show(found)
    sys.exit(code)


def _show(found: Support) -> None:
    for kernel in found.kernels:
        said = tr("supported") if kernel.failure is None else tr("not supported")
        said = tr("not tried") if kernel.untried else said
        click.echo(f"{kernel.line:>6}  {kernel.full_name}: {said}")
        if kernel.tried and not kernel.untried:
            click.echo(
                "        " + str(message("tried so, since only the host program knows {names}", names=", ".join(kernel.tried)))
            )
        for note in kernel.notes:
            click.echo(f"        {note.sentence}")
    for _, _, sentence in found.reasons:
        click.echo(str(sentence), err=True)
