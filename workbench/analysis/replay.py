"""Replays the removed and added lines of a hunk on the file's own lines, so that its context is never overwritten."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from workbench.analysis.code_text import common_indent, indent_of
from workbench.model.edit import Row

Pair = tuple[int | None, int | None]
"""A line of the hunk's old side and the line of the window it stands for; None where the other has no such line."""


def old_side(rows: Iterable[Row]) -> list[str]:
    """Return what the hunk expects in the file."""
    return [text for marker, text in rows if marker != "+"]


def new_side(rows: Iterable[Row]) -> list[str]:
    """Return what the hunk leaves in the file."""
    return [text for marker, text in rows if marker != "-"]


def replay_exact(rows: Sequence[Row], window: Sequence[str]) -> list[str]:
    """Return the new lines of a window that equals the hunk's old side up to its common indent."""
    before, after = common_indent(old_side(rows)), common_indent(window)
    lines: list[str] = []
    own = iter(window)
    for marker, text in rows:
        if marker == "+":
            lines.append(reindent(text, before, after))
        else:
            line = next(own)
            lines += [line] if marker == " " else []
    return lines


def replay_loose(rows: Sequence[Row], window: Sequence[str]) -> list[str]:
    """Return the new lines of a window that is only like the hunk's old side; lines of the file it does not know are kept."""
    old = old_side(rows)
    pairs = list(_align(old, window))
    own = {i: j for i, j in pairs if i is not None and j is not None}
    lines: list[str] = []
    taken = at = 0
    shift = _first_shift(old, window, own)
    for marker, text in rows:
        if marker == "+":
            lines.append(reindent(text, *shift))
            continue
        j = own.get(at)
        if j is not None:
            lines += window[taken:j]
            lines += [window[j]] if marker == " " else []
            taken = j + 1
            if text.strip():
                shift = indent_of(text), indent_of(window[j])
        at += 1
    return [*lines, *window[taken:]]


def _first_shift(old: Sequence[str], window: Sequence[str], own: dict[int, int]) -> tuple[str, str]:
    return next(((indent_of(old[i]), indent_of(window[j])) for i, j in sorted(own.items()) if old[i].strip()), ("", ""))


def _align(old: Sequence[str], window: Sequence[str]) -> Iterator[Pair]:
    a, b = (["".join(line.split()) for line in lines] for lines in (old, window))
    for _, i, i_end, j, j_end in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        for step in range(max(i_end - i, j_end - j)):
            yield (i + step if i + step < i_end else None), (j + step if j + step < j_end else None)


def reindent(line: str, before: str, after: str) -> str:
    """Return a line of a block whose common indent is `before`, as it stands in one whose indent is `after`.

    A line less indented than its block moves by the difference; a preprocessor line at the margin stays there.
    """
    if before == after or not line.strip():
        return line
    if line.startswith(before):
        return after + line[len(before) :]
    if line.startswith("#"):
        return line
    if after.startswith(before):
        return after[len(before) :] + line
    surplus = max(0, len(before) - len(after))
    return line[min(surplus, len(indent_of(line))) :]
