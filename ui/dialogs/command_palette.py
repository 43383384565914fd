"""The command palette: every action, every version and every line of the shown source, by a few letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ui import theme
from ui.actions import Actions
from ui.bridge import Bridge
from ui.widgets.icon import icon
from workbench.texts import message, tr
from workbench.units import short_hash

MOST_SHOWN = 40
_LINES_FROM = 3
_WIDTH, _ROW = 560, 30
_ENTRY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Entry:
    """One thing that can be chosen: an action (its id), a version (its hash) or a line (its number)."""

    kind: Literal["action", "version", "line"]
    title: str
    note: str
    target: str
    enabled: bool = True


def score(query: str, text: str) -> int | None:
    """Return how well `text` answers `query` (lower is better), None when it does not.

    Every word of the query must stand in the text; a start of a word counts more than a middle.
    """
    lower = text.lower()
    total = 0
    for word in query.lower().split():
        place = lower.find(word)
        if place < 0:
            return None
        total += 0 if place == 0 else (1 if lower[place - 1] in " _-·(" else 4)
    return total


class _Rows(QStyledItemDelegate):
    """Draws a title on the left and its note, dim, on the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        """Return the size of one row."""
        return QSize(_WIDTH, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        """Draw one row; what cannot be done now is faint."""
        look = theme.current()
        entry: Entry = index.data(_ENTRY)  # type: ignore[attr-defined]  # PySide6's stub types index as object here
        box: QRect = option.rect.adjusted(4, 1, -4, -1)
        chosen = bool(option.state & option.state.State_Selected)
        painter.save()
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("selection"))
            painter.drawRoundedRect(box, 4, 4)
        picture = {"version": "database", "line": "edit"}.get(entry.kind, "chevron-right")
        icon(picture, "dim").paint(painter, QRect(box.left() + 8, box.center().y() - 7, 16, 16))
        painter.setFont(look.font("caption"))
        note = painter.fontMetrics().elidedText(entry.note, Qt.TextElideMode.ElideRight, 200)
        painter.setPen(look.color("dim"))
        inner = box.adjusted(32, 0, -10, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, note)
        room = inner.width() - painter.fontMetrics().horizontalAdvance(note) - 12
        painter.setFont(look.font("code" if entry.kind == "line" else "text"))
        painter.setPen(look.color("text" if entry.enabled or chosen else "faint"))
        title = painter.fontMetrics().elidedText(entry.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        painter.restore()


class CommandPalette(QFrame):
    """Lies over the window, takes letters and arrows, and goes away on Escape, on a choice, or when it loses the focus."""

    def __init__(self, bridge: Bridge, actions: Actions, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._actions = actions
        self._window = window
        self._anchor: QWidget | None = None
        self.setProperty("part", "palette")
        self.setAccessibleName(tr("Command palette"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Type a command, or search versions and lines"))
        self.field.setAccessibleName(tr("Command or search words"))
        self.field.addAction(icon("search", "dim"), QLineEdit.ActionPosition.LeadingPosition)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("What matches"))
        self.list.setItemDelegate(_Rows(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._choose)
        self.hide()

    def stand_over(self, anchor: QWidget) -> None:
        """Appear over the field that it stands for."""
        self._anchor = anchor

    def open(self, text: str = "") -> None:
        """Show it under the top bar and take the keyboard."""
        self.field.setText(text)
        self._fill()
        self.show()
        self.raise_()
        self.field.setFocus()

    def entries(self) -> Iterator[Entry]:
        """Yield everything that can be found now."""
        for action in self._actions.all():
            if action.objectName() != "palette":
                yield Entry("action", action.text(), action.shortcut().toString(), action.objectName(), action.isEnabled())
        view = self._bridge.workspace.session.value
        for version in view.versions if view else ():
            yield Entry("version", version.name, short_hash(version.hash), version.hash)

    def _lines(self) -> Iterator[Entry]:
        space = self._bridge.workspace
        view, draft = space.session.value, space.draft.value
        version = view.version(space.selected.value) if view else None
        text = draft.text if draft else (version.code.source.text if version else "")
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                note = message("line {number}", number=number)
                yield Entry("line", line.strip(), str(note), str(number))

    def _found(self, query: str) -> list[Entry]:
        sources = [*self.entries(), *(self._lines() if len(query) >= _LINES_FROM else ())]
        scored = [
            (points, order, entry) for order, entry in enumerate(sources) if (points := score(query, entry.title)) is not None
        ]
        scored.sort(key=_by_points)
        return [entry for _, _, entry in scored[:MOST_SHOWN]]

    def _fill(self) -> None:
        self.list.clear()
        for entry in self._found(self.field.text()):
            item = QListWidgetItem(self.list)
            item.setData(_ENTRY, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.title} {entry.note}")
        self.list.setCurrentRow(0)
        shown = min(max(self.list.count(), 1), 12)
        self.list.setFixedHeight(shown * _ROW + 2)
        self._place()

    def _place(self) -> None:
        window = self._window
        width = min(_WIDTH, window.width() - 40)
        middle = window.width() // 2 if self._anchor is None else self._anchor.mapTo(window, self._anchor.rect().center()).x()
        left = min(max(8, middle - width // 2), window.width() - width - 8)
        self.setGeometry(left, 4, width, self.sizeHint().height())

    def _choose(self) -> None:
        self.hide()
        if self.list.currentRow() < 0:
            return
        entry: Entry = self.list.currentItem().data(_ENTRY)
        match entry.kind:
            case "action":
                self._bridge.trigger(entry.target)
            case "version":
                self._bridge.commands.select(entry.target)
            case "line":
                self._bridge.show_page("editor")
                self._bridge.line_requested.emit(int(entry.target))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list, Return chooses, Escape and losing the focus close."""
        if event.type() == QEvent.Type.FocusOut and watched is self.field:
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
        row, last = self.list.currentRow(), self.list.count() - 1
        match key:
            case Qt.Key.Key_Escape:
                self.hide()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose()
            case Qt.Key.Key_Down:
                self.list.setCurrentRow(min(row + 1, last))
            case Qt.Key.Key_Up:
                self.list.setCurrentRow(max(row - 1, 0))
            case _:
                return False
        return True


def _by_points(found: tuple[int, int, Entry]) -> tuple[int, int]:
    return found[0], found[1]
