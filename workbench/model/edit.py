"""What an answer proposes, and what became of each hunk against a base text. Lines never carry their line ends."""

from __future__ import annotations

import difflib
import hashlib
from typing import Literal

import msgspec

from workbench.texts import Message

HunkStatus = Literal["applied", "needs-confirmation", "refused", "already-applied"]
Outcome = Literal["applied", "needs-confirmation", "refused", "already-applied", "no-change"]
EditKind = Literal["diff", "search-replace", "whole-file"]
Marker = Literal[" ", "-", "+"]
Row = tuple[Marker, str]
"""One line of a diff: unchanged, removed or added, and its text."""


class ProposedEdit(msgspec.Struct, frozen=True):
    """One edit as read from an answer, before anybody looked where it belongs."""

    kind: EditKind
    readings: tuple[tuple[Row, ...], ...]
    """How its lines can be read, likeliest first: a second one where a marker was lost or doubled."""
    file: str | None = None
    """The path the answer names, without `a/` and `b/`."""
    title: str = ""
    claimed_line: int | None = None
    """The line number of its `@@` header: told to the reader, never used to find the place."""
    notices: tuple[Message, ...] = ()
    """What was repaired in reading it."""
    doubtful: bool = False
    """True where reading it took a guess: never applied without being asked."""
    refusal: Message | None = None
    """Why it cannot be used at all (cut off, shortened, a deletion of the file)."""


class Reply(msgspec.Struct, frozen=True):
    """An answer of a model or of a person's clipboard, read."""

    edits: tuple[ProposedEdit, ...] = ()
    hypothesis: str = ""
    metric: str = ""
    truncated: bool = False
    """True when it looks cut off (or the advisor said that it was)."""
    crlf: bool = False
    """True when the answer came with CRLF line ends (pasted on Windows)."""
    notices: tuple[Message, ...] = ()


class Hunk(msgspec.Struct, frozen=True):
    """One piece of a plan. `old` are the base's own lines from `first_line` on, `new` what stands there afterwards.

    For a hunk that found no place (`first_line` None) both are as the answer gave them.
    """

    number: int
    """1-based, in the answer's order."""
    file: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    status: HunkStatus
    title: str = ""
    """The answer's own words for it, or the heading of its `@@` line; empty when it gave none."""
    first_line: int | None = None
    """1-based line of the base where `old` begins."""
    similarity: float = 0.0
    """Likeness of the answer's old lines to the base's, 0 to 1; 1 is an exact match."""
    notices: tuple[Message, ...] = ()
    added: int = 0
    removed: int = 0

    @property
    def can_apply(self) -> bool:
        """True when accepting this hunk changes the text."""
        return self.status in ("applied", "needs-confirmation")

    def rows(self) -> tuple[Row, ...]:
        """Return the hunk as a diff, top to bottom."""
        rows: list[Row] = []
        matcher = difflib.SequenceMatcher(None, self.old, self.new, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag == "equal":
                rows += [(" ", line) for line in self.old[a:b]]
            else:
                rows += [("-", line) for line in self.old[a:b]]
                rows += [("+", line) for line in self.new[c:d]]
        return tuple(rows)


class EditPlan(msgspec.Struct, frozen=True):
    """What accepting an answer would do to one base text. Holds for exactly the text with `base_hash`."""

    base_hash: str
    hunks: tuple[Hunk, ...]
    outcome: Outcome
    """For all hunks together; `outcome_of` in `workbench.analysis.apply_edit` answers for a choice of them."""
    notices: tuple[Message, ...] = ()
    other_files: tuple[str, ...] = ()
    """Files the answer also wanted to change; nothing is done to them."""
    whole_file: bool = False
    truncated: bool = False

    def hunk(self, number: int) -> Hunk | None:
        """Return the hunk with this number."""
        return next((hunk for hunk in self.hunks if hunk.number == number), None)

    @property
    def acceptable(self) -> tuple[int, ...]:
        """Numbers of the hunks that can be accepted."""
        return tuple(hunk.number for hunk in self.hunks if hunk.can_apply)


def text_hash(text: str) -> str:
    """SHA-256 (64 hex digits) of a text as UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
