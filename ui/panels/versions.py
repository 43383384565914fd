"""Versions: the ledger's lines as a tree, with time, ratio, chip and one dim line each; suggestions in review below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QHelpEvent, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QVBoxLayout,
)

from ui import theme
from ui.actions import SPECS
from ui.bridge import Bridge
from ui.widgets.card import SectionHead
from ui.widgets.chip import HEIGHT as CHIP_HEIGHT
from ui.widgets.chip import paint_chip
from ui.widgets.empty_page import EmptyPage
from ui.widgets.label import Label
from workbench.analysis.gate_count import count_gates
from workbench.model.ledger import Chip, LedgerLine
from workbench.model.suggestion import Suggestion
from workbench.model.version import Version
from workbench.state.workspace import SessionView
from workbench.texts import message, tr
from workbench.units import duration, ratio

_ROW = Qt.ItemDataRole.UserRole
_HEIGHT, _INDENT, _PAD, _DEEPEST, _RATIO = 50, 14, 12, 4, 52
Index = QModelIndex | QPersistentModelIndex
_MENU = ("edit_version", "run", "more_rounds", "", "compare_parent", "compare_baseline", "", "write_back", "save_patch")
"""Actions of the context menu, in order; an empty name is a line between groups."""


@dataclass(frozen=True)
class Row:
    """One row as text: `target` is a version's hash, or a suggestion's id as `#3`."""

    target: str
    name: str
    time: str
    ratio: str
    chip: Chip
    note: str
    depth: int
    sentence: str = ""


def rows_of(view: SessionView | None) -> list[Row]:
    """Return the rows of a session: the ledger's lines, versions that are in no line yet, suggestions in review."""
    if view is None:
        return []
    lines = view.ledger.lines if view.ledger else ()
    known = {line.version for line in lines}
    gains = view.ledger is not None and view.ledger.books_gains
    rows = [_of_line(line, gains) for line in lines]
    rows += [_of_version(version) for version in view.versions if version.hash not in known]
    rows += [_of_suggestion(item) for item in view.suggestions if item.decision == "in review"]
    return rows


_SAYS_ENOUGH: frozenset[Chip] = frozenset({"FASTER", "SLOWER", "SAME", "BASELINE", "CPU TIME"})
"""Chips after which the row says what else was measured; after all others it says why."""


def _of_line(line: LedgerLine, gains: bool) -> Row:
    faster = ratio(line.speedup.value) if gains else ""
    note = _measured(line) if line.chip in _SAYS_ENOUGH else str(line.sentence)
    time = duration(line.kernel_time.value, 3)
    return Row(line.version, line.name, time, faster, line.chip, note, line.depth, str(line.sentence))


def _measured(line: LedgerLine) -> str:
    if line.end_to_end.value is not None:
        first = str(message("{time} end to end", time=duration(line.end_to_end.value, 3)))
    else:
        first = count_gates(line.gates).sentence.removesuffix(".")
    return f"{first} · {line.author}"


def _of_version(version: Version) -> Row:
    note = version.hypothesis or tr("not run on this device yet")
    return Row(version.hash, version.name, duration(None), "", "not run", note, 1 if version.parent else 0)


def _of_suggestion(item: Suggestion) -> Row:
    who = item.author.name or tr(item.author.kind)
    note = str(message("suggestion of {who}, not run", who=who))
    return Row(f"#{item.id}", item.hypothesis or tr("suggestion"), duration(None), "", "in review", note, 1)


def _note(view: SessionView) -> str:
    if view.ledger is None:
        return str(len(view.versions))
    if view.ledger.books_gains:
        return str(message("{count} · kernel time · ×", count=len(view.versions)))
    return str(message("{count} · CPU time", count=len(view.versions)))


class _Model(QAbstractListModel):
    """The rows, made anew whenever the session changes."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Row] = []

    def show_rows(self, rows: list[Row]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def find(self, target: str | None) -> QModelIndex:
        place = next((index for index, row in enumerate(self._rows) if row.target == target), None)
        return QModelIndex() if place is None else self.index(place)

    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if role == _ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.name} {row.time} {row.ratio} {tr(row.chip)} {row.note}"
        return None


class _Rows(QStyledItemDelegate):
    """Draws name, time and ratio on the first line, chip and a dim sentence on the second."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(180, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, row = theme.current(), _row(index)
        box: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, look.color("selection"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, look.color("raised"))
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, look.color("line"))
        left = box.left() + _PAD + _INDENT * min(row.depth, _DEEPEST)
        self._first_line(painter, row, left, box)
        top = box.top() + 27
        used = paint_chip(painter, left, top, row.chip)
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("dim"))
        room = QRect(left + used + 6, top, box.right() - _PAD - left - used - 6, CHIP_HEIGHT)
        painter.drawText(room, _LEFT, painter.fontMetrics().elidedText(row.note, _ELIDE, room.width()))
        painter.restore()

    def _first_line(self, painter: QPainter, row: Row, left: int, box: QRect) -> None:
        look = theme.current()
        top = box.top() + 6
        right = box.right() - _PAD
        painter.setPen(look.color("text"))
        painter.setFont(look.font("code"))
        if row.ratio:
            painter.drawText(QRect(right - _RATIO, top, _RATIO, 18), _RIGHT, row.ratio)
            right -= _RATIO + 4
        width = painter.fontMetrics().horizontalAdvance(row.time)
        painter.drawText(QRect(right - width, top, width, 18), _RIGHT, row.time)
        painter.setFont(look.font())
        room = QRect(left, top, right - width - 8 - left, 18)
        painter.drawText(room, _LEFT, painter.fontMetrics().elidedText(row.name, _ELIDE, room.width()))

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """Show the whole name and sentence."""
        row = _row(index)
        QToolTip.showText(event.globalPos(), f"{row.name}\n{row.sentence or row.note}", view)
        return True


_ELIDE = Qt.TextElideMode.ElideRight
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _row(index: Index) -> Row:
    row = index.data(_ROW)
    assert isinstance(row, Row)
    return row


class _List(QListView):
    """The list; `returned` when Return was pressed on a row (Qt's `activated` is a single click on some desktops)."""

    returned = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Return; everything else is Qt's."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() in _PLAIN:
            self.returned.emit()
        else:
            super().keyPressEvent(event)


_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class VersionsPanel(QFrame):
    """The left panel. Choosing a row selects the version, or puts the suggestion in review."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "panel")
        self._bridge = bridge
        self.head = SectionHead(tr("Versions"))
        self._model = _Model()
        self.list = _List()
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Rows(self.list))
        self.list.setAccessibleName(tr("Versions of the kernel"))
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._empty = EmptyPage(
            bridge, tr("No project is open"), tr("Every state of the kernel will be listed here, with its proof and its time."),
            [(tr("Run"), "run")], "database",
        )  # fmt: skip
        self._empty.offer_actions(False)
        self.locked = Label(tr("Read-only: nothing here can be changed."), "caption", "doubt", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._pages = QStackedLayout()
        column.addLayout(self._pages)  # first: a stack without a parent shows its first page as a window
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.list)
        self._foot = QHBoxLayout()
        column.addLayout(self._foot)
        self._foot.addWidget(self.locked)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.doubleClicked.connect(self._edit)
        self.list.returned.connect(self._edit)
        bridge.session_changed.connect(self.refresh)
        bridge.selected_changed.connect(self._follow)
        bridge.reviewed_changed.connect(self._follow)
        bridge.theme_changed.connect(self.list.viewport().update)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's rows."""
        view = self._bridge.workspace.session.value
        rows = rows_of(view)
        self._model.show_rows(rows)
        self._pages.setCurrentWidget(self.list if rows else self._empty)
        if view is not None and not rows:
            self._empty.set_title(tr("No version yet"))
            self._empty.set_sentence(tr("Run the project’s kernel: it becomes the baseline, the first line of the ledger."))
            self._empty.offer_actions(view.read_only is None)
        self.head.set_note(_note(view) if view and rows else "")
        reason = view.read_only if view else None
        self.locked.setToolTip(str(reason or ""))
        self.locked.setVisible(reason is not None)
        self._foot.setContentsMargins(_PAD, 6 if reason else 0, _PAD, 6 if reason else 0)
        self._follow()

    def _follow(self) -> None:
        space = self._bridge.workspace
        target = space.selected.value
        current = self.list.currentIndex()
        if current.isValid() and _row(current).target == f"#{space.reviewed.value}":
            return
        place = self._model.find(target)
        if place != current:
            self.list.setCurrentIndex(place)

    def _chosen(self, current: QModelIndex) -> None:
        if not current.isValid():
            return
        target = _row(current).target
        if target.startswith("#"):
            self._bridge.commands.review(int(target[1:]))
            self._bridge.show_page("review")
        elif target != self._bridge.workspace.selected.value:
            self._bridge.commands.select(target)

    def _edit(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self._bridge.trigger("page_review" if _row(index).target.startswith("#") else "edit_version")

    def _menu(self, where: QPoint) -> None:
        """Show what can be done with the row under the pointer, or with the current one when a key asked."""
        index = self.list.indexAt(where)
        if not index.isValid():
            index = self.list.currentIndex()
            where = self.list.visualRect(index).center()
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.menu_of(_row(index)).popup(self.list.viewport().mapToGlobal(where))

    def menu_of(self, row: Row) -> QMenu:
        """Return the menu of a row: actions of a version, each enabled while it can be done; of a suggestion its review."""
        menu = QMenu(self)
        menu.setAccessibleName(str(message("What can be done with {name}", name=row.name)))
        menu.aboutToHide.connect(menu.deleteLater)
        specs = {spec.id: spec for spec in SPECS}
        for name in ("page_review",) if row.target.startswith("#") else _MENU:
            if not name:
                menu.addSeparator()
                continue
            spec = specs[name]
            keys = QKeySequence(spec.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
            action = menu.addAction(f"{tr(spec.title)}\t{keys}" if keys else tr(spec.title))
            action.setData(name)
            action.setEnabled(spec.enabled(self._bridge.workspace))
            action.triggered.connect(self._menu_chosen)
        return menu

    def _menu_chosen(self) -> None:
        sender = self.sender()
        if isinstance(sender, QAction):
            self._bridge.trigger(str(sender.data()))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the rows anew in other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.list.viewport().update()
