"""What the reader decided about each hunk of a suggestion so far. No widget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ui.widgets.code_rows import CodeLine, words_of
from ui.widgets.cuda_syntax import Span
from ui.widgets.line_diff import align_lines, calm
from workbench.analysis.aligned import AlignedLine
from workbench.model.edit import EditPlan, Hunk
from workbench.model.suggestion import Suggestion

Choice = Literal["accepted", "refused"]


class Choices(msgspec.Struct, frozen=True):
    """Decisions by hunk number; a hunk without one is open. `current` is the hunk the keys act on, 0 for none."""

    plan: EditPlan
    decided: Mapping[int, Choice] = {}
    current: int = 0

    def of(self, number: int) -> Choice | None:
        """Return what was decided about a hunk."""
        return self.decided.get(number)

    def decide(self, number: int, choice: Choice) -> Choices:
        """Return the choices with a hunk decided; the same decision again takes it back. What cannot be applied stays so."""
        hunk = self.plan.hunk(number)
        if hunk is None or not hunk.can_apply:
            return self
        decided = dict(self.decided)
        if decided.get(number) == choice:
            del decided[number]
        else:
            decided[number] = choice
        return msgspec.structs.replace(self, decided=decided, current=number)

    def accept_exact(self) -> Choices:
        """Return the choices with every open hunk accepted that was found exactly; what needs a look stays open."""
        exact: dict[int, Choice] = {hunk.number: "accepted" for hunk in self.plan.hunks if hunk.status == "applied"}
        return msgspec.structs.replace(self, decided={**exact, **self.decided})

    def at(self, number: int) -> Choices:
        """Return the choices with this hunk as the current one."""
        return msgspec.structs.replace(self, current=number)

    def moved(self, step: int) -> Choices:
        """Return the choices with the next (1) or previous (-1) hunk as the current one."""
        numbers = [hunk.number for hunk in self.plan.hunks]
        if not numbers:
            return self
        here = numbers.index(self.current) + step if self.current in numbers else 0
        return msgspec.structs.replace(self, current=numbers[max(0, min(here, len(numbers) - 1))])

    def numbers(self, choice: Choice) -> tuple[int, ...]:
        """Return the hunks decided this way, in order."""
        return tuple(hunk.number for hunk in self.plan.hunks if self.decided.get(hunk.number) == choice)

    @property
    def open(self) -> tuple[int, ...]:
        """The hunks that could be applied and are not decided."""
        return tuple(number for number in self.plan.acceptable if number not in self.decided)

    def shift_before(self, number: int) -> int:
        """Return by how many lines the hunks above this one move it: those that apply and were not refused."""
        hunk = self.plan.hunk(number)
        if hunk is None or hunk.first_line is None:
            return 0
        above = [
            other for other in self.plan.hunks
            if other.can_apply and self.of(other.number) != "refused" and (other.first_line or 0) < hunk.first_line
        ]  # fmt: skip
        return sum(len(other.new) - len(other.old) for other in above)


def begin(plan: EditPlan, suggestion: Suggestion) -> Choices:
    """Return the choices as the session keeps them: nothing decided while in review, else what was accepted then."""
    first = plan.hunks[0].number if plan.hunks else 0
    if suggestion.decision == "in review":
        return Choices(plan, {}, first)
    decided: dict[int, Choice] = dict.fromkeys(plan.acceptable, "refused")
    decided.update(dict.fromkeys(suggestion.accepted_hunks, "accepted"))
    return Choices(plan, decided, first)


class UnifiedLine(msgspec.Struct, frozen=True):
    """One line of a hunk as drawn: numbers before and after (None where it is not there) and the line."""

    old: int | None
    new: int | None
    line: CodeLine


def unified(hunk: Hunk, shift: int) -> list[UnifiedLine]:
    """Return a hunk's lines top to bottom: of each changed stretch first what goes, then what comes."""
    first = hunk.first_line or 1
    rows = align_lines(hunk.old, hunk.new, first, first + shift)
    words = (words_of("\n".join(hunk.old)), words_of("\n".join(hunk.new)))
    shown: list[UnifiedLine] = []
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows) and (rows[end].kind == "same") == (rows[start].kind == "same"):
            end += 1
        part = rows[start:end]
        if rows[start].kind == "same":
            shown += [_same(row, words[1], first + shift) for row in part]
        else:
            shown += [_gone(row, words[0], first) for row in part if row.a_number is not None]
            shown += [_come(row, words[1], first + shift) for row in part if row.b_number is not None]
        start = end
    return shown if hunk.first_line is not None else [msgspec.structs.replace(line, old=None, new=None) for line in shown]


Words = list[list[Span]]


def _own(words: Words, number: int | None, first: int) -> tuple[Span, ...]:
    place = (number or first) - first
    return tuple(words[place]) if place < len(words) else ()


def _same(row: AlignedLine, words: Words, first: int) -> UnifiedLine:
    return UnifiedLine(row.a_number, row.b_number, CodeLine("same", row.b_text, (), _own(words, row.b_number, first)))


def _gone(row: AlignedLine, words: Words, first: int) -> UnifiedLine:
    return UnifiedLine(
        row.a_number, None, CodeLine("removed", row.a_text, calm(row.a_text, row.a_spans), _own(words, row.a_number, first))
    )


def _come(row: AlignedLine, words: Words, first: int) -> UnifiedLine:
    return UnifiedLine(
        None, row.b_number, CodeLine("added", row.b_text, calm(row.b_text, row.b_spans), _own(words, row.b_number, first))
    )
