"""What a table shows, as values: columns, and cells of text, chips, swatches and share bars. No widget."""

from __future__ import annotations

from typing import Literal, NamedTuple

from workbench.model.ledger import Chip

Tone = Literal["text", "dim", "faint", "accent", "proven", "wrong", "doubt"]


class Column(NamedTuple):
    """A column. `drop` says when it goes where room is short: the highest number first, 0 never.

    A stretching column may become as narrow as `least` px before others go; its cells are elided then, and need tooltips.
    """

    title: str
    right: bool = False
    stretch: bool = False
    drop: int = 0
    least: int = 0


class Cell(NamedTuple):
    """One cell. A bar is (fraction 0 to 1, colour token) and stands before the text; a swatch is a colour token."""

    text: str = ""
    tone: Tone = "text"
    mono: bool = False
    strong: bool = False
    chip: Chip | None = None
    swatch: str | None = None
    bar: tuple[float, str] | None = None
    tip: str = ""

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        return " ".join(part for part in (self.text, self.chip) if part)


def number(text: str, tone: Tone = "text") -> Cell:
    """Return a cell with a number that is text already."""
    return Cell(text, tone, mono=True)


def kept_columns(columns: tuple[Column, ...], widths: tuple[int, ...], room: int) -> tuple[bool, ...]:
    """Return which columns are shown so that their widths fit into `room`, dropping in the stated order."""
    kept = [True] * len(columns)
    for index in sorted(range(len(columns)), key=lambda k: -columns[k].drop):
        if sum(width for width, keep in zip(widths, kept, strict=True) if keep) <= room or not columns[index].drop:
            break
        kept[index] = False
    return tuple(kept)
