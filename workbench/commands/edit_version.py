"""From an edit to a version: a draft as it is typed; a suggestion is kept, its accepted hunks make a new version."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workbench.analysis.apply_edit import apply_hunks, plan
from workbench.analysis.finding_marks import finding_marks
from workbench.analysis.follow_lines import follow_lines
from workbench.commands.context import SessionStore
from workbench.commands.work import now
from workbench.errors import WrongInput
from workbench.model.edit import EditPlan
from workbench.model.failure import SourceLine
from workbench.model.project import Project
from workbench.model.project_file import code_of
from workbench.model.suggestion import Suggestion
from workbench.model.version import Version, make_version
from workbench.state.workspace import Draft, SessionView
from workbench.suggest.read_reply import read_reply


def edited(draft: Draft, text: str, view: SessionView, device: str) -> Draft:
    """Return a draft with another text; what its last run on `device` found stays at the lines that were not changed since."""
    base = view.version(draft.base)
    if base is None:
        return draft
    if text == base.code.source.text:
        return Draft(draft.base, text)
    marks = draft.marks if draft.changed or draft.marks else findings(view, draft.base, device)
    return Draft(draft.base, text, True, follow_lines(marks, draft.text, text))


def findings(view: SessionView, version: str | None, device: str) -> tuple[SourceLine, ...]:
    """Return what the newest run of a version (hash) on a device found at lines of its source."""
    run = view.latest_run(version or "", device)
    if run is None:
        return ()
    watched = run.last("sanitize")
    said = run.failure.lines if run.failure else ()
    return (*said, *finding_marks(watched.sanitize if watched else None))


def plan_of(store: SessionStore, suggestion: Suggestion, project: Project | None) -> EditPlan:
    """Return what accepting a suggestion would do to the version it edits."""
    base = store.find_version(suggestion.base)
    name = project.kernel.source if project else ""
    return plan(base.code.source.text, read_reply(suggestion.answer), name)


def accept(
    store: SessionStore, project: Project, suggestion: Suggestion, hunks: Sequence[int], name: str | None = None
) -> Version:
    """Make a version of the accepted hunks (numbers from 1) and keep both. Raises WrongInput when nothing changes."""
    base = store.find_version(suggestion.base)
    edit = plan_of(store, suggestion, project)
    text = apply_hunks(base.code.source.text, edit, hunks)
    if text == base.code.source.text:
        raise WrongInput("The accepted hunks change nothing in {name}; accept at least one that applies.", name=base.name)
    code = code_of(project, base.code.source.with_text(text), base.code.includes)
    version = make_version(
        name or _name(store, suggestion), code, base.hash, suggestion.author, now(), hypothesis=suggestion.hypothesis
    )
    kept = store.add_version(version)
    store.update_suggestion(
        msgspec.structs.replace(suggestion, decision="accepted", accepted_hunks=tuple(hunks), result=kept.hash)
    )
    return kept


def _name(store: SessionStore, suggestion: Suggestion) -> str:
    taken = {version.name for version in store.versions()}
    stem = f"suggestion {suggestion.id}"
    number = 1
    name = stem
    while name in taken:
        number += 1
        name = f"{stem}.{number}"
    return name
