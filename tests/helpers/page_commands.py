"""The window's commands for tests of pages: they set the workspace, remember what was asked, and object to what is not kept."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from ui.bridge import AdvisorChoice, Bridge
from workbench.commands.edit_version import edited
from workbench.model.edit import EditPlan
from workbench.model.events import Trace
from workbench.model.run import PassName
from workbench.state.workspace import Draft, SessionView, Workspace


class PageCommands:
    """Answers from values; every coroutine only writes its name and arguments into `asked`."""

    def __init__(self, space: Workspace, plans: Mapping[int, EditPlan], traces: Mapping[tuple[int, str], Trace]) -> None:
        self.space = space
        self.plans = plans
        self.traces = traces
        self.asked: list[tuple[object, ...]] = []

    def _view(self) -> SessionView:
        view = self.space.session.value
        assert view is not None, "a page asked for something without an open session"
        return view

    def select(self, version: str | None) -> None:
        """Select a kept version."""
        assert version is None or self._view().version(version), f"no version {version}"
        self.space.selected.set(version)

    def compare(self, a: str | None, b: str | None) -> None:
        """Compare kept versions."""
        assert all(one is None or self._view().version(one) for one in (a, b))
        self.space.compared.set((a, b))

    def review(self, suggestion: int | None) -> None:
        """Review a kept suggestion."""
        assert suggestion is None or any(kept.id == suggestion for kept in self._view().suggestions)
        self.space.reviewed.set(suggestion)

    def start_draft(self, base: str) -> None:
        """Begin a draft."""
        version = self._view().version(base)
        assert version, f"no version {base}"
        self.space.draft.set(Draft(base, version.code.source.text))

    def edit_draft(self, text: str) -> None:
        """Replace the draft's text."""
        draft = self.space.draft.value
        assert draft, "a page edited a draft that nobody began"
        self.space.draft.set(edited(draft, text, self._view(), self.space.device.value))

    def select_device(self, device: str) -> None:
        """Choose a device."""
        self.space.device.set(device)

    def cancel(self, job: int) -> None:
        """Remember what was cancelled."""
        self.asked.append(("cancel", job))

    def advisors(self) -> Sequence[AdvisorChoice]:
        """Return nobody."""
        return ()

    def trace(self, run: int, side: str) -> Trace | None:
        """Return a trace."""
        assert side in ("a", "b")
        return self.traces.get((run, side))

    def plan(self, suggestion: int) -> EditPlan | None:
        """Return a plan."""
        return self.plans.get(suggestion)

    async def open_project(self, path: Path) -> None:
        """Remember."""
        self.asked.append(("open_project", path))

    async def trust_project(self, path: Path) -> None:
        """Remember."""
        self.asked.append(("trust_project", path))

    async def open_session(self, path: Path) -> None:
        """Remember."""
        self.asked.append(("open_session", path))

    async def new_project(self, folder: Path) -> None:
        """Remember."""
        self.asked.append(("new_project", folder))

    async def run_selected(self, passes: Sequence[PassName]) -> None:
        """Remember."""
        self.asked.append(("run_selected", *passes))

    async def verify_draft(self) -> None:
        """Remember."""
        self.asked.append(("verify_draft",))

    async def run_draft(self) -> None:
        """Remember."""
        self.asked.append(("run_draft",))

    async def analyse_access(self) -> None:
        """Remember."""
        self.asked.append(("analyse_access",))

    async def more_rounds(self, version: str) -> None:
        """Remember."""
        self.asked.append(("more_rounds", version))

    async def suggest(self, advisor: str, model: str | None) -> None:
        """Remember."""
        self.asked.append(("suggest", advisor, model))

    async def copy_prompt(self) -> str:
        """Return no prompt."""
        return ""

    async def paste_answer(self, text: str) -> None:
        """Remember."""
        self.asked.append(("paste_answer", text))

    async def accept_hunks(self, suggestion: int, hunks: Sequence[int]) -> None:
        """Remember."""
        self.asked.append(("accept_hunks", suggestion, tuple(hunks)))

    async def refuse(self, suggestion: int) -> None:
        """Remember."""
        self.asked.append(("refuse", suggestion))

    async def write_back(self) -> None:
        """Remember."""
        self.asked.append(("write_back",))

    async def save_patch(self, path: Path) -> None:
        """Remember."""
        self.asked.append(("save_patch", path))

    async def export_report(self, path: Path) -> None:
        """Remember."""
        self.asked.append(("export_report", path))


def run_at_once(coroutine: Coroutine[Any, Any, object]) -> None:
    """Run a command that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("a command of a page test waited for something")


def page_bridge(
    view: SessionView | None,
    device: str = "cuda:0",
    plans: Mapping[int, EditPlan] | None = None,
    traces: Mapping[tuple[int, str], Trace] | None = None,
) -> tuple[Bridge, PageCommands]:
    """Return a bridge over a fresh workspace that shows `view` on `device`, and its commands."""
    space = Workspace()
    space.session.set(view)
    space.device.set(device)
    commands = PageCommands(space, plans or {}, traces or {})
    return Bridge(space, commands, run_at_once), commands
