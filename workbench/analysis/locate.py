"""Where lines of an answer stand in a text: exactly, but for white space, or about there. Line numbers have no say."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from workbench.analysis.code_text import dedent

LEAST_SIMILARITY = 0.7
"""Below this nothing is offered (issue 2; libraries.md section 7 measured it on damaged patches)."""
CLEAR_LEAD = 1.5
"""A likeness counts as unique only when every window elsewhere differs at least this many times as much."""
_WORTH_KNOWING = 1 - CLEAR_LEAD * (1 - LEAST_SIMILARITY)
"""A window less alike than this can be neither a place nor a rival of one."""
_MOST_WINDOWS = 60_000
"""In a longer file only windows are compared that share a line with the hunk."""

Match = Literal["verbatim", "indent", "verbatim among indents", "white space", "similar", "none", "several"]


@dataclass(frozen=True)
class Place:
    """A window of the base: `length` lines from `start` (0-based). `others` are the starts where it would fit as well."""

    match: Match
    start: int = 0
    length: int = 0
    similarity: float = 0.0
    others: tuple[int, ...] = ()

    @property
    def found(self) -> bool:
        """True when there is one place."""
        return self.match not in ("none", "several")


def find_exact(base: Sequence[str], old: Sequence[str]) -> Place:
    """Find `old` verbatim or with another common indent; "several" when that fits more than once.

    "verbatim among indents" fits once as it stands, but again elsewhere with another indent.
    """
    size = len(old)
    bare = [line.lstrip() for line in old]
    target = dedent(old)
    stripped = [line.lstrip() for line in base]
    starts = [
        start
        for start in range(len(base) - size + 1)
        if stripped[start : start + size] == bare and dedent(base[start : start + size]) == target
    ]
    verbatim = [start for start in starts if list(base[start : start + size]) == list(old)]
    if len(starts) == 1:
        return Place("verbatim" if verbatim else "indent", starts[0], size, 1.0)
    if len(verbatim) == 1:
        return Place("verbatim among indents", verbatim[0], size, 1.0, tuple(starts))
    return Place("several", others=tuple(starts), similarity=1.0) if starts else Place("none")


def find_loose(base: Sequence[str], old: Sequence[str]) -> Place:
    """Find `old` but for white space, else the most similar window of at least LEAST_SIMILARITY and with a CLEAR_LEAD."""
    size = len(old)
    wanted = ["".join(line.split()) for line in old]
    squeezed = ["".join(line.split()) for line in base]
    starts = [start for start in range(len(base) - size + 1) if squeezed[start : start + size] == wanted]
    if len(starts) > 1:
        return Place("several", others=tuple(starts), similarity=1.0)
    if starts:
        start = starts[0]
        return Place("white space", start, size, similarity(old, base[start : start + size]))
    return _most_similar(base, old)


def similarity(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the likeness of two blocks, 0 to 1: difflib's ratio over characters, indent and trailing space left out."""
    return difflib.SequenceMatcher(None, _flat(a), _flat(b), autojunk=False).ratio()


def _flat(lines: Sequence[str]) -> str:
    return "\n".join(line.strip() for line in lines)


def _most_similar(base: Sequence[str], old: Sequence[str]) -> Place:
    scored = list(_scored(base, old))
    if not scored:
        return Place("none")
    best, start, size = max(scored, key=lambda item: (item[0], -abs(item[2] - len(old)), -item[1]))
    if best < LEAST_SIMILARITY:
        return Place("none", similarity=best)
    rivals = {
        at for ratio, at, count in scored if 1 - ratio <= CLEAR_LEAD * (1 - best) and (at >= start + size or at + count <= start)
    }
    if rivals:
        return Place("several", others=tuple(sorted({start, *rivals})), similarity=best)
    return Place("similar", start, size, best)


def _scored(base: Sequence[str], old: Sequence[str]) -> Iterator[tuple[float, int, int]]:
    """Yield likeness, start and length of every window that could matter: as long as `old`, or up to two lines off."""
    text = _flat(old)
    matcher = difflib.SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(text)
    lengths = [size for size in range(max(1, len(old) - 2), len(old) + 3) if size <= len(base)]
    stripped = [line.strip() for line in base]
    until = [0, *itertools.accumulate(len(line) + 1 for line in stripped)]
    only_near = len(base) * len(lengths) > _MOST_WINDOWS
    known = {line.strip() for line in old if len(line.strip()) > 2}
    shares = [line in known for line in stripped]
    for size in lengths:
        for start in range(len(base) - size + 1):
            chars = until[start + size] - until[start] - 1
            if 2 * min(chars, len(text)) < _WORTH_KNOWING * (chars + len(text)):
                continue
            if only_near and not any(shares[start : start + size]):
                continue
            matcher.set_seq1("\n".join(stripped[start : start + size]))
            if matcher.quick_ratio() >= _WORTH_KNOWING and (ratio := matcher.ratio()) >= _WORTH_KNOWING:
                yield ratio, start, size
