"""What each action does: asks for a path where one is needed, then calls the command."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ui.bridge import Bridge, PageName
from ui.dialogs.choose_file import choose
from ui.dialogs.suggest_menu import show_suggest_menu
from ui.dialogs.trust import TrustQuestion
from workbench.errors import NotTrusted
from workbench.model.run import PassName
from workbench.texts import message, tr

ALL_PASSES: tuple[PassName, ...] = ("compile", "verify", "sanitize", "time", "trace")
PROOF_PASSES: tuple[PassName, ...] = ("compile", "verify", "sanitize")
LEDGER_FOLDER = ".ledger"
"""Hidden, in the project's folder; files for people go beside it."""
REPORTS = "PDF (*.pdf);;Markdown (*.md);;CSV (*.csv);;JSON (*.json)"


class Verbs:
    """The handlers of the registry's actions that are about work; the window adds those about itself."""

    def __init__(self, bridge: Bridge, window: QWidget) -> None:
        self._bridge = bridge
        self._window = window
        bridge.trust_asked.connect(self._ask_trust)

    def handlers(self) -> Mapping[str, Callable[[], None]]:
        """Return a handler for each action id."""
        later: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "open_project": self._open_project,
            "open_session": self._open_session,
            "new_project": self._new_project,
            "export_report": self._export_report,
            "write_back": self._write_back,
            "save_patch": self._save_patch,
            "suggest": self._suggest,
            "copy_prompt": self._copy_prompt,
            "paste_answer": self._paste_answer,
            "run": self._run,
            "verify": self._verify,
            "more_rounds": self._more_rounds,
            "access": self._analyse_access,
        }
        now: dict[str, Callable[[], None]] = {
            "edit_version": self._edit_version,
            "cancel": self._cancel,
            "compare_parent": self._compare_parent,
            "compare_baseline": self._compare_baseline,
        }
        return now | {name: _Started(self._bridge, work) for name, work in later.items()}

    async def _write_back(self) -> None:
        await self._bridge.commands.write_back()

    def _ask_trust(self, error: object) -> None:
        if isinstance(error, NotTrusted):
            TrustQuestion(self._bridge, error.folder).ask(error)

    async def _open_project(self) -> None:
        if folder := await choose(self._window, tr("Open a project folder"), "folder"):
            await self._bridge.commands.open_project(folder)

    async def _open_session(self) -> None:
        kinds = tr("Sessions") + " (*.db)"
        if path := await choose(self._window, tr("Open a session"), "open", kinds=kinds):
            await self._bridge.commands.open_session(path)

    async def _new_project(self) -> None:
        if folder := await choose(self._window, tr("Choose an empty folder for the project"), "folder"):
            await self._bridge.commands.new_project(folder)

    def _beside(self, name: str) -> str:
        """Return the path of a new file where the open session's reader would look for it."""
        view = self._bridge.workspace.session.value
        if view is None or not view.path:
            return name
        folder = Path(view.path).parent
        return str((folder.parent if folder.name == LEDGER_FOLDER else folder) / name)

    async def _export_report(self) -> None:
        proposed = self._beside("ledger.pdf")
        if path := await choose(self._window, tr("Export the report"), "save", kinds=REPORTS, name=proposed, ending="pdf"):
            await self._bridge.commands.export_report(path)
            self._bridge.notify(message("The report is in {path}.", path=str(path)))

    async def _save_patch(self) -> None:
        proposed = self._beside("version.patch")
        if path := await choose(self._window, tr("Save as git patch"), "save", name=proposed, ending="patch"):
            await self._bridge.commands.save_patch(path)
            self._bridge.notify(message("The patch is in {path}.", path=str(path)))

    async def _suggest(self) -> None:
        await show_suggest_menu(self._bridge, self._window)

    async def _copy_prompt(self) -> None:
        text = await self._bridge.commands.copy_prompt()
        QGuiApplication.clipboard().setText(text)
        self._bridge.notify(
            message("The prompt is on the clipboard. Give it to a model, copy its answer, then paste the answer here.")
        )

    async def _paste_answer(self) -> None:
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._bridge.notify(message("The clipboard holds no text; copy the model’s answer first."), "warning")
            return
        await self._bridge.commands.paste_answer(text)
        self._bridge.show_page("review")

    def _has_new_draft(self) -> bool:
        draft = self._bridge.workspace.draft.value
        return draft is not None and draft.changed

    async def _run(self) -> None:
        if self._has_new_draft():
            await self._bridge.commands.run_draft()
        else:
            await self._bridge.commands.run_selected(ALL_PASSES)

    async def _verify(self) -> None:
        if self._has_new_draft():
            await self._bridge.commands.verify_draft()
        else:
            await self._bridge.commands.run_selected(PROOF_PASSES)

    async def _analyse_access(self) -> None:
        await self._bridge.commands.analyse_access()
        self._bridge.show_page("access")

    async def _more_rounds(self) -> None:
        if version := self._bridge.workspace.selected.value:
            await self._bridge.commands.more_rounds(version)

    def _edit_version(self) -> None:
        """Show the version in the editor; changes that no version keeps stay, the page asks what becomes of them."""
        draft = self._bridge.workspace.draft.value
        if version := self._bridge.workspace.selected.value:
            if draft is None or not draft.changed:
                self._bridge.commands.start_draft(version)
            self._bridge.show_page("editor")

    def _cancel(self) -> None:
        for job in self._bridge.workspace.jobs.value:
            if job.status == "running":
                self._bridge.commands.cancel(job.id)
                return

    def _compare_parent(self) -> None:
        view, selected = self._bridge.workspace.session.value, self._bridge.workspace.selected.value
        version = view.version(selected) if view else None
        if version is not None:
            self._compare(version.parent, version.hash, "compare")

    def _compare_baseline(self) -> None:
        view, selected = self._bridge.workspace.session.value, self._bridge.workspace.selected.value
        first = next((version for version in view.versions if version.parent is None), None) if view else None
        if first is not None:
            self._compare(first.hash, selected, "compare")

    def _compare(self, a: str | None, b: str | None, page: PageName) -> None:
        self._bridge.commands.compare(a, b)
        self._bridge.show_page(page)


class _Started:
    """Called by an action: starts the coroutine as a task."""

    def __init__(self, bridge: Bridge, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._bridge = bridge
        self._work = work

    def __call__(self) -> None:
        self._bridge.run(self._work())
