"""A table of cells: rows of 30 px, numbers at the right, hairlines, columns that drop in order where room is short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ui import theme
from ui.tables.cells import Cell, Column, kept_columns
from ui.widgets.chip import HEIGHT, chip_width, paint_chip

_PAD, _INDENT = 8, 4
"""Room at both sides of a cell; the first column starts where the titles of the page's parts do (style.qss has the heads')."""
_SWATCH = 10
_BAR = 40
_CELL = Qt.ItemDataRole.UserRole
_RIGHT = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


class CellModel(QAbstractTableModel):
    """Rows of cells under columns, replaced whole."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.columns: tuple[Column, ...] = ()
        self.rows: tuple[tuple[Cell, ...], ...] = ()

    def show(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        """Replace everything."""
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), tuple(tuple(row) for row in rows)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of columns."""
        return len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tooltip, or the cell itself."""
        cell = self.rows[index.row()][index.column()]
        if role == _CELL:
            return cell
        if role == _RIGHT:
            return self.columns[index.column()].right
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return cell.spoken
        return (cell.tip or None) if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a column's title."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.columns[section].right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


def _font(cell: Cell) -> theme.FontKind:
    if cell.mono:
        return "code_strong" if cell.strong else "code"
    return "strong" if cell.strong else "text"


def cell_width(cell: Cell) -> int:
    """Return the room a cell would like, px."""
    width = 2 * _PAD + 3 + QFontMetrics(theme.current().font(_font(cell))).horizontalAdvance(cell.text)
    width += (_SWATCH + 8 if cell.swatch else 0) + (_BAR + 10 if cell.bar else 0)
    return width + (chip_width(cell.chip) + (8 if cell.text else 0) if cell.chip else 0)


class CellDelegate(QStyledItemDelegate):
    """Draws cells."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw ground, swatch, bar, chip and text of one cell."""
        look = theme.current()
        cell, right = index.data(_CELL), index.data(_RIGHT)
        box = QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, look.color("selection"))
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, look.color("line"))
        inside = box.adjusted(_PAD + (_INDENT if index.column() == 0 else 0), 0, -_PAD, -1)
        if cell.swatch:
            square = QRect(inside.left(), inside.center().y() - _SWATCH // 2 + 1, _SWATCH, _SWATCH)
            painter.fillRect(square, look.color(cell.swatch))
            inside.setLeft(inside.left() + _SWATCH + 8)
        if cell.bar:
            _draw_bar(painter, inside, cell.bar)
            inside.setLeft(inside.left() + _BAR + 10)
        if cell.chip:
            self._draw_chip(painter, inside, cell, right)
        painter.setFont(look.font(_font(cell)))
        painter.setPen(look.color(cell.tone))
        text = painter.fontMetrics().elidedText(cell.text, Qt.TextElideMode.ElideRight, inside.width())
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inside, side | Qt.AlignmentFlag.AlignVCenter, text)

    @staticmethod
    def _draw_chip(painter: QPainter, inside: QRect, cell: Cell, right: bool) -> None:
        width = chip_width(cell.chip) if cell.chip else 0
        top = inside.center().y() - HEIGHT // 2 + 1
        left = inside.right() - width if right or cell.text else inside.left()
        if cell.chip:
            paint_chip(painter, left, top, cell.chip)
        inside.setRight(left - 8 if right or cell.text else inside.right())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room a cell would like."""
        return QSize(cell_width(index.data(_CELL)), theme.current().size("row"))


def _draw_bar(painter: QPainter, inside: QRect, bar: tuple[float, str]) -> None:
    look = theme.current()
    fraction, token = bar
    ground = QRect(inside.left(), inside.center().y() - 3, _BAR, 7)
    painter.fillRect(ground, look.color("raised"))
    if fraction > 0:
        painter.fillRect(QRect(ground.left(), ground.top(), max(1, round(_BAR * min(1.0, fraction))), 7), look.color(token))


class GridTable(QTableView):
    """Shows columns and rows of cells; with `grows` it is as high as its rows and does not scroll by itself."""

    _wanted: tuple[int, ...] = ()
    """The room each column would like, px; here, since Qt may tell of a change while the table is made."""

    def __init__(self, name: str, *, grows: bool = False, row: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grows = grows
        self._row = row or theme.current().size("row")
        self._cells = CellModel(self)
        self.setModel(self._cells)
        self.setItemDelegate(CellDelegate(self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setFixedHeight(30)
        head.setMinimumSectionSize(16)
        self.verticalHeader().setMinimumSectionSize(16)
        self.verticalHeader().setDefaultSectionSize(self._row)
        if grows:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        """Replace what is shown; the same rows once more cost nothing."""
        new = tuple(columns), tuple(tuple(row) for row in rows)
        if new == (self._cells.columns, self._cells.rows):
            return
        self._cells.show(*new)
        self._measure()
        if self._grows:
            self.setFixedHeight(30 + len(rows) * self._row)
        self._share_room()

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return what is shown."""
        return self._cells.rows

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._share_room()

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew in another face."""
        super().changeEvent(event)
        if self._wanted and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()
            self._share_room()

    def _measure(self) -> None:
        heads = QFontMetrics(self.horizontalHeader().font())
        self._wanted = tuple(
            max(
                max((cell_width(row[index]) for row in self._cells.rows), default=0),
                heads.horizontalAdvance(column.title) + 2 * _PAD,
            )
            + (_INDENT if index == 0 else 0)
            for index, column in enumerate(self._cells.columns)
        )

    def _share_room(self) -> None:
        columns, widths = self._cells.columns, self._wanted
        if not columns:
            return
        room = self.viewport().width()
        least = tuple(min(width, column.least or width) for width, column in zip(widths, columns, strict=True))
        kept = kept_columns(columns, least, room)
        left = max(0, room - sum(width for width, keep in zip(widths, kept, strict=True) if keep))
        takers = [index for index, column in enumerate(columns) if kept[index] and column.stretch] or [0]
        short = min(0, room - sum(width for width, keep in zip(widths, kept, strict=True) if keep))
        for index, width in enumerate(widths):
            self.setColumnHidden(index, not kept[index])
            extra = (left + short) // len(takers) if index in takers else 0
            self.setColumnWidth(index, max(24, width + extra))
