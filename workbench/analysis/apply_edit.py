"""The locator: what an answer would do to a text, and doing it.

A unique exact match after normalising line ends and common indent is *applied*, with a notice where something was repaired;
anything looser is *needs-confirmation*; below 0.7 similarity, or not unique, is *refused*. Line numbers never decide, and
nothing is half applied silently: one refused hunk refuses the whole answer until the user chooses hunks.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workbench.analysis.choose_file import Choice, choose_file
from workbench.analysis.code_text import bare_lines, split_lines
from workbench.analysis.place_hunk import place_hunk
from workbench.analysis.whole_file import plan_whole_file
from workbench.errors import WrongInput
from workbench.model.edit import EditPlan, Hunk, Outcome, Reply, text_hash
from workbench.texts import Message, message


def plan(base: str, reply: Reply, file: str = "") -> EditPlan:
    """Return what `reply` would do to `base`, a text whose path is `file` (for telling whether the answer means it).

    The text is not changed; hunks are numbered in the answer's order.
    """
    choice = choose_file(reply.edits, file, base)
    wholes = [edit for edit in choice.edits if edit.kind == "whole-file"]
    notices = [*_line_end_notices(base, reply), *reply.notices, *choice.notices]
    if wholes:
        hunks, said = plan_whole_file(wholes, base, file)
        notices += said
    else:
        hunks = _place_all(choice, base, file)
    if choice.path_differs:
        hunks = [_ask(hunk) for hunk in hunks]
    draft = EditPlan(text_hash(base), tuple(hunks), "refused", tuple(notices), choice.others, bool(wholes), reply.truncated)
    outcome = outcome_of(draft, [hunk.number for hunk in hunks])
    return msgspec.structs.replace(draft, outcome=outcome, notices=(*notices, *_summary(draft)))


def outcome_of(plan: EditPlan, accepted: Sequence[int]) -> Outcome:
    """Return the outcome for a choice of hunks: refused when one of them is, else the least certain of them."""
    chosen = _chosen(plan, accepted)
    if not chosen or any(hunk.status == "refused" for hunk in chosen):
        return "refused"
    if all(hunk.old == hunk.new for hunk in chosen):
        return "no-change"
    if not any(hunk.can_apply for hunk in chosen):
        return "already-applied"
    doubtful = plan.other_files or plan.whole_file or plan.truncated
    if doubtful or any(hunk.status == "needs-confirmation" for hunk in chosen):
        return "needs-confirmation"
    return "applied"


def apply_hunks(base: str, plan: EditPlan, accepted: Sequence[int]) -> str:
    """Return `base` with the accepted hunks in place; line ends and a missing newline at the end are kept.

    Raises WrongInput when the text is not the one that was planned for, or a number is unknown or of a refused hunk.
    Hunks that are already applied change nothing.
    """
    if text_hash(base) != plan.base_hash:
        raise WrongInput("The text has changed since this answer was read against it; read the answer again.")
    chosen = _chosen(plan, accepted)
    for hunk in chosen:
        if hunk.status == "refused":
            raise WrongInput("Hunk {number} was refused and cannot be applied; leave it out.", number=hunk.number)
    pairs = split_lines(base)
    end = _main_end(base)
    no_newline = bool(pairs) and not pairs[-1][1]
    cores = sorted((_core(hunk) for hunk in chosen if hunk.can_apply), key=lambda core: core[0])
    for start, stop, new in reversed(cores):
        pairs[start:stop] = _with_ends(pairs, (start, stop), new, end)
    body = [(line, own or end) for line, own in pairs]
    if body and no_newline:
        body[-1] = (body[-1][0], "")
    return "".join(line + own for line, own in body)


def _place_all(choice: Choice, base: str, file: str) -> list[Hunk]:
    lines = bare_lines(base)
    hunks: list[Hunk] = []
    for number, edit in enumerate(choice.edits, 1):
        hunk = place_hunk(number, edit, lines, edit.file or file)
        hunks.append(_unless_taken(hunk, hunks))
    return hunks


def _unless_taken(hunk: Hunk, before: Sequence[Hunk]) -> Hunk:
    """Refuse a hunk that changes lines an earlier one changes."""
    if not hunk.can_apply:
        return hunk
    start, stop, _ = _core(hunk)
    for other in before:
        if not other.can_apply:
            continue
        a, b, _ = _core(other)
        if (a == start and (a == b or start == stop)) or (a < stop and start < b):
            reason = message("It changes the same lines as hunk {number}, so both cannot be applied.", number=other.number)
            return msgspec.structs.replace(hunk, status="refused", notices=(*hunk.notices, reason))
    return hunk


def _ask(hunk: Hunk) -> Hunk:
    return msgspec.structs.replace(hunk, status="needs-confirmation") if hunk.status == "applied" else hunk


def _chosen(plan: EditPlan, accepted: Sequence[int]) -> list[Hunk]:
    unknown = [number for number in accepted if plan.hunk(number) is None]
    if unknown:
        raise WrongInput("There is no hunk {number}; the answer has {count}.", number=unknown[0], count=len(plan.hunks))
    return [hunk for hunk in plan.hunks if hunk.number in accepted]


def _core(hunk: Hunk) -> tuple[int, int, tuple[str, ...]]:
    """Return the base lines [start, stop) that really change, 0-based, and what replaces them."""
    old, new = hunk.old, hunk.new
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    start = (hunk.first_line or 1) - 1
    return start + head, start + len(old) - tail, new[head : len(new) - tail]


def _with_ends(pairs: Sequence[tuple[str, str]], span: tuple[int, int], new: Sequence[str], end: str) -> list[tuple[str, str]]:
    """Give new lines the ends of those they replace; inserted ones that of the line before them, else after."""
    start, stop = span
    own = [pairs[index][1] for index in range(start, stop)]
    beside = own[-1:] or [pairs[index][1] for index in (start - 1, start) if 0 <= index < len(pairs)]
    rest = next((each for each in beside if each), end)
    return [(line, own[index] if index < len(own) and own[index] else rest) for index, line in enumerate(new)]


def _main_end(text: str) -> str:
    crlf = text.count("\r\n")
    return "\r\n" if crlf * 2 > text.count("\n") else "\n"


def _line_end_notices(base: str, reply: Reply) -> list[Message]:
    has_crlf = "\r\n" in base
    if reply.crlf and not has_crlf:
        return [message("The answer has CRLF line ends, the file LF; the file's were kept.")]
    if has_crlf and not reply.crlf:
        return [message("The file has CRLF line ends, the answer LF; the file's were kept.")]
    return []


def _summary(plan: EditPlan) -> list[Message]:
    """What has to be said about all hunks together."""
    said: list[Message] = []
    refused = [hunk for hunk in plan.hunks if hunk.status == "refused"]
    if not plan.hunks:
        said.append(
            message("No edit for this file was found in the answer: neither a diff, nor search/replace blocks, nor a whole file.")
        )
    elif refused and len(refused) < len(plan.hunks):
        numbers = ", ".join(str(hunk.number) for hunk in refused)
        said.append(
            message(
                "{good} of {all} hunks found their place, not hunk {numbers}; nothing is applied unless you choose hunks.",
                good=len(plan.hunks) - len(refused),
                all=len(plan.hunks),
                numbers=numbers,
            )
        )
    return said
