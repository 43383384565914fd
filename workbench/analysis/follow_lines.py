"""Findings that stay at their lines while a text is edited."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workbench.model.failure import SourceLine


def follow_lines(marks: Sequence[SourceLine], before: str, after: str) -> tuple[SourceLine, ...]:
    """Return findings at lines of `before` as they stand in `after`: moved with their line, gone where that line was changed.

    What was changed are the lines between those that both texts begin with and those that both end with.
    """
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    head = next((place for place in range(most) if old[place] != new[place]), most)
    tail = next((place for place in range(most - head) if old[-1 - place] != new[-1 - place]), most - head)
    moved = len(new) - len(old)
    return tuple(
        mark if mark.line <= head else msgspec.structs.replace(mark, line=mark.line + moved)
        for mark in marks
        if mark.line <= head or mark.line > len(old) - tail
    )
