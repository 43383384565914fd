"""Writing a report to a file, its format by the file's suffix."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from workbench.errors import WrongInput
from workbench.reports.access_words import access_csv
from workbench.reports.as_csv import as_csv
from workbench.reports.as_json import as_json
from workbench.reports.as_markdown import as_markdown
from workbench.reports.as_pdf import as_pdf
from workbench.reports.blocks import Document

FORMATS: Mapping[str, Callable[[Document], bytes]] = {
    ".pdf": as_pdf,
    ".md": lambda document: as_markdown(document).encode(),
    ".csv": lambda document: as_csv(document).encode("utf-8-sig"),  # with the mark by which spreadsheets know UTF-8
    ".json": lambda document: as_json(document).encode(),
}


def write_report(document: Document, path: Path) -> Path:
    """Write the report whole or not at all (an older file at `path` is replaced) and return its path.

    A CSV holds one table, so that memory access, where a version was analysed, goes into a second one: `NAME-access.csv`. Raises
    WrongInput for a suffix that is none of FORMATS, a folder that is not there, or a place that cannot be written.
    """
    make = FORMATS.get(path.suffix.lower())
    if make is None:
        raise WrongInput(
            "The name {path} does not say which report to write: it must end in {suffixes}.",
            path=str(path),
            suffixes=", ".join(FORMATS),
        )
    if not path.parent.is_dir():
        raise WrongInput(
            "The report cannot be written to {path}: there is no folder {folder}; make it, or name another place.",
            path=str(path),
            folder=str(path.parent),
        )
    files = {path: make(document)}
    if path.suffix.lower() == ".csv" and document.access:
        files[path.with_name(f"{path.stem}-access{path.suffix}")] = access_csv(document).encode("utf-8-sig")
    try:
        for target, content in files.items():
            _replace(target, content)
    except OSError as error:
        raise WrongInput(
            "The report {path} cannot be written: {reason}; check the folder, its permissions and the space on the disk.",
            path=str(path),
            reason=error.strerror or str(error),
        ) from error
    return path


def _replace(path: Path, content: bytes) -> None:
    if path.is_dir():
        raise IsADirectoryError(21, "a folder has that name")
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with new.open("xb") as file:
            file.write(content)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
