"""The window's door to the method: the workspace's values as Qt signals, and the commands that change them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from ui import theme
from ui.notices import Level, Notice
from workbench.errors import JobStopped, LedgerError, NotTrusted
from workbench.model.run import PassName
from workbench.state.workspace import KEPT_LINES, LogLine, Workspace
from workbench.texts import Message, message

if TYPE_CHECKING:  # they load NumPy, which the first picture of the window need not wait for
    from workbench.model.edit import EditPlan
    from workbench.model.events import Trace

Spawn = Callable[[Coroutine[Any, Any, object]], object]
PageName = Literal["editor", "review", "compare", "timeline", "account", "access"]


class AdvisorChoice(Protocol):
    """An advisor as the window offers it."""

    @property
    def id(self) -> str:
        """`clipboard`, `model`."""

    @property
    def title(self) -> str:
        """Shown in the menu."""

    def models(self) -> Sequence[str]:
        """Return the models it can use now; may be slow, called off the loop."""


class Commands(Protocol):
    """What the window can ask for; the engine provides it. Every coroutine raises LedgerError for what the user can mend,
    those that run something NotTrusted where this would run Python that the user has not allowed.

    Progress of what takes long is a job in the workspace; results are what the workspace then holds.
    """

    def select(self, version: str | None) -> None:
        """Show a version (hash) in proof, editor and account."""

    def compare(self, a: str | None, b: str | None) -> None:
        """Put two versions (hashes) side by side."""

    def review(self, suggestion: int | None) -> None:
        """Put a suggestion (id) in review."""

    def start_draft(self, base: str) -> None:
        """Begin a draft from a version's source."""

    def edit_draft(self, text: str) -> None:
        """Replace the draft's text (the editor calls this as the user types)."""

    def select_device(self, device: str) -> None:
        """Use this device for everything that follows."""

    def cancel(self, job: int) -> None:
        """End a job."""

    def advisors(self) -> Sequence[AdvisorChoice]:
        """Return who can be asked."""

    def trace(self, run: int, side: str) -> Trace | None:
        """Return the events of a traced repeat; `side` is "a" (baseline) or "b"."""

    def plan(self, suggestion: int) -> EditPlan | None:
        """Return what accepting a suggestion (id) would do to the text of its base version; None when one of them is not kept."""

    async def open_project(self, path: Path) -> None:
        """Open a project folder; this never runs its Python."""

    async def trust_project(self, path: Path) -> None:
        """Remember that this folder's Python may run; open it, or start the run that waited for this answer."""

    async def open_session(self, path: Path) -> None:
        """Open a session file."""

    async def new_project(self, folder: Path) -> None:
        """Make a project in an empty folder and open it."""

    async def run_selected(self, passes: Sequence[PassName]) -> None:
        """Run passes of the selected version on the chosen device."""

    async def verify_draft(self) -> None:
        """Keep the draft as a version and run compile and verify."""

    async def run_draft(self) -> None:
        """Keep the draft as a version and run every pass."""

    async def analyse_access(self) -> None:
        """Keep the draft as a version and analyse how it touches memory, on the emulator."""

    async def more_rounds(self, version: str) -> None:
        """Time a version again with more rounds."""

    async def suggest(self, advisor: str, model: str | None) -> None:
        """Ask an advisor about the selected version."""

    async def copy_prompt(self) -> str:
        """Return the prompt about the selected version, for the clipboard."""

    async def paste_answer(self, text: str) -> None:
        """Read an answer from the clipboard into a suggestion and put it in review."""

    async def accept_hunks(self, suggestion: int, hunks: Sequence[int]) -> None:
        """Make a version of the accepted hunks (numbers from 1) and run it."""

    async def refuse(self, suggestion: int) -> None:
        """Refuse a whole suggestion."""

    async def write_back(self) -> None:
        """Write the selected version into the project's source file."""

    async def save_patch(self, path: Path) -> None:
        """Save the selected version against its parent as a git patch."""

    async def export_report(self, path: Path) -> None:
        """Write the ledger report; the ending of `path` (.pdf, .md, .csv, .json) decides the form."""


class Bridge(QObject):
    """Given to every page and panel: signals when something changed, `workspace` to read, `commands` to ask.

    Signals carry the new value; a slot may take it or not.
    """

    session_changed = Signal(object)
    selected_changed = Signal(object)
    compared_changed = Signal(object)
    reviewed_changed = Signal(object)
    draft_changed = Signal(object)
    devices_changed = Signal(object)
    device_changed = Signal(object)
    jobs_changed = Signal(object)
    log_changed = Signal(object)
    gpu_changed = Signal(object)
    worker_changed = Signal(object)
    theme_changed = Signal()
    notice_posted = Signal(object)
    trust_asked = Signal(object)
    """A command stopped because a project's own Python may not run yet: carries the NotTrusted."""
    page_requested = Signal(str)
    action_requested = Signal(str)
    cursor_moved = Signal(int, int)
    line_requested = Signal(int)
    """A line (from 1) of the shown source that the editor should go to."""
    event_selected = Signal(object)
    """What the timeline's selection says: rows of (title, value) or None; shown by the selection panel."""

    def __init__(self, workspace: Workspace, commands: Commands, spawn: Spawn, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.commands = commands
        """Ask it anew each time: the commands come after the window."""
        self._spawn = spawn
        self._unsubscribe: list[Callable[[], None]] = []
        self._soon: list[Callable[[], None]] = []
        self._turn = QTimer(self, singleShot=True, interval=1)
        self._turn.timeout.connect(self._draw_next)
        for observable, signal in self._pairs():
            self._unsubscribe.append(observable.subscribe(signal.emit))

    def _pairs(self) -> list[tuple[Any, SignalInstance]]:
        space = self.workspace
        return [
            (space.session, self.session_changed),
            (space.selected, self.selected_changed),
            (space.compared, self.compared_changed),
            (space.reviewed, self.reviewed_changed),
            (space.draft, self.draft_changed),
            (space.devices, self.devices_changed),
            (space.device, self.device_changed),
            (space.jobs, self.jobs_changed),
            (space.log, self.log_changed),
            (space.gpu, self.gpu_changed),
            (space.gpu_missing, self.gpu_changed),
            (space.worker, self.worker_changed),
        ]

    def run(self, command: Coroutine[Any, Any, object]) -> None:
        """Start a command; what goes wrong becomes a notice and a log line. Returns at once."""
        self._spawn(command)

    def soon(self, draw: Callable[[], None]) -> None:
        """Draw in one of the next turns of the loop, one thing a turn; what is asked for twice is done once."""
        if draw not in self._soon:
            self._soon.append(draw)
            self._turn.start()

    def draws_soon(self) -> bool:
        """Return whether something that `soon` was asked for is not drawn yet."""
        return bool(self._soon)

    def _draw_next(self) -> None:
        self._soon.pop(0)()
        if self._soon:
            self._turn.start()

    def notify(self, message: Message, level: Level = "info") -> None:
        """Say one sentence over the pages."""
        self.notice_posted.emit(Notice(message, level))

    def report(self, error: object) -> None:
        """Tell what ended a command: a question where trust is missing, a sentence for what the user can mend, else the log."""
        if isinstance(error, NotTrusted):
            self.trust_asked.emit(error)
            return
        if isinstance(error, LedgerError):
            quiet = isinstance(error, JobStopped)
            self.notice_posted.emit(Notice(error.message, "info" if quiet else "error"))
            return
        if isinstance(error, BaseException):
            detail = "".join(traceback.format_exception(error))
            text = message("A fault in the program: {name}. Nothing kept was lost; the log has the details.", name=repr(error))
            self.write_log(text, "error", detail)
            self.notice_posted.emit(Notice(text, "error", detail=detail))

    def write_log(self, text: Message, level: Level, detail: str = "") -> None:
        """Add a line to the log."""
        log = self.workspace.log
        line = LogLine(datetime.now().strftime("%H:%M:%S"), level, text, detail)
        log.set((*log.value, line)[-KEPT_LINES:])

    def show_page(self, name: PageName) -> None:
        """Bring a page to the front."""
        self.page_requested.emit(name)

    def trigger(self, action: str) -> None:
        """Do the action with this id (see `ui.actions`), as its button or menu entry would."""
        self.action_requested.emit(action)

    def announce_theme(self) -> None:
        """Tell everyone who paints by hand that the colours changed."""
        self.theme_changed.emit()

    @property
    def theme(self) -> theme.Theme:
        """The theme worn now."""
        return theme.current()

    def close(self) -> None:
        """Stop listening to the workspace; safe to call twice."""
        self._turn.stop()
        self._soon.clear()
        while self._unsubscribe:
            self._unsubscribe.pop()()
