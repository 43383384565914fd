"""What is shipped but not code: icons, themes, prompts, hardware files, demos, the emulator's headers, fonts, translations."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def path(name: str) -> Path:
    """Return the path of a shipped file or folder, named relative to this package with forward slashes."""
    return _HERE.joinpath(*name.split("/"))


def read(name: str) -> str:
    """Return a shipped text file. Raises FileNotFoundError: a missing resource is a bug in the packaging."""
    return path(name).read_text(encoding="utf-8")
