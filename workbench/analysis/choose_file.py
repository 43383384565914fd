"""Which of an answer's edits are meant for the open file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.analysis.code_text import bare_lines
from workbench.analysis.locate import find_exact
from workbench.analysis.replay import old_side
from workbench.model.edit import ProposedEdit
from workbench.texts import Message, message


@dataclass(frozen=True)
class Choice:
    """The edits to use, the files that were named besides, and whether the answer names another path than the open file's."""

    edits: tuple[ProposedEdit, ...]
    others: tuple[str, ...] = ()
    path_differs: bool = False
    notices: tuple[Message, ...] = ()


def same_file(named: str, file: str) -> bool:
    """True when one path ends with the other, part by part; an unknown `file` ("") is never contradicted."""
    a, b = ([part for part in path.replace("\\", "/").split("/") if part not in ("", ".")] for path in (named, file))
    shared = min(len(a), len(b))
    return shared == 0 or a[-shared:] == b[-shared:]


def choose_file(edits: Sequence[ProposedEdit], file: str, base: str) -> Choice:
    """Return the edits for the open file. Where only one other path is named, they are offered for it all the same."""
    named = list(dict.fromkeys(edit.file for edit in edits if edit.file))
    foreign = [name for name in named if not same_file(name, file)] if file else named[1:]
    mine = tuple(edit for edit in edits if edit.file not in foreign)
    if mine or not foreign:
        return Choice(mine, tuple(foreign), notices=tuple(_left_alone(name) for name in foreign))
    chosen = foreign[0] if len(foreign) == 1 else _only_fitting(edits, foreign, base)
    if chosen is None:
        names = ", ".join(foreign)
        return Choice(
            (), tuple(foreign), notices=(message("The answer names {names}; none of them is the open file.", names=names),)
        )
    differs = message(
        "The answer names {name}; the open file is {file}. It can be applied to the open file if you confirm.",
        name=chosen,
        file=_last_part(file),
    )
    rest = [name for name in foreign if name != chosen]
    notices = (differs, *(_left_alone(name) for name in rest))
    return Choice(tuple(edit for edit in edits if edit.file == chosen), tuple(rest), True, notices)


def _left_alone(name: str) -> Message:
    return message("The answer also changes {name}, which is not the open file; nothing is done to it.", name=name)


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _only_fitting(edits: Sequence[ProposedEdit], names: Sequence[str], base: str) -> str | None:
    """The one name whose edits all stand exactly in the base."""
    lines = bare_lines(base)
    fitting = [name for name in names if all(_fits(edit, lines) for edit in edits if edit.file == name)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(edit: ProposedEdit, lines: Sequence[str]) -> bool:
    return any(any(line.strip() for line in old_side(rows)) and find_exact(lines, old_side(rows)).found for rows in edit.readings)
