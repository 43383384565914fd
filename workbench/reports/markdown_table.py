"""Text and tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def text(value: str) -> str:
    """Return text that Markdown prints as it stands, on one line."""
    return value.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells are escaped."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(text(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
