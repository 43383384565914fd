"""The editor page: the source of the selected version or of the draft on it, and what its last run said."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QStackedLayout, QWidget

from ui.bridge import Bridge
from ui.dialogs.access_card import AccessPopup
from ui.tables.access_words import bars
from ui.tables.grid import GridTable
from ui.tables.last_run import last_run
from ui.widgets.card import SectionHead
from ui.widgets.code_editor import CodeEditor
from ui.widgets.empty_page import EmptyPage
from ui.widgets.find_bar import FindBar
from ui.widgets.findings import FindingsStrip
from ui.widgets.frames import GROWS, Pile, Split
from ui.widgets.label import Label, set_tone
from ui.widgets.line_diff import margin
from ui.widgets.line_ends import with_lf, with_own_ends
from workbench.analysis.access import newest_access
from workbench.commands.edit_version import findings
from workbench.model.access import AccessReport
from workbench.model.failure import SourceLine
from workbench.model.version import Version
from workbench.state.workspace import Draft, SessionView
from workbench.texts import message, tr

_PAUSE = 200
"""Milliseconds after the last key before lines are compared with the parent."""


class EditorPanel(QWidget):
    """Edits the workspace's draft; without one, typing begins a draft from the selected version."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._shown: str | None = None
        self._text = ""
        self._typing = False
        self.editor = CodeEditor()
        self.editor.setAccessibleName(tr("Source of the version"))
        self.find_bar = FindBar(self.editor)
        self.findings = FindingsStrip(self.editor)
        self.strip = GridTable(tr("Result of the last run"), row=26)
        self._strip_head = SectionHead(tr("Result of the last run"))
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._access: AccessReport | None = None
        self._card = AccessPopup(self)
        self._build()
        self._listen()
        self._show()

    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        empty = EmptyPage(
            self._bridge,
            tr("No source is open"),
            tr("The kernel’s source will be here, to be edited, run and compared. Open a project to begin."),
            [
                (tr("Open a project…"), "open_project"),
                (tr("Open a session…"), "open_session"),
                (tr("New project…"), "new_project"),
            ],
            "edit",
        )
        strip = Pile(self._strip_head, (self.strip, GROWS))
        self._split = Split(Qt.Orientation.Vertical, self._text_part(), strip, sizes=[640, 220], grows=0)
        self._stack.addWidget(empty)
        self._stack.addWidget(self._split)

    def _text_part(self) -> QWidget:
        self._banner = QFrame()
        self._banner.setProperty("part", "notice")
        row = QHBoxLayout(self._banner)
        row.setContentsMargins(12, 6, 12, 6)
        self._reason = Label("", "text", "text", wrap=True)
        self._back = QPushButton(tr("Back to the changes"))
        self._drop = QPushButton(tr("Drop them and edit this version"))
        row.addWidget(self._reason, 1)
        row.addWidget(self._back)
        row.addWidget(self._drop)
        return Pile(self._banner, self.find_bar, (self.editor, GROWS), self.findings)

    def _listen(self) -> None:
        bridge = self._bridge
        for signal in (bridge.session_changed, bridge.selected_changed, bridge.device_changed):
            signal.connect(self._show)
        bridge.draft_changed.connect(self._show_source)
        bridge.line_requested.connect(self.editor.go_to)
        self.editor.typed.connect(self._typed)
        self.editor.cursorPositionChanged.connect(self._tell_cursor)
        self.editor.bar_pointed.connect(self._show_card)
        self._pause.timeout.connect(self._compare_with_parent)
        self._back.clicked.connect(self._go_back)
        self._drop.clicked.connect(self._start_here)
        for keys, slot in (
            (QKeySequence.StandardKey.Find, self.find_bar.open_bar),
            (QKeySequence("F3"), self.find_bar.next),
            (QKeySequence("Shift+F3"), self.find_bar.previous),
            (QKeySequence("F8"), self.findings.next),
            (QKeySequence("Shift+F8"), self.findings.previous),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    # --- what is shown

    def reason(self) -> str:
        """Return why the source cannot be changed, empty when it can."""
        return self._reason.text()

    def _view(self) -> SessionView | None:
        return self._bridge.workspace.session.value

    def _version(self) -> Version | None:
        view = self._view()
        return view.version(self._bridge.workspace.selected.value) if view else None

    def _draft(self) -> Draft | None:
        """Return the draft when it belongs to the version shown."""
        draft = self._bridge.workspace.draft.value
        return draft if draft and draft.base == self._bridge.workspace.selected.value else None

    def _other_draft(self) -> Draft | None:
        """Return a changed draft of another version, which typing here would drop."""
        draft = self._bridge.workspace.draft.value
        return draft if draft and draft.changed and draft.base != self._bridge.workspace.selected.value else None

    def _show(self) -> None:
        self._show_source()
        self._show_strip()

    def _show_source(self) -> None:
        version, draft = self._version(), self._draft()
        self._stack.setCurrentIndex(0 if version is None and draft is None else 1)
        if version is None and draft is None:
            self._shown = None
            return
        text = draft.text if draft else (version.code.source.text if version else "")
        self._show_text(text, version)
        self._show_reason()
        self.editor.set_marks(self._marks())
        self.findings.show_marks(self._marks())
        self._show_bars()
        self._pause.start()

    def _show_bars(self) -> None:
        """Show how each line touches memory, while the text is the one that was analysed."""
        version, view = self._version(), self._view()
        same = version is not None and self.editor.source() == with_lf(version.code.source.text)
        runs = [run for run in view.runs if version and run.version == version.hash] if view and same else []
        self._access = newest_access(runs)
        self.editor.set_bars(bars(self._access) if self._access else {})

    def _show_card(self, line: int, place: QPoint) -> None:
        if self._access is not None:
            self._card.show_line(self._access, line, place)

    def _show_text(self, text: str, version: Version | None) -> None:
        """Show a text; what follows from what was shown before (accepted hunks, a changed draft) can be undone."""
        digest = version.hash if version else None
        follows = self._shown is not None and (self._shown == digest or (version is not None and version.parent == self._shown))
        self._shown = digest or "draft"
        if self._typing:
            return
        self._text, shown = text, with_lf(text)
        if shown == self.editor.source():
            return
        if follows:
            self.editor.change_to(shown)
        else:
            self.editor.open_source(shown)

    def _marks(self) -> tuple[SourceLine, ...]:
        draft, view = self._draft(), self._view()
        if draft and (draft.changed or draft.marks):
            return draft.marks
        return findings(view, self._shown, self._bridge.workspace.device.value) if view else ()

    def _show_reason(self) -> None:
        view, other = self._view(), self._other_draft()
        reason, locked = "", view.read_only if view else None
        if locked:
            reason = str(message("{reason} The source can be read and copied, not changed.", reason=str(locked)))
        elif other and view:
            base = view.version(other.base)
            reason = str(
                message("There are changes on top of {name} that no version keeps yet.", name=base.name if base else "—")
            )
        self._reason.setText(reason)
        self._banner.setVisible(bool(reason))
        set_tone(self._banner, "doubt" if other and not locked else "")
        for button in (self._back, self._drop):
            button.setVisible(bool(other) and not locked)
        self.editor.setReadOnly(bool(reason))

    def _show_strip(self) -> None:
        view = self._view()
        if view is None:
            return
        found = last_run(view, self._bridge.workspace.selected.value, self._bridge.workspace.device.value)
        self.strip.show_rows(found.columns, found.rows)
        self._strip_head.set_note(found.note)

    def _compare_with_parent(self) -> None:
        view, version = self._view(), self._version()
        if view is None or version is None:
            self.editor.set_differences({})
            return
        parent = view.version(version.parent) or version
        self.editor.set_differences(margin(parent.code.source.text, self.editor.source()))

    # --- what is done

    def _typed(self) -> None:
        shown = self.editor.source()
        if shown == with_lf(self._text):
            return
        self._text = with_own_ends(self._text, shown)
        base, commands = self._bridge.workspace.selected.value, self._bridge.commands
        self._typing = True
        try:
            if self._draft() is None and base is not None:
                commands.start_draft(base)
            commands.edit_draft(self._text)
        finally:
            self._typing = False

    def _tell_cursor(self) -> None:
        cursor = self.editor.textCursor()
        self._bridge.cursor_moved.emit(cursor.blockNumber() + 1, cursor.positionInBlock() + 1)

    def _go_back(self) -> None:
        other = self._other_draft()
        if other:
            self._bridge.commands.select(other.base)

    def _start_here(self) -> None:
        base = self._bridge.workspace.selected.value
        if base is not None:
            self._bridge.commands.start_draft(base)
