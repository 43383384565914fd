"""What the window makes of aligned lines: marks of the margin, rows of a hunk, and calm highlights. No widget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from workbench.analysis.aligned import AlignedLine, Span, align

MarginKind = Literal["added", "changed", "removed"]


class Counts(NamedTuple):
    """How many lines were changed, added and removed."""

    changed: int
    added: int
    removed: int


def align_lines(old: Sequence[str], new: Sequence[str], old_first: int, new_first: int) -> list[AlignedLine]:
    """Return the rows of two pieces of source whose first lines have the numbers given."""
    rows = align("".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new))
    return [
        msgspec.structs.replace(
            row,
            a_number=None if row.a_number is None else row.a_number + old_first - 1,
            b_number=None if row.b_number is None else row.b_number + new_first - 1,
        )
        for row in rows
    ]


def calm(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans without those of blanks alone, and with gaps of blanks between them closed: easier to read."""
    joined: list[Span] = []
    for start, end in spans:
        if not text[start:end].strip():
            continue
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def counts(rows: Iterable[AlignedLine]) -> Counts:
    """Return how many rows changed, were added and were removed."""
    kinds = Counter(row.kind for row in rows)
    return Counts(kinds["changed"], kinds["added"], kinds["removed"])


def margin(parent: str, text: str) -> dict[int, MarginKind]:
    """Return, for lines of `text` (from 0), how they differ from the parent; a removal stands at the line that follows it."""
    marks: dict[int, MarginKind] = {}
    following, rows = 0, align(parent, text)
    last = max((row.b_number or 1 for row in rows), default=1) - 1
    for row in rows:
        following = row.b_number or following
        match row.kind:
            case "added":
                marks[following - 1] = "added"
            case "changed":
                marks[following - 1] = "changed"
            case "removed":
                marks.setdefault(min(following, last), "removed")
    return marks
