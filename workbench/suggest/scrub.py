"""Keeps the paths of the user's machine out of what is sent away."""

from __future__ import annotations

import re
from pathlib import Path

_PATH = re.compile(
    r"(?P<lead>(?:^|(?<=[\s\"'=(,;:\[<>`|])|(?<=-[ILB])|(?<=-isystem)))"
    r"(?:~|[A-Za-z]:)?[\\/](?:[^\s\"'<>|;,()\\/:]+[\\/])+(?P<last>[^\s\"'<>|;,()\\/:]*)"
)


def without_paths(text: str, folder: Path | None = None) -> str:
    """Return `text` with every absolute path shortened to its last part; paths inside `folder` stay relative to it."""
    if folder is not None and folder.is_absolute():
        for spelled in (str(folder), folder.as_posix()):
            text = text.replace(spelled.rstrip("/\\") + "/", "").replace(spelled.rstrip("/\\") + "\\", "").replace(spelled, ".")
    return _PATH.sub(lambda found: found["lead"] + found["last"], text)
