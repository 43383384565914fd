"""Finds the project that a session belongs to."""

from __future__ import annotations

import contextlib
from pathlib import Path

from workbench.errors import WrongInput
from workbench.model.project import Project
from workbench.model.project_file import read_project


def project_beside(session: Path) -> Project | None:
    """Return the project whose session this is: it lies in the project's `.ledger`, or beside the only project there."""
    here = session.resolve()
    near = [here.parent.parent, *sorted(folder.parent for folder in here.parent.glob("*/ledger.toml"))]
    for folder in near:
        if (folder / "ledger.toml").is_file():
            with contextlib.suppress(WrongInput):
                return read_project(folder)
    return None
