"""An answer that is a whole file: checked for what is missing from it, then cut into hunks so that it can be reviewed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from workbench.analysis.code_text import bare_lines, elision_in, kernel_names, open_braces
from workbench.analysis.replay import new_side
from workbench.model.edit import Hunk, ProposedEdit
from workbench.texts import Message, message

_CONTEXT = 3
_LONG = 5000
"""Lines above which difflib may pass over very frequent ones, which keeps it quick."""


def plan_whole_file(edits: Sequence[ProposedEdit], base: str, file: str) -> tuple[list[Hunk], list[Message]]:
    """Return the hunks that turn `base` into the answer's file (all needing confirmation), and what to know about it.

    One refused hunk where the answer is cut off, shortened, no whole file, or more than one file.
    """
    kernels = set(kernel_names(base))
    fitting = [edit for edit in edits if not kernels or kernels & set(kernel_names(_text(edit)))]
    changed = [edit for edit in fitting if new_side(edit.readings[0]) != bare_lines(base)]
    candidates = changed or fitting
    if not candidates:
        return [
            _refused(
                edits[0], file, message("The code block is neither an edit nor the whole file: it defines none of its kernels.")
            )
        ], []
    if len(candidates) > 1:
        reason = message(
            "The answer shows {count} whole code blocks, so which one is meant is not known; keep one of them.",
            count=len(candidates),
        )
        return [_refused(candidates[0], file, reason)], []
    edit = candidates[0]
    why_not = _why_not(edit, base, file)
    if why_not is not None:
        return [_refused(edit, file, why_not)], []
    notices = [message("The answer is a whole file; it is shown as changes to the open one.")]
    lost = sorted(kernels - set(kernel_names(_text(edit))))
    if lost:
        names = ", ".join(lost)
        notices.append(
            message("The answer does not have {names}: accepting every hunk would remove that from the file.", names=names)
        )
    return _hunks(edit, base, file), notices


def _text(edit: ProposedEdit) -> str:
    return "\n".join(new_side(edit.readings[0]))


def _why_not(edit: ProposedEdit, base: str, file: str) -> Message | None:
    if edit.refusal is not None:
        return edit.refusal
    left_out = elision_in(new_side(edit.readings[0]), bare_lines(base))
    if left_out is not None:
        return message("The answer leaves code out ({line}), so it cannot replace the file. Ask for it in full.", line=left_out)
    braces = open_braces(_text(edit))
    if braces and not file.endswith(".py") and open_braces(base) == 0:
        return message(
            "The answer looks truncated: its braces do not close, and half a kernel never replaces the file; ask again."
        )
    return None


def _refused(edit: ProposedEdit, file: str, reason: Message) -> Hunk:
    new = tuple(new_side(edit.readings[0]))
    return Hunk(1, edit.file or file, (), new, "refused", edit.title, notices=(reason,), added=len(new))


def _hunks(edit: ProposedEdit, base: str, file: str) -> list[Hunk]:
    old, new = bare_lines(base), new_side(edit.readings[0])
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > _LONG)
    name, alike = edit.file or file, matcher.ratio()
    if old == new:
        return [Hunk(1, name, tuple(old), tuple(new), "already-applied", edit.title, 1, 1.0)]
    hunks: list[Hunk] = []
    for number, group in enumerate(matcher.get_grouped_opcodes(_CONTEXT), 1):
        a, b, c, d = group[0][1], group[-1][2], group[0][3], group[-1][4]
        added = sum(op[4] - op[3] for op in group if op[0] != "equal")
        removed = sum(op[2] - op[1] for op in group if op[0] != "equal")
        title = edit.title if number == 1 else ""
        hunks.append(
            Hunk(number, name, tuple(old[a:b]), tuple(new[c:d]), "needs-confirmation", title, a + 1, alike, (), added, removed)
        )
    return hunks
