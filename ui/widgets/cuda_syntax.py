"""What the words of a CUDA source are, kept up to date while it is typed. No widget.

Lines count from 0 and columns are characters of the line (UTF-16 units, as QTextDocument counts them).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

import tree_sitter_c
import tree_sitter_cpp
import tree_sitter_cuda
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

Word = Literal["keyword", "type", "function", "number", "string", "comment", "directive", "attribute"]

_WORDS: dict[str, Word] = {
    "keyword": "keyword", "keyword.modifier": "keyword", "type": "type", "function": "function", "function.special": "function",
    "number": "number", "string": "string", "comment": "comment", "directive": "directive", "constant": "number",
    "variable.builtin": "type", "attribute": "keyword",
}  # fmt: skip
_MORE = """
(preproc_directive) @directive
"#define" @directive "#elif" @directive "#else" @directive "#endif" @directive
"#if" @directive "#ifdef" @directive "#ifndef" @directive "#include" @directive
"__shared__" @attribute "__constant__" @attribute "__restrict__" @attribute
(true) @number (false) @number
((identifier) @variable.builtin (#match? @variable.builtin "^(threadIdx|blockIdx|blockDim|gridDim|warpSize)$"))
((comment) @directive (#match? @directive "^//\\\\s*ledger:"))
"""
_RANK: dict[str, int] = {
    "comment": 9, "directive": 10, "string": 8, "number": 7, "attribute": 6, "keyword.modifier": 6, "keyword": 5,
    "function.special": 4, "function": 4, "variable.builtin": 3, "type": 3, "constant": 2,
}  # fmt: skip


class Span(NamedTuple):
    """Columns start to end (end not included) of one line, and what stands there."""

    start: int
    end: int
    word: Word


@lru_cache(maxsize=1)
def _query() -> Query:
    """Compile what the words are found with; once, since that takes longer than any source."""
    packages = (tree_sitter_c, tree_sitter_cpp, tree_sitter_cuda)
    texts = [(files(package) / "queries" / "highlights.scm").read_text("utf-8") for package in packages]
    return Query(Language(tree_sitter_cuda.language()), "\n".join([*texts, _MORE]))


def _changed_middle(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Return start, old end and new end of the smallest stretch in which two texts differ."""
    import numpy as np  # late: a window without a source need not load it

    length = min(len(old), len(new))
    a, b = np.frombuffer(old, np.uint8), np.frombuffer(new, np.uint8)
    differ = np.flatnonzero(a[:length] != b[:length])
    start = int(differ[0]) if len(differ) else length
    rest = length - start
    tail = np.flatnonzero(a[len(old) - rest :][::-1] != b[len(new) - rest :][::-1])
    end = int(tail[0]) if len(tail) else rest
    return start, len(old) - end, len(new) - end


def _point(text: bytes, offset: int) -> tuple[int, int]:
    row = text.count(b"\n", 0, offset)
    return row, offset - (text.rfind(b"\n", 0, offset) + 1)


class CudaSyntax:
    """A parsed source. `update` re-parses only what an edit touched; `spans` answers for a window of lines."""

    def __init__(self) -> None:
        self._parser = Parser(Language(tree_sitter_cuda.language()))
        self._bytes = b""
        self._lines = [b""]
        self._tree: Tree = self._parser.parse(b"")

    @property
    def text(self) -> str:
        """The text as last taken."""
        return self._bytes.decode("utf-8", "surrogatepass")

    def update(self, text: str) -> None:
        """Take the whole text as it is now (line ends LF)."""
        content = text.encode("utf-8", "surrogatepass")
        if content == self._bytes:
            return
        start, old_end, new_end = _changed_middle(self._bytes, content)
        self._tree.edit(
            start_byte=start,
            old_end_byte=old_end,
            new_end_byte=new_end,
            start_point=_point(content, start),
            old_end_point=_point(self._bytes, old_end),
            new_end_point=_point(content, new_end),
        )
        self._bytes, self._lines = content, content.split(b"\n")
        self._tree = self._parser.parse(content, self._tree)

    def spans(self, first: int, last: int) -> list[list[Span]]:
        """Return for each line first to last (both included) its spans in order, none overlapping, of its first 4,000 bytes."""
        lines = [line[:_LONGEST] for line in self._lines[first : last + 1]]
        painted: list[list[Word | None]] = [[None] * len(line) for line in lines]
        if not self._bytes:
            return [[] for _ in lines]
        cursor = QueryCursor(_query())
        cursor.set_point_range((first, 0), (last + 1, 0))
        captures = cursor.captures(self._tree.root_node)
        for name in sorted(set(captures) & set(_WORDS), key=_RANK.__getitem__):
            for node in captures[name]:
                _paint(node, _WORDS[name], first, painted)
        return [_runs(columns, line) for columns, line in zip(painted, lines, strict=True)]

    def bracket_pair(self, line: int, column: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return both places of the bracket pair that has one of its brackets at this place, None when there is none."""
        lines = self._lines
        if line >= len(lines):
            return None
        at = len(_prefix(lines[line], column))
        node = self._tree.root_node.descendant_for_point_range((line, at), (line, at + 1))
        if node is None or node.type not in _PAIRS or node.parent is None:
            return None
        partner = _partner(node)
        if partner is None:
            return None
        row, byte = partner.start_point
        return (line, column), (row, _columns(lines[row][:byte]))


_LONGEST = 4000
"""Bytes of a line that are coloured: a table of numbers in one line has thousands of words, all looked at for each key."""
_PAIRS = {"(": ")", "[": "]", "{": "}", "<<<": ">>>", ")": "(", "]": "[", "}": "{", ">>>": "<<<"}


def _partner(node: Node) -> Node | None:
    siblings = node.parent.children if node.parent else []
    places = [index for index, sibling in enumerate(siblings) if sibling.id == node.id]
    if not places:
        return None
    opening = node.type in ("(", "[", "{", "<<<")
    order: Sequence[Node] = siblings[places[0] + 1 :] if opening else siblings[: places[0]][::-1]
    return next((sibling for sibling in order if sibling.type == _PAIRS[node.type] and not sibling.is_missing), None)


def _prefix(line: bytes, column: int) -> bytes:
    text = line.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
    return text[: 2 * column].decode("utf-16-le", "replace").encode("utf-8", "surrogatepass")


def _columns(part: bytes) -> int:
    return len(part) if part.isascii() else len(part.decode("utf-8", "replace").encode("utf-16-le")) // 2


def _paint(node: Node, word: Word, first: int, painted: list[list[Word | None]]) -> None:
    """Write a node's word over its byte columns, on each line it covers."""
    (row, column), (end_row, end_column) = node.start_point, node.end_point
    for line in range(max(row, first), min(end_row, first + len(painted) - 1) + 1):
        columns = painted[line - first]
        begin = column if line == row else 0
        end = min(end_column, len(columns)) if line == end_row else len(columns)
        columns[begin:end] = [word] * max(0, end - begin)


def _runs(painted: list[Word | None], line: bytes) -> list[Span]:
    """Join neighbouring columns of one word; byte columns become character columns."""
    found: list[Span] = []
    start, plain = 0, line.isascii()
    for end in range(1, len(painted) + 1):
        if end == len(painted) or painted[end] != painted[start]:
            word = painted[start]
            if word is not None:
                begin, stop = (start, end) if plain else (_columns(line[:start]), _columns(line[:end]))
                found.append(Span(begin, stop, word))
            start = end
    return found
