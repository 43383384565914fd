"""The window's commands: each changes the session and puts what is new into the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from workbench.analysis.standing import why_failed
from workbench.commands import edit_version
from workbench.commands.access import analyse_access, why_not_analysed
from workbench.commands.apply import write_in_place, write_patch
from workbench.commands.context import Context, Progress, SessionStore
from workbench.commands.find_project import project_beside
from workbench.commands.jobs import Jobs
from workbench.commands.new_project import new_project
from workbench.commands.report import report_document
from workbench.commands.run_candidate import ALL_PASSES, RunRequest, run_candidate
from workbench.commands.suggest import answer_suggestion, ask_advisor, prompt_for
from workbench.commands.views import WORKER_STATES, ViewReader, newest_pair
from workbench.commands.work import free_name, now
from workbench.errors import NotTrusted, WrongInput
from workbench.model.edit import EditPlan
from workbench.model.events import Trace
from workbench.model.project import Project
from workbench.model.project_file import code_of, read_project
from workbench.model.run import PassName, Run
from workbench.model.source import read_source
from workbench.model.suggestion import Suggestion
from workbench.model.version import Author, Version, make_version
from workbench.paths import default_session
from workbench.plugin_api import Advisor
from workbench.reports.write import write_report
from workbench.state.workspace import Draft, SessionView, Workspace
from workbench.texts import message

_Asked = tuple[Version, Sequence[PassName], int | None]
"""A run as it was asked for: version, passes, rounds."""


class Desk:
    """Holds the open session and project. Called on the loop's thread only: SQLite is bound to it."""

    def __init__(self, context: Context, workspace: Workspace) -> None:
        self.context = context
        self.workspace = workspace
        self.jobs = Jobs(workspace)
        context.pool.changed = self._show_worker
        self._store: SessionStore | None = None
        self._reader: ViewReader | None = None
        self._opening = asyncio.Lock()
        self._project: Project | None = None
        """The project on disk; None when only a session is open."""
        self._waiting: _Asked | None = None
        """The run that waits for the user's trust."""

    # --- what is open ----------------------------------------------------------------------------------------------

    @property
    def store(self) -> SessionStore:
        """The open session. Raises WrongInput when there is none."""
        if self._store is None:
            raise WrongInput("Nothing is open; open a project or a session first.")
        return self._store

    @property
    def project(self) -> Project:
        """The project on disk. Raises WrongInput when only a session is open."""
        if self._project is None:
            raise WrongInput("Only a session is open, without its project folder; open the project to run or edit.")
        return self._project

    async def open_project(self, path: Path) -> None:
        """Open a project folder with its default session. Opening never runs the project's Python."""
        project = read_project(path)
        await self._open(default_session(project.folder), project)
        self._first_version()

    async def trust_project(self, path: Path) -> None:
        """Remember that this folder's Python may run; open it, or start the run that waited for this answer."""
        project = read_project(path)
        self.context.trust(project)
        waiting, self._waiting = self._waiting, None
        if self._project is None or self._project.folder != project.folder:
            await self.open_project(path)
        elif waiting is not None:
            await self._run(*waiting)

    async def open_session(self, path: Path, project: Project | None = None) -> None:
        """Open a session file, with the project it lies in where that is found and trusted."""
        await self._open(path, project or project_beside(path))

    async def new_project(self, folder: Path) -> None:
        """Make a project in a new or empty folder, trust it and open it."""
        await self.trust_project(new_project(folder))

    async def close(self) -> None:
        """End every job and close the session."""
        await self.jobs.cancel_all()
        if self._store is not None:
            self._store.close()
            self._store = self._reader = None

    async def _open(self, path: Path, project: Project | None) -> None:
        """Read a session beside the one that is shown, then take its place; it can be written where its project is known."""
        async with self._opening:
            if self._store is not None and self._store.path.resolve() == path.resolve():
                await self.close()  # a session has one writer
            store = self.context.open_store(path, project is not None)
            reader = ViewReader(store, project)
            try:
                view = await reader.open()
            except BaseException:
                store.close()
                raise
            await self.close()
            self._store, self._reader, self._project, self._waiting = store, reader, project, None
            self.context.remember(store.path)
            self._show_opened(view)

    def _show_opened(self, view: SessionView) -> None:
        self.workspace.draft.set(None)
        self.workspace.reviewed.set(None)
        self.workspace.session.set(view)
        newest = view.versions[-1].hash if view.versions else None
        self.workspace.selected.set(newest)
        self.workspace.compared.set(newest_pair(view))
        if view.ledger is not None and self._project is None:
            self.workspace.device.set(view.ledger.device)
        if view.read_only is not None:
            self.jobs.log(view.read_only, "warning")

    def _first_version(self) -> None:
        """Keep the project's source as the baseline of an empty session, so that there is something to select."""
        if self.store.read_only is None and not self.store.versions():
            source = read_source(self.project.folder / self.project.kernel.source)
            self.store.set_project(self.project)
            version = self.store.add_version(
                make_version("baseline", code_of(self.project, source), None, Author("person"), now())
            )
            self.refresh()
            self.select(version.hash)

    def refresh(self) -> None:
        """Read what is new in the session and show it, with the ledger of the chosen device where it has one."""
        if self._reader is not None:
            view = self._reader.read()
            chosen = view.ledgers.get(self.workspace.device.value, view.ledger)
            self.workspace.session.set(msgspec.structs.replace(view, ledger=chosen))

    def _view(self) -> SessionView:
        view = self.workspace.session.value
        assert view is not None
        return view

    # --- selection -------------------------------------------------------------------------------------------------

    def select(self, version: str | None) -> None:
        """Show a version (hash) in proof, editor and account."""
        self.workspace.selected.set(version)

    def compare(self, a: str | None, b: str | None) -> None:
        """Put two versions (hashes) side by side."""
        self.workspace.compared.set((a, b))

    def review(self, suggestion: int | None) -> None:
        """Put a suggestion (id) in review."""
        self.workspace.reviewed.set(suggestion)

    def select_device(self, device: str) -> None:
        """Use this device for everything that follows, and keep a worker warm there."""
        self.workspace.device.set(device)
        view = self.workspace.session.value
        if view is not None:
            self.workspace.session.set(msgspec.structs.replace(view, ledger=view.ledgers.get(device, view.ledger)))
        found = next((item for item in self.workspace.devices.value if item.id == device and item.available), None)
        if found is not None and self._project is not None:
            self.context.pool.warm(found)

    async def find_devices(self) -> None:
        """Look for devices off the loop and choose the first usable one."""
        devices = await asyncio.to_thread(self.context.plugins.devices)
        self.workspace.devices.set(devices)
        usable = [device.id for device in devices if device.available]
        if usable and self._project is not None:
            self.select_device(usable[0])

    def _show_worker(self) -> None:
        self.workspace.worker.set(WORKER_STATES[self.context.pool.state()])

    def cancel(self, job: int) -> None:
        """End a job."""
        self.jobs.cancel(job)

    def advisors(self) -> Sequence[Advisor]:
        """Return who can be asked."""
        return self.context.plugins.advisors()

    def trace(self, run: int, side: str) -> Trace | None:
        """Return the events of a traced repeat; `side` is "a" (baseline) or "b"."""
        return self.store.trace(run, side)

    def plan(self, suggestion: int) -> EditPlan | None:
        """Return what each hunk of a suggestion would do to its base."""
        found = self._suggestion(suggestion)
        return None if found is None else edit_version.plan_of(self.store, found, self._project or self.store.project())

    # --- drafts and runs -------------------------------------------------------------------------------------------

    def start_draft(self, base: str) -> None:
        """Begin a draft from a version's source."""
        version = self.store.find_version(base)
        self.workspace.draft.set(Draft(version.hash, version.code.source.text))

    def edit_draft(self, text: str) -> None:
        """Replace the draft's text. Called for every key, so the base comes from what is shown, not from the file."""
        draft, view = self.workspace.draft.value, self.workspace.session.value
        if draft is not None and view is not None:
            self.workspace.draft.set(edit_version.edited(draft, text, view, self.workspace.device.value))

    async def verify_draft(self) -> None:
        """Keep the draft as a version, compile and verify it."""
        await self._run(await self._keep_draft(), ("compile", "verify", "sanitize"))

    async def run_draft(self) -> None:
        """Keep the draft as a version and run every pass."""
        await self._run(await self._keep_draft(), ALL_PASSES)

    async def run_selected(self, passes: Sequence[PassName]) -> None:
        """Run passes of the selected version on the chosen device."""
        await self._run(self._selected(), passes)

    async def more_rounds(self, version: str) -> None:
        """Time a version again with four times the rounds of its last timing."""
        found = self.store.find_version(version)
        usual = self.project.device_settings(self.workspace.device.value.partition(":")[0]).rounds or self.project.timing.rounds
        await self._run(found, ("compile", "verify", "time"), rounds=4 * usual)

    async def analyse_access(self) -> None:
        """Keep the draft as a version and find out on the emulator how it touches memory."""
        version = await self._keep_draft()
        work = partial(analyse_access, self.context, self.store, RunRequest(self.project, version=version))
        found = await self.jobs.run(message("Memory access of {name}", name=version.name), work, why_not_analysed)
        self.refresh()
        if why := why_not_analysed(found):
            self.jobs.log(why, "error")

    def _selected(self) -> Version:
        selected = self.workspace.selected.value
        if selected is None:
            raise WrongInput("No version is selected; choose one on the left.")
        return self.store.find_version(selected)

    async def _keep_draft(self) -> Version:
        """Return the draft as a version of the session: the one it started from when nothing changed."""
        draft = self.workspace.draft.value
        if draft is None or draft.base is None:
            return self._selected()
        base = self.store.find_version(draft.base)
        code = code_of(self.project, base.code.source.with_text(draft.text), base.code.includes)
        kept = next((version for version in self.store.versions() if version.hash == code.hash), None)
        if kept is None:
            name = free_name("edit", {version.name for version in self.store.versions()})
            kept = self.store.add_version(make_version(name, code, base.hash, Author("person"), now()))
        await self._show_version(kept)
        return kept

    async def _show_version(self, version: Version) -> None:
        """Show a new version and begin a draft on it, each in its own turn of the loop, which is then never away for long."""
        self.refresh()
        await asyncio.sleep(0)
        self.select(version.hash)
        self.workspace.draft.set(Draft(version.hash, version.code.source.text))
        await asyncio.sleep(0)

    async def _run(self, version: Version, passes: Sequence[PassName], rounds: int | None = None) -> None:
        try:
            self.context.check_trust(self.project)
        except NotTrusted:
            self._waiting = version, passes, rounds
            raise
        request = RunRequest(self.project, self.workspace.device.value, version=version, passes=passes, rounds=rounds)

        async def work(progress: Progress) -> Run:
            return await run_candidate(self.context, self.store, request, progress, self.refresh)

        title = message("{name} on {device}", name=version.name, device=self.workspace.device.value)
        run = await self.jobs.run(title, work, why_failed)
        await self._show_run(version, run)

    async def _show_run(self, version: Version, run: Run) -> None:
        """Put what ran beside the baseline, and mark its errors in the editor."""
        self.refresh()
        await asyncio.sleep(0)
        self.compare(self._view().versions[0].hash, version.hash)
        failure = run.failure
        draft = self.workspace.draft.value
        if draft is None or (draft.base == version.hash and not draft.changed):
            self.workspace.draft.set(Draft(version.hash, version.code.source.text, marks=failure.lines if failure else ()))
        if failure is not None:
            self.jobs.log(failure.message, "error", failure.detail)

    # --- suggestions -----------------------------------------------------------------------------------------------

    async def copy_prompt(self) -> str:
        """Return the prompt about the selected version, for the clipboard."""
        return prompt_for(self.context, self.store, self._any_project(), self._selected(), self.workspace.device.value)

    async def suggest(self, advisor: str, model: str | None) -> None:
        """Ask an advisor about the selected version; its answer comes into review."""
        base, device = self._selected(), self.workspace.device.value

        async def work(progress: Progress) -> int:
            project = self._any_project()
            asked = await ask_advisor(
                self.context, self.store, project, base, device, advisor=advisor, model=model, progress=progress
            )
            return asked.id

        number = await self.jobs.run(message("Asking {advisor} about {name}", advisor=model or advisor, name=base.name), work)
        self.refresh()
        self.review(number)

    async def paste_answer(self, text: str) -> None:
        """Read an answer from the clipboard into a suggestion and put it in review."""
        prompt = await self.copy_prompt()
        suggestion = answer_suggestion(self.store, self._selected(), Author("clipboard"), prompt, text)
        self.refresh()
        self.review(suggestion.id)

    async def accept_hunks(self, suggestion: int, hunks: Sequence[int]) -> None:
        """Make a version of the accepted hunks (numbers from 1) and run it."""
        found = self._suggestion(suggestion)
        if found is None:
            raise WrongInput(
                "There is no suggestion {number} in this session; choose one that waits in review.", number=suggestion
            )
        version = edit_version.accept(self.store, self.project, found, hunks)
        await self._show_version(version)
        await self._run(version, ALL_PASSES)

    async def refuse(self, suggestion: int) -> None:
        """Refuse a whole suggestion."""
        found = self._suggestion(suggestion)
        if found is not None:
            self.store.update_suggestion(msgspec.structs.replace(found, decision="refused"))
            self.refresh()

    def _suggestion(self, number: int) -> Suggestion | None:
        return next((item for item in self.store.suggestions() if item.id == number), None)

    def _any_project(self) -> Project:
        found = self._project or self.store.project()
        if found is None:
            raise WrongInput(
                "This session does not hold its project, so there is nothing to ask about; open the project's folder."
            )
        return found

    # --- files -----------------------------------------------------------------------------------------------------

    async def write_back(self) -> None:
        """Write the selected version into the project's source file, byte for byte as it was run."""
        version = self._selected()
        target = self.project.folder / self.project.kernel.source
        write_in_place(target, version.code.source.to_bytes())
        self.jobs.log(message("{name} is written into {file}.", name=version.name, file=self.project.kernel.source))

    async def save_patch(self, path: Path) -> None:
        """Save the selected version against its parent as a git patch."""
        version = self._selected()
        if version.parent is None:
            raise WrongInput(
                "{name} is the baseline, which has no parent to differ from; name a version that was made from another.",
                name=version.name,
            )
        parent = self.store.find_version(version.parent)
        write_patch(path, parent, version, self._any_project().kernel.source)

    async def export_report(self, path: Path) -> None:
        """Write the ledger report; the ending of `path` (.pdf, .md, .csv, .json) decides the form."""
        device = self.workspace.device.value
        view = self._view()
        document = report_document(self.store, device if device in view.ledgers else None)

        async def work(progress: Progress) -> None:
            progress(message("Printing {file}", file=path.name), 0, 0)
            await asyncio.to_thread(write_report, document, path)

        await self.jobs.run(message("Report {file}", file=path.name), work)
