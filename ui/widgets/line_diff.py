"""Two texts beside each other, line by line and word by word. No widget.

Line numbers count from 1 as people read them; `parts` are (start, end) columns that differ within a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from workbench.analysis.compare import AlignedLine, Fold

MarginKind = Literal["added", "changed", "removed"]
Parts = tuple[tuple[int, int], ...]

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_SIMILAR = 0.45
_LARGEST_BLOCK = 2500


class Counts(NamedTuple):
    """How many lines were changed, added and removed."""

    changed: int
    added: int
    removed: int


def split_lines(text: str) -> list[str]:
    """Return the lines of a text with any line ends, none for an empty text."""
    lines = re.split(r"\r\n|\n|\r", text)
    return lines[:-1] if lines[-1] == "" else lines


def align(old: Sequence[str], new: Sequence[str], old_first: int = 1, new_first: int = 1) -> list[AlignedLine]:
    """Return the rows that show `old` beside `new`; the first lines have the numbers given."""
    rows: list[AlignedLine] = []
    for tag, i1, i2, j1, j2 in _opcodes(old, new):
        if tag == "equal":
            for offset in range(i2 - i1):
                text, i, j = old[i1 + offset], old_first + i1 + offset, new_first + j1 + offset
                rows.append(AlignedLine("same", i, j, text, new[j1 + offset]))
        else:
            rows += _block(old[i1:i2], new[j1:j2], old_first + i1, new_first + j1)
    return rows


def _opcodes(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Return difflib's opcodes; the equal head and tail, nearly all of a kernel, are taken off first."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    codes: list[tuple[str, int, int, int, int]] = [("equal", 0, head, 0, head)] if head else []
    codes += [(tag, i1 + head, i2 + head, j1 + head, j2 + head) for tag, i1, i2, j1, j2 in middle.get_opcodes()]
    if tail:
        codes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return codes


def _block(old: Sequence[str], new: Sequence[str], old_first: int, new_first: int) -> list[AlignedLine]:
    """Return the rows of a stretch that differs: similar lines beside each other, the others alone."""
    rows: list[AlignedLine] = []
    i = j = 0
    for pair_i, pair_j in [*_pairs(old, new), (len(old), len(new))]:
        rows += [AlignedLine("removed", old_first + k, None, old[k]) for k in range(i, pair_i)]
        rows += [AlignedLine("added", None, new_first + k, "", new[k]) for k in range(j, pair_j)]
        if pair_i < len(old):
            old_parts, new_parts = word_parts(old[pair_i], new[pair_j])
            row = AlignedLine("changed", old_first + pair_i, new_first + pair_j, old[pair_i], new[pair_j], old_parts, new_parts)
            rows.append(row)
        i, j = pair_i + 1, pair_j + 1
    return rows


def _similarity(old: Counter[str], new: Counter[str]) -> float:
    total = old.total() + new.total()
    return 2.0 * (old & new).total() / total if total else 1.0


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return which lines belong together, in order: the pairing with the greatest sum of similarities."""
    if len(old) * len(new) > _LARGEST_BLOCK:
        return [(k, k) for k in range(min(len(old), len(new)))]
    words = [[Counter(token for token in _TOKEN.findall(line) if not token.isspace()) for line in side] for side in (old, new)]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    gain = [[_similarity(a, b) for b in words[1]] for a in words[0]]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            paired = best[i + 1][j + 1] + gain[i][j] if gain[i][j] >= _SIMILAR else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if gain[i][j] >= _SIMILAR and best[i][j] == best[i + 1][j + 1] + gain[i][j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def word_parts(old: str, new: str) -> tuple[Parts, Parts]:
    """Return the columns of each line that the other does not have; gaps of blanks between them are closed."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    old_marks = [(i1, i2) for tag, i1, i2, _, _ in codes if tag != "equal" and i2 > i1]
    new_marks = [(j1, j2) for tag, _, _, j1, j2 in codes if tag != "equal" and j2 > j1]
    return _columns(a, old_marks), _columns(b, new_marks)


def _columns(tokens: list[str], marks: list[tuple[int, int]]) -> Parts:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    joined: list[tuple[int, int]] = []
    for begin, end in marks:
        if joined and all(token.isspace() for token in tokens[joined[-1][1] : begin]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    inked = [(begin, end) for begin, end in joined if not all(token.isspace() for token in tokens[begin:end])]
    return tuple((starts[begin], starts[end]) for begin, end in inked)


def fold(rows: Sequence[AlignedLine], context: int = 3) -> list[AlignedLine | Fold]:
    """Return the rows with runs of equal lines that stand further than `context` rows from a change replaced by one fold."""
    near = [False] * len(rows)
    for index, row in enumerate(rows):
        if row.kind != "same":
            for k in range(max(0, index - context), min(len(rows), index + context + 1)):
                near[k] = True
    shown: list[AlignedLine | Fold] = []
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and near[end] == near[start]:
            end += 1
        if near[start] or end - start < 2:
            shown += rows[start:end]
        else:
            shown.append(Fold(tuple(rows[start:end])))
        start = end
    return shown


def counts(rows: Sequence[AlignedLine]) -> Counts:
    """Return how many rows changed, were added and were removed."""
    kinds = Counter(row.kind for row in rows)
    return Counts(kinds["changed"], kinds["added"], kinds["removed"])


def margin(parent: str, text: str) -> dict[int, MarginKind]:
    """Return, for lines of `text` (from 0), how they differ from the parent; a removal stands at the line that follows it."""
    marks: dict[int, MarginKind] = {}
    following = 0
    last = max(0, len(split_lines(text)) - 1)
    for row in align(split_lines(parent), split_lines(text)):
        if row.b_number is not None:
            following = row.b_number
        match row.kind:
            case "added":
                marks[following - 1] = "added"
            case "changed":
                marks[following - 1] = "changed"
            case "removed":
                marks.setdefault(min(following, last), "removed")
    return marks
