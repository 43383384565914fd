"""The body of one diff hunk and the ways its lines can be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from workbench.model.edit import Marker, ProposedEdit, Row
from workbench.texts import Message, message

HEADER = re.compile(r"^@@+(?: *-(?P<a>\d+)(?:,(?P<m>\d+))? +\+(?P<b>\d+)(?:,(?P<n>\d+))?)? *(?:@@+)?(?P<heading>.*)$")
_DOUBLED = re.compile(r"^[+-](?![+-]\w)")
"""A text that begins with a second marker; `++i` and `--i` are code."""


@dataclass
class HunkBody:
    """Lines of one hunk as they stand in the answer. The header's numbers are claims, None where it has none."""

    header: re.Match[str] | None
    raw: list[str] = field(default_factory=list)
    cut_off: bool = False

    @property
    def claims(self) -> tuple[int, int] | None:
        """Old and new line counts of the header."""
        if self.header is None or self.header["a"] is None:
            return None
        return int(self.header["m"] or 1), int(self.header["n"] or 1)

    @property
    def counts(self) -> tuple[int, int]:
        """Old and new lines that are there."""
        added = sum(line.startswith("+") for line in self.raw)
        removed = sum(line.startswith("-") for line in self.raw)
        context = sum(not line.startswith(("+", "-", "\\")) for line in self.raw)
        return context + removed, context + added

    @property
    def satisfied(self) -> bool:
        """True when at least as many lines as claimed have come."""
        return self.claims is not None and self.counts[0] >= self.claims[0] and self.counts[1] >= self.claims[1]

    @property
    def short(self) -> bool:
        """True when fewer lines than claimed have come."""
        return self.claims is not None and (self.counts[0] < self.claims[0] or self.counts[1] < self.claims[1])

    def finish(self, file: str | None, title: str, *, doubtful: bool, notices: Sequence[Message]) -> ProposedEdit | None:
        """Return the edit, None for a hunk without lines."""
        right_counts = self.claims in (None, self.counts)
        trimmed = _trim(self.raw)
        if not trimmed:
            return None
        said = list(notices)
        if not right_counts and self.claims is not None:
            said += self._wrong_counts()
        readings, doubled = read_rows(trimmed)
        if doubled:
            said.append(
                message(
                    "Lines of this hunk carry two diff markers (such as ++); the second one was taken as the real one or dropped."
                )
            )
        heading = self.header["heading"].strip(" @") if self.header is not None else ""
        line = int(self.header["a"]) if self.header is not None and self.header["a"] else None
        refusal = _cut_off() if self.cut_off else None
        return ProposedEdit(
            "diff", readings, file, title or heading, line, tuple(said), doubtful=doubtful or doubled, refusal=refusal
        )

    def _wrong_counts(self) -> list[Message]:
        claims, counts = self.claims or (0, 0), self.counts
        return [
            message(
                "The hunk header was repaired: it says {a} old and {b} new lines, the hunk has {c} and {d}.",
                a=claims[0],
                b=claims[1],
                c=counts[0],
                d=counts[1],
            )
        ]


def _cut_off() -> Message:
    return message("This hunk looks cut off: the answer ends inside it; ask again or raise the limit on the answer's length.")


def _trim(raw: Sequence[str]) -> list[str]:
    """Drop unmarked empty lines at both ends (they are the answer's layout, not context)."""
    lines = [line for line in raw if not line.startswith("\\")]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def read_rows(raw: Sequence[str]) -> tuple[tuple[tuple[Row, ...], ...], bool]:
    """Return the readings of marked lines, likeliest first, and whether markers were doubled.

    The second reading takes context lines whole: some answers leave out the space before them.
    """
    plain = tuple(_row(line) for line in raw)
    changed = [text for marker, text in plain if marker != " "]
    if any(_DOUBLED.match(text) for text in changed):
        readings = [_doubled(raw)]
        if not any(re.match(r"^[+-](\s|$)", text) for text in changed):
            readings.append(plain)
        return tuple(readings), True
    whole: tuple[Row, ...] = tuple(
        (marker, line if marker == " " else text) for line, (marker, text) in zip(raw, plain, strict=True)
    )
    return ((plain,) if whole == plain else (plain, whole)), False


def _row(line: str) -> Row:
    if line[:1] in (" ", "+", "-"):
        return cast(Marker, line[0]), line[1:]
    return " ", line


def _doubled(raw: Sequence[str]) -> tuple[Row, ...]:
    """Read `++x` as an added, `--x` and `+-x` as a removed line, once; `+ x` stays context where all others are doubled."""
    rows: list[Row] = []
    every = all(_DOUBLED.match(line[1:]) for line in raw if line[:1] in ("+", "-") and line[1:2] != " ")
    for line in raw:
        marker, text = _row(line)
        if marker != " " and _DOUBLED.match(text):
            rows.append((cast(Marker, text[0]), text[1:]))
        elif every and line[:2] == "+ " and any(other[:2] == "+-" for other in raw):
            rows.append((" ", line[2:]))
        else:
            rows.append((marker, text))
    return tuple(rows)
