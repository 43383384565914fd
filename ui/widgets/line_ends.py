"""Line ends of a file kept while its text is edited with LF only. No widget."""

from __future__ import annotations

import re

from ui.widgets.indent import smallest_change

_END = re.compile("\r\n|\r|\u2029")


def with_lf(text: str) -> str:
    """Return the text as the editor shows it: every line ends in LF."""
    return _END.sub("\n", text) if "\r" in text or "\u2029" in text else text


def own_end(text: str) -> str:
    """Return the line end that most lines of a text have; LF for a text of one line."""
    crlf = text.count("\r\n")
    ends = {"\n": text.count("\n") - crlf, "\r\n": crlf, "\r": text.count("\r") - crlf}
    return max(ends, key=lambda end: ends[end])


def with_own_ends(original: str, edited: str) -> str:
    """Return the edited text (LF) with the line ends of `original`: untouched lines keep theirs, new ones get its usual end."""
    if "\r" not in original and "\u2029" not in original:
        return edited
    shown = with_lf(original)
    if shown == edited:
        return original
    start, end, middle = smallest_change(shown, edited)
    head, tail = _place(original, start), _place(original, end)
    return original[:head] + middle.replace("\n", own_end(original)) + original[tail:]


def _place(original: str, place: int) -> int:
    """Return where in the original a place of its LF form lies."""
    shorter = 0
    for found in _END.finditer(original):
        if found.start() - shorter >= place:
            break
        shorter += len(found[0]) - 1
    return place + shorter
