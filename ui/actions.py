"""The registry of what a user can do: one entry each, used by the menu, the buttons and the command palette."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from ui.bridge import Bridge
from workbench.state.workspace import Workspace
from workbench.texts import tr

Predicate = Callable[[Workspace], bool]


def always(space: Workspace) -> bool:
    """Return True."""
    return True


def has_session(space: Workspace) -> bool:
    """Return whether a session is open."""
    return space.session.value is not None


def can_write(space: Workspace) -> bool:
    """Return whether the open session may be written to."""
    view = space.session.value
    return view is not None and view.read_only is None


def has_project(space: Workspace) -> bool:
    """Return whether the open session can be written to and knows its project."""
    view = space.session.value
    return can_write(space) and view is not None and view.project is not None


def has_version(space: Workspace) -> bool:
    """Return whether a version is selected."""
    view = space.session.value
    return view is not None and view.version(space.selected.value) is not None


def has_parent(space: Workspace) -> bool:
    """Return whether the selected version has a parent."""
    view = space.session.value
    version = view.version(space.selected.value) if view else None
    return version is not None and version.parent is not None


def can_run(space: Workspace) -> bool:
    """Return whether there is something to run and a device that can."""
    device = next((found for found in space.devices.value if found.id == space.device.value), None)
    something = has_version(space) or space.draft.value is not None
    return has_project(space) and something and device is not None and device.available


def can_analyse(space: Workspace) -> bool:
    """Return whether there is something whose memory access the emulator can trace."""
    something = has_version(space) or space.draft.value is not None
    return has_project(space) and something and any(found.kind == "emulator" and found.available for found in space.devices.value)


def can_ask(space: Workspace) -> bool:
    """Return whether an advisor can be asked about a version."""
    return has_project(space) and has_version(space)


def has_running_job(space: Workspace) -> bool:
    """Return whether something can be cancelled."""
    return any(job.status == "running" for job in space.jobs.value)


@dataclass(frozen=True)
class ActionSpec:
    """One thing to do. `title` is shown everywhere; `menu` is where it stands; `enabled` says when it can be done."""

    id: str
    title: str
    menu: str
    shortcut: str = ""
    icon: str = ""
    enabled: Predicate = always


SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("open_project", "Open project…", "File", "Ctrl+O", "folder"),
    ActionSpec("open_session", "Open session…", "File", "Ctrl+Shift+O", "database"),
    ActionSpec("new_project", "New project…", "File", "Ctrl+N", "plus"),
    ActionSpec("export_report", "Export report…", "File", "Ctrl+E", "report", has_session),
    ActionSpec("write_back", "Write version into the project’s source", "File", "", "save", has_version),
    ActionSpec("save_patch", "Save version as git patch…", "File", "", "patch", has_parent),
    ActionSpec("quit", "Quit", "File", "Ctrl+Q"),
    ActionSpec("edit_version", "Edit this version", "Run", "Ctrl+B", "edit", has_version),
    ActionSpec("verify", "Verify", "Run", "Ctrl+Return", "verify", can_run),
    ActionSpec("run", "Run", "Run", "Ctrl+R", "run", can_run),
    ActionSpec("more_rounds", "More rounds", "Run", "Ctrl+Shift+R", "plus", can_run),
    ActionSpec("access", "Analyse memory access", "Run", "F6", "access", can_analyse),
    ActionSpec("cancel", "Cancel the running job", "Run", "Ctrl+.", "stop", has_running_job),
    ActionSpec("compare_parent", "Compare with its parent", "Compare", "Ctrl+D", "compare", has_parent),
    ActionSpec("compare_baseline", "Compare with the baseline", "Compare", "Ctrl+Shift+D", "compare", has_parent),
    ActionSpec("suggest", "Suggest", "Suggest", "F7", "suggest", can_ask),
    ActionSpec("copy_prompt", "Copy the prompt", "Suggest", "Ctrl+Shift+C", "copy", can_ask),
    ActionSpec("paste_answer", "Paste an answer", "Suggest", "Ctrl+Shift+V", "paste", can_ask),
    ActionSpec("palette", "Command palette", "View", "Ctrl+Shift+P", "search"),
    ActionSpec("page_editor", "Go to Editor", "View", "Ctrl+1", "edit"),
    ActionSpec("page_review", "Go to Review", "View", "Ctrl+2", "proof"),
    ActionSpec("page_compare", "Go to Compare", "View", "Ctrl+3", "compare"),
    ActionSpec("page_timeline", "Go to Timeline", "View", "Ctrl+4", "timeline"),
    ActionSpec("page_account", "Go to Account", "View", "Ctrl+5", "account"),
    ActionSpec("page_access", "Go to Access", "View", "Ctrl+6", "access"),
    ActionSpec("toggle_left", "Show or hide versions and jobs", "View", "Ctrl+Alt+1", "panel-left"),
    ActionSpec("toggle_right", "Show or hide proof and GPU", "View", "Ctrl+Alt+2", "panel-right"),
    ActionSpec("toggle_log", "Show or hide the log", "View", "Ctrl+J", "log"),
    ActionSpec("theme_dark", "Dark theme", "View", "", "theme"),
    ActionSpec("theme_light", "Light theme", "View", "", "theme"),
    ActionSpec("theme_system", "Theme of the desktop", "View", "", "theme"),
)
MENUS = ("File", "Run", "Compare", "Suggest", "View")


class Actions(QObject):
    """Qt's actions made from SPECS. Each is enabled while its predicate holds, and known to the whole window by shortcut."""

    def __init__(self, bridge: Bridge, handlers: Mapping[str, Callable[[], None]], parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._handlers = handlers
        self._actions: dict[str, QAction] = {}
        for spec in SPECS:
            if spec.id in handlers:
                self._actions[spec.id] = self._made(spec, parent)
        for signal in (
            bridge.session_changed, bridge.selected_changed, bridge.draft_changed, bridge.jobs_changed,
            bridge.devices_changed, bridge.device_changed,
        ):  # fmt: skip
            signal.connect(self.refresh)
        bridge.action_requested.connect(self.trigger)
        self.refresh()

    def _made(self, spec: ActionSpec, parent: QObject) -> QAction:
        action = QAction(tr(spec.title), parent)
        action.setObjectName(spec.id)
        if spec.shortcut:
            action.setShortcut(QKeySequence(spec.shortcut))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(self._triggered)
        return action

    def action(self, name: str) -> QAction:
        """Return the action with this id. Raises KeyError for an unknown one."""
        return self._actions[name]

    def all(self) -> tuple[QAction, ...]:
        """Return every action, in the order of the registry."""
        return tuple(self._actions.values())

    def of_menu(self, menu: str) -> tuple[QAction, ...]:
        """Return the actions of a menu."""
        return tuple(self._actions[spec.id] for spec in SPECS if spec.menu == menu and spec.id in self._actions)

    def trigger(self, name: str) -> None:
        """Do an action if it can be done now."""
        self.action(name).trigger()

    def refresh(self) -> None:
        """Enable what can be done now."""
        for spec in SPECS:
            if spec.id in self._actions:
                self._actions[spec.id].setEnabled(spec.enabled(self._bridge.workspace))

    def _triggered(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._handlers[sender.objectName()]()
