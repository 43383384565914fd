"""Writes a small working project (saxpy) into an empty folder, to start from."""

from __future__ import annotations

import shutil
from pathlib import Path

import tomlkit

import resources
from workbench.errors import WrongInput
from workbench.model.project_file import FILE_NAME

SAMPLE = "demos/new"


def new_project(folder: Path) -> Path:
    """Write the sample project into `folder`, named after it, and return the path of its ledger.toml.

    Raises WrongInput, before anything is written, when the folder is a file or is not empty; also when it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise WrongInput("The path {folder} is a file; name a folder that is empty or does not exist yet.", folder=str(folder))
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongInput(
                "The folder {folder} is not empty; nothing was written, name an empty or a new one.", folder=str(folder)
            )
        ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(resources.path(SAMPLE), folder, dirs_exist_ok=True, ignore=ignore, copy_function=shutil.copyfile)
        _name(folder / FILE_NAME, folder.resolve().name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WrongInput(
            "The folder {folder} cannot be written: {reason}; choose another place.", folder=str(folder), reason=reason
        ) from error
    return folder / FILE_NAME


def _name(file: Path, name: str) -> None:
    """Put the project's name into its ledger.toml; everything else stays as it is."""
    document = tomlkit.parse(file.read_text(encoding="utf-8"))
    project = document["project"]
    assert isinstance(project, dict)
    project["name"] = name or "project"
    file.write_text(tomlkit.dumps(document), encoding="utf-8", newline="\n")
