"""`apply`: an answer in a file, applied to another file, or the reasons why it is not."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from workbench.analysis.apply_edit import apply_hunks, outcome_of, plan
from workbench.analysis.git_patch import git_patch_bytes
from workbench.errors import WrongInput
from workbench.model.edit import EditPlan, Hunk, HunkStatus, Outcome
from workbench.model.source import read_source
from workbench.model.version import Version
from workbench.suggest.read_reply import read_reply
from workbench.texts import message


class AppliedHunk(msgspec.Struct, frozen=True):
    """One hunk as `apply --json` shows it. `line` is 1-based in the file as it was, None where it has no place."""

    number: int
    status: HunkStatus
    chosen: bool
    line: int | None
    similarity: float
    added: int
    removed: int
    title: str
    notices: tuple[str, ...]


class ApplyResult(msgspec.Struct, frozen=True):
    """What became of an answer. `written` is True only when the file was changed."""

    outcome: Outcome
    written: bool
    notices: tuple[str, ...]
    hunks: tuple[AppliedHunk, ...]
    other_files: tuple[str, ...] = ()
    whole_file: bool = False
    truncated: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values, one stable document."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document


def apply_answer(answer: Path, target: Path, hunks: Sequence[int] | None, yes: bool) -> ApplyResult:
    """Apply the chosen hunks (None: all of them, or nothing) of an answer to `target`.

    Writes only what fits exactly; with `yes` also what needs confirmation, and the outcome is then `applied`.
    Raises WrongInput for a file that cannot be read or written and for an unknown hunk number.
    """
    reply = read_reply(read_source(answer).text)
    source = read_source(target)
    made = plan(source.text, reply, target.resolve().as_posix())
    chosen = [hunk.number for hunk in made.hunks] if hunks is None else list(hunks)
    outcome = outcome_of(made, chosen)
    write = outcome == "applied" or (outcome == "needs-confirmation" and yes)
    if write:
        write_in_place(target, source.with_text(apply_hunks(source.text, made, chosen)).to_bytes())
    return ApplyResult(
        "applied" if write else outcome,
        write,
        _notices(made, chosen, outcome, write),
        tuple(_shown(hunk, hunk.number in chosen) for hunk in made.hunks),
        made.other_files,
        made.whole_file,
        made.truncated,
    )


def write_in_place(target: Path, content: bytes) -> None:
    """Replace a file at once: a reader sees the old bytes or the new ones, and a failure leaves the old ones.

    Links are followed and permissions kept. Raises WrongInput in one sentence when it cannot be written.
    """
    real = target.resolve()
    temporary: str | None = None
    try:
        mode = stat.S_IMODE(real.stat().st_mode)
        if not mode & 0o222 or not os.access(real, os.W_OK):
            raise WrongInput(
                "The file {path} is read-only, so nothing was written; allow writing to it and try again.", path=str(target)
            )
        handle, temporary = tempfile.mkstemp(prefix=f".{real.name}.", suffix=".new", dir=real.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, real)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise WrongInput(
            "The file {path} cannot be written: {reason}; it is as it was. Free some space or choose another folder.",
            path=str(target),
            reason=error.strerror or str(error),
        ) from error


def _shown(hunk: Hunk, chosen: bool) -> AppliedHunk:
    return AppliedHunk(
        hunk.number,
        hunk.status,
        chosen,
        hunk.first_line,
        round(hunk.similarity, 3),
        hunk.added,
        hunk.removed,
        hunk.title,
        tuple(str(notice) for notice in hunk.notices),
    )


def _notices(made: EditPlan, chosen: Sequence[int], outcome: Outcome, written: bool) -> tuple[str, ...]:
    """Every notice of the plan and of the chosen hunks, each once, and what was done in the end."""
    said = [str(notice) for notice in made.notices]
    for hunk in made.hunks:
        if hunk.number in chosen:
            said += [str(message("Hunk {number}: {notice}", number=hunk.number, notice=str(notice))) for notice in hunk.notices]
    left = [hunk.number for hunk in made.hunks if hunk.number not in chosen]
    if left and written:
        said.append(str(message("Left out: hunk {numbers}.", numbers=", ".join(map(str, left)))))
    if outcome == "needs-confirmation" and not written:
        said.append(str(message("Nothing was written; look at the hunks and confirm with --yes.")))
    return tuple(dict.fromkeys(said))


def write_patch(path: Path, before: Version, after: Version, name: str) -> None:
    """Save a version against another as a git patch of the file `name`. Raises WrongInput where it cannot be written."""
    try:
        path.write_bytes(git_patch_bytes(before.code.source, after.code.source, name))
    except OSError as error:
        raise WrongInput("The patch {path} cannot be written: {reason}; choose another place.", path=str(path),
                         reason=error.strerror or str(error)) from error  # fmt: skip
