"""One proposed edit against a base: where it belongs and what may be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench import units
from workbench.analysis.code_text import elision_in
from workbench.analysis.locate import Place, find_exact, find_loose
from workbench.analysis.replay import new_side, old_side, replay_exact, replay_loose
from workbench.model.edit import Hunk, HunkStatus, ProposedEdit, Row
from workbench.texts import Message, message

Rows = tuple[Row, ...]
_MOST_LINES = 8


@dataclass(frozen=True)
class _Found:
    rows: Rows
    place: Place


def place_hunk(number: int, edit: ProposedEdit, base: Sequence[str], file: str) -> Hunk:
    """Return the hunk that an edit makes of `base` (lines without ends).

    Applied only where its old lines stand exactly once, line ends and common indent aside.
    """
    draft = _Draft(number, edit, file)
    if edit.refusal is not None:
        return draft.refused(edit.refusal)
    rows = edit.readings[0]
    left_out = elision_in([text for marker, text in rows if marker == "+"], base)
    if left_out is not None:
        return draft.refused(
            message(
                "The new lines leave code out ({line}); applied like that it would be lost. Ask for it in full.", line=left_out
            )
        )
    if all(marker == " " for marker, _ in rows):
        return draft.hunk("already-applied", rows, Place("none"), [message("This hunk changes nothing.")])
    if not any(line.strip() for line in base) and not old_side(rows):
        return draft.hunk("needs-confirmation", rows, Place("verbatim", 0, 0, 1.0), [message("The file is empty so far.")], base)
    return _search(draft, edit, base)


def _search(draft: _Draft, edit: ProposedEdit, base: Sequence[str]) -> Hunk:
    anchored = [rows for rows in edit.readings if any(line.strip() for line in old_side(rows))]
    if not anchored:
        return draft.refused(
            message("The hunk has no line of the file to hold on to (only new or blank lines), so where it belongs is not known.")
        )
    for index, rows in enumerate(anchored):
        place = find_exact(base, old_side(rows))
        if place.match == "several":
            return draft.refused(_several(place))
        if place.found:
            return _exact(draft, _Found(rows, place), base, repaired=index > 0 and not edit.doubtful)
    for rows in anchored:
        done = _already(rows, base)
        if done is not None:
            return draft.hunk("already-applied", rows, done, [message("The file already has this change.")])
    return _loose(draft, anchored, base)


def _exact(draft: _Draft, found: _Found, base: Sequence[str], *, repaired: bool) -> Hunk:
    rows, place = found.rows, found.place
    window = base[place.start : place.start + place.length]
    if _insertion_is_there(rows, place, base):
        return draft.hunk("already-applied", rows, place, [message("The file already has this change.")])
    said: list[Message] = []
    status: HunkStatus = "needs-confirmation" if draft.edit.doubtful else "applied"
    if repaired:
        said.append(message("The space that marks unchanged lines of a diff was missing; it was put back."))
    if place.match == "indent":
        said.append(message("The indent of the answer differs from the file's; the file's was kept."))
    if place.match == "verbatim among indents":
        status = "needs-confirmation"
        said.append(
            message(
                "The same lines stand at lines {lines} with another indent; line {line} has exactly this one.",
                lines=_lines(place),
                line=place.start + 1,
            )
        )
    claimed = draft.edit.claimed_line
    if claimed is not None and claimed != place.start + 1:
        said.append(
            message("The answer names line {claimed}; the text was found at line {line}.", claimed=claimed, line=place.start + 1)
        )
    return draft.hunk(status, rows, place, said, window)


def _loose(draft: _Draft, readings: Sequence[Rows], base: Sequence[str]) -> Hunk:
    places = [_Found(rows, find_loose(base, old_side(rows))) for rows in readings]
    best = max(places, key=lambda found: (found.place.found, found.place.similarity))
    place = best.place
    likeness = units.percent(place.similarity, 0)
    if place.match == "several":
        return draft.refused(_several(place), place.similarity)
    if not place.found:
        return draft.refused(_nothing(place), place.similarity)
    if place.match == "white space":
        said = message(
            "Its old lines match line {line} only when white space is ignored: look before accepting.", line=place.start + 1
        )
    else:
        said = message(
            "Its old lines are not in the file; the text at line {line} is {likeness} alike: look before accepting.",
            line=place.start + 1,
            likeness=likeness,
        )
    window = base[place.start : place.start + place.length]
    return draft.hunk("needs-confirmation", best.rows, place, [said], window)


def _several(place: Place) -> Message:
    return message(
        "Its old lines fit {count} places (lines {lines}): which one is not known; ask for more lines around the change.",
        count=len(place.others),
        lines=_lines(place),
    )


def _nothing(place: Place) -> Message:
    if not place.similarity:
        return message("The lines it wants to change are not in the file, nor anything like them.")
    return message(
        "The lines it wants to change are not in the file: the nearest text is {likeness} alike, 70 % is needed.",
        likeness=units.percent(place.similarity, 0),
    )


def _lines(place: Place) -> str:
    shown = ", ".join(str(start + 1) for start in place.others[:_MOST_LINES])
    return shown + ", …" if len(place.others) > _MOST_LINES else shown


def _already(rows: Rows, base: Sequence[str]) -> Place | None:
    """The one place where the new side stands already. A deletion counts only between lines that are still there."""
    added = any(marker == "+" and text.strip() for marker, text in rows)
    kept = [index for index, (marker, text) in enumerate(rows) if marker == " " and text.strip()]
    removed = [index for index, (marker, _) in enumerate(rows) if marker == "-"]
    between = bool(kept and removed) and kept[0] < removed[0] and kept[-1] > removed[-1]
    if not added and not between:
        return None
    place = find_exact(base, new_side(rows))
    return place if place.match in ("verbatim", "indent") else None


def _insertion_is_there(rows: Rows, place: Place, base: Sequence[str]) -> bool:
    """True where a hunk only adds lines around its place, and exactly those lines stand there already."""
    if any(marker == "-" for marker, _ in rows):
        return False
    new = [line.strip() for line in new_side(rows)]
    begin = place.start - _count_edge(rows)
    return begin >= 0 and [line.strip() for line in base[begin : begin + len(new)]] == new


def _count_edge(rows: Rows) -> int:
    return next((index for index, (marker, _) in enumerate(rows) if marker != "+"), len(rows))


@dataclass(frozen=True)
class _Draft:
    """What every hunk of one edit has in common."""

    number: int
    edit: ProposedEdit
    file: str

    def refused(self, reason: Message, similarity: float = 0.0) -> Hunk:
        rows = self.edit.readings[0] if self.edit.readings else ()
        return self.hunk("refused", rows, Place("none", similarity=similarity), [reason])

    def hunk(
        self, status: HunkStatus, rows: Rows, place: Place, said: Sequence[Message], window: Sequence[str] | None = None
    ) -> Hunk:
        """Return the hunk. With a `window` its lines are the file's own; without, the answer's."""
        old, new = old_side(rows), new_side(rows)
        if window is not None:
            exact = place.match in ("verbatim", "indent", "verbatim among indents")
            old = list(window)
            new = replay_exact(rows, window) if exact else replay_loose(rows, window)
        notices = (*self.edit.notices, *said)
        first = place.start + 1 if place.found else None
        added = sum(marker == "+" for marker, _ in rows)
        removed = sum(marker == "-" for marker, _ in rows)
        return Hunk(
            self.number,
            self.file,
            tuple(old),
            tuple(new),
            status,
            self.edit.title,
            first,
            place.similarity,
            notices,
            added,
            removed,
        )
