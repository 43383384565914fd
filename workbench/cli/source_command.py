"""`source`: a version's text out of a session, byte for byte, or its difference from its parent as a git patch."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workbench.analysis.git_patch import git_patch_bytes
from workbench.cli.session_commands import reading
from workbench.commands.context import SessionStore
from workbench.errors import WrongInput
from workbench.model.version import Version


@click.command()
@click.argument("session", type=click.Path(path_type=Path))
@click.argument("version")
@click.option("--patch", is_flag=True, help="As a git patch against its parent instead.")
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), help="Write it here instead of printing it.")
def source(*, session: Path, version: str, patch: bool, target: Path | None) -> None:
    """Print a VERSION's source as it was run, or with --patch its difference from its parent."""
    with reading(session) as store:
        found = store.find_version(version)
        content = _patch(store, found) if patch else found.code.source.to_bytes()
    if target is None:
        sys.stdout.buffer.write(content)
        return
    try:
        target.write_bytes(content)
    except OSError as error:
        raise WrongInput("The source cannot be written to {path}: {reason}; choose another place.", path=str(target),
                         reason=error.strerror or str(error)) from error  # fmt: skip


def _patch(store: SessionStore, version: Version) -> bytes:
    if version.parent is None:
        raise WrongInput(
            "{name} is the baseline, which has no parent to differ from; name a version that was made from another.",
            name=version.name,
        )
    project = store.project()
    path = project.kernel.source if project else "kernel.cu"
    return git_patch_bytes(store.find_version(version.parent).code.source, version.code.source, path)
