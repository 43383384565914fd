"""Two sources aligned line by line, with the changed words of changed lines, and unchanged runs that can be folded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

import msgspec

Span = tuple[int, int]
"""Start and end (exclusive) of changed characters in a line."""
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_ALIKE = 0.4
"""Lines less similar than this stand apart as removed and added."""
_LARGE = 4000
"""Cells of a replaced block above which its lines are paired in order, not by similarity."""


class AlignedLine(msgspec.Struct, frozen=True):
    """One row of a side-by-side diff. Numbers are 1-based and None where that side has no such line."""

    kind: Literal["same", "changed", "added", "removed"]
    a_number: int | None
    b_number: int | None
    a_text: str = ""
    b_text: str = ""
    a_spans: tuple[Span, ...] = ()
    b_spans: tuple[Span, ...] = ()


class Fold(msgspec.Struct, frozen=True):
    """A run of unchanged lines that is hidden; `lines` can be shown in its place."""

    lines: tuple[AlignedLine, ...]

    @property
    def count(self) -> int:
        """How many lines are hidden."""
        return len(self.lines)


def align(a: str, b: str) -> tuple[AlignedLine, ...]:
    """Return the lines of two sources side by side, with the changed words of changed lines as spans.

    Line ends do not count as a difference. Every line of both sources stands in exactly one row, in its order.
    """
    left, right = a.splitlines(), b.splitlines()
    rows: list[AlignedLine] = []
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs = zip(range(i, j), range(k, m), strict=True)
            rows.extend(AlignedLine("same", x + 1, y + 1, left[x], right[y]) for x, y in pairs)
        else:
            rows.extend(_block(left, right, range(i, j), range(k, m)))
    return tuple(rows)


def fold_unchanged(lines: Sequence[AlignedLine], context: int = 3) -> tuple[AlignedLine | Fold, ...]:
    """Replace unchanged runs by folds, keeping `context` lines beside each change; a single line is never folded."""
    near = [False] * len(lines)
    for index, line in enumerate(lines):
        if line.kind != "same":
            near[max(0, index - context) : index + context + 1] = [True] * (
                min(len(lines), index + context + 1) - max(0, index - context)
            )
    shown: list[AlignedLine | Fold] = []
    begin = 0
    while begin < len(lines):
        end = begin + 1
        while end < len(lines) and near[end] == near[begin]:
            end += 1
        run = tuple(lines[begin:end])
        shown.extend(run if near[begin] or len(run) < 2 else (Fold(run),))
        begin = end
    return tuple(shown)


def word_spans(a: str, b: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the characters of each line that belong to changed words."""
    left, right = _WORD.findall(a), _WORD.findall(b)
    spans: tuple[list[Span], list[Span]] = ([], [])
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            for found, words, first, last in ((spans[0], left, i, j), (spans[1], right, k, m)):
                if first < last:
                    start = len("".join(words[:first]))
                    found.append((start, start + len("".join(words[first:last]))))
    return tuple(spans[0]), tuple(spans[1])


def _block(left: list[str], right: list[str], old: range, new: range) -> Iterator[AlignedLine]:
    """A replaced block: the most alike lines side by side, in order, the others alone."""
    i, j = old.start, new.start
    for x, y in (*_pairs(left, right, old, new), (old.stop, new.stop)):
        yield from (AlignedLine("removed", n + 1, None, left[n]) for n in range(i, x))
        yield from (AlignedLine("added", None, n + 1, "", right[n]) for n in range(j, y))
        if x < old.stop and y < new.stop:
            spans = word_spans(left[x], right[y])
            yield AlignedLine("changed", x + 1, y + 1, left[x], right[y], *spans)
        i, j = x + 1, y + 1


def _pairs(left: list[str], right: list[str], old: range, new: range) -> list[tuple[int, int]]:
    """The pairing in order with the greatest summed similarity, by dynamic programming."""
    if not old or not new:
        return []
    if len(old) * len(new) > _LARGE:
        return list(zip(old, new, strict=False))
    likeness = [[_likeness(left[x], right[y]) for y in new] for x in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for r in reversed(range(len(old))):
        for c in reversed(range(len(new))):
            together = likeness[r][c] + best[r + 1][c + 1] if likeness[r][c] >= _ALIKE else 0.0
            best[r][c] = max(together, best[r + 1][c], best[r][c + 1])
    return _walk(best, likeness, old, new)


def _walk(best: list[list[float]], likeness: list[list[float]], old: range, new: range) -> list[tuple[int, int]]:
    pairs, r, c = [], 0, 0
    while r < len(old) and c < len(new):
        if likeness[r][c] >= _ALIKE and best[r][c] == likeness[r][c] + best[r + 1][c + 1]:
            pairs.append((old[r], new[c]))
            r, c = r + 1, c + 1
        elif best[r][c] == best[r + 1][c]:
            r += 1
        else:
            c += 1
    return pairs


def _likeness(a: str, b: str) -> float:
    """Similarity of two lines by their words, 0 to 1, indentation apart."""
    matcher = SequenceMatcher(None, _WORD.findall(a.strip()), _WORD.findall(b.strip()), autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0
