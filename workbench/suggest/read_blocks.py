"""Search/replace blocks of an answer."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.model.edit import ProposedEdit, Row
from workbench.suggest.segments import Segment, last_paragraph, path_on_line, title_of
from workbench.texts import Message, message

_SEARCH = re.compile(r"^ {0,3}<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b", re.IGNORECASE)
_DIVIDER = re.compile(r"^ {0,3}={5,9}\s*$")
_REPLACE = re.compile(r"^ {0,3}>{5,9} ?(?:REPLACE|UPDATED|\S+)?\s*$", re.IGNORECASE)
_LINE_HINT = re.compile(r"^:(?:start|end)_line:\s*\d+\s*$|^-{5,9}\s*$")


def has_blocks(lines: Sequence[str]) -> bool:
    """True when a search/replace block begins in these lines."""
    return any(_SEARCH.match(line) for line in lines)


def is_block_start(line: str) -> bool:
    """True for the first line of a search/replace block."""
    return _SEARCH.match(line) is not None


@dataclass
class _Block:
    file: str | None
    title: str
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    part: str = "old"

    def add(self, line: str) -> None:
        if self.part == "old" and not self.old and _LINE_HINT.match(line):
            return
        (self.old if self.part == "old" else self.new).append(line)

    def finish(self, *, doubtful: bool) -> ProposedEdit:
        refusal = None if self.part == "done" else self._cut_off()
        rows = rows_between(self.old, self.new)
        return ProposedEdit("search-replace", (rows,), self.file, self.title, doubtful=doubtful, refusal=refusal)

    def _cut_off(self) -> Message:
        if self.part == "old":
            return message(
                "This search/replace block has no ======= line, so where the replacement begins is not known; ask again."
            )
        return message("This search/replace block has no closing >>>>>>> REPLACE line: the answer looks cut off here; ask again.")


def read_blocks(segment: Segment) -> list[ProposedEdit]:
    """Return the blocks of a segment in order. A block without its end is refused; in an unclosed fence all are doubtful."""
    edits: list[ProposedEdit] = []
    block: _Block | None = None
    prose = list(segment.before)
    file = segment.file
    for line in segment.lines:
        if _SEARCH.match(line):
            if block is not None:
                edits.append(block.finish(doubtful=True))
            above = last_paragraph(prose)
            file = (path_on_line(above[-1]) if above else None) or file
            block = _Block(file, title_of(prose))
            prose = []
        elif block is None:
            prose.append(line)
        elif block.part == "old" and _DIVIDER.match(line):
            block.part = "new"
        elif block.part == "new" and _REPLACE.match(line):
            block.part = "done"
            edits.append(block.finish(doubtful=not segment.closed))
            block = None
        else:
            block.add(line)
    if block is not None:
        edits.append(block.finish(doubtful=True))
    return edits


def rows_between(old: Sequence[str], new: Sequence[str]) -> tuple[Row, ...]:
    """Return the diff that turns `old` into `new`, with all lines of both."""
    rows: list[Row] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [(" ", line) for line in old[a:b]]
        else:
            rows += [("-", line) for line in old[a:b]]
            rows += [("+", line) for line in new[c:d]]
    return tuple(rows)
