"""Two sources beside each other in one view: they cannot scroll apart. Unchanged runs are folded until they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu

from ui import theme
from ui.widgets.code_rows import CodeLine, Kind, draw_line, draw_number, grounds, selection_veil, sign, width_of, words_of
from ui.widgets.cuda_syntax import Span
from ui.widgets.line_diff import calm
from workbench import units
from workbench.analysis.aligned import AlignedLine, Fold
from workbench.texts import message, tr

_GAP = 14
_NUMBERS = 44
Item = AlignedLine | Fold
Which = Literal["", "a", "b"]


class Selected(NamedTuple):
    """Rows of one side, from where the button went down to where it is; no side is no selection."""

    side: Which = ""
    first: int = 0
    last: int = -1

    def in_order(self) -> tuple[Which, int, int]:
        """Return side, first and last row from the top."""
        return self.side, min(self.first, self.last), max(self.first, self.last)

    def holds(self, row: int) -> bool:
        """Return whether a row is selected."""
        side, first, last = self.in_order()
        return bool(side) and first <= row <= last


class SideBySide(QAbstractScrollArea):
    """Shows aligned lines. `n` and `p` go to the next and previous change; a click on a fold opens it.

    Dragging over one side selects its lines, Ctrl+A all of them; Ctrl+C copies their text.
    """

    def __init__(self) -> None:
        super().__init__()
        self._selected = Selected()
        self._items: list[Item] = []
        self._words: tuple[list[list[Span]], list[list[Span]]] = ([], [])
        self._longest = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Sources of both versions, side by side"))

    def show_sources(self, a: str, b: str, items: Sequence[Item]) -> None:
        """Show the aligned lines of two whole sources (LF)."""
        self._items = list(items)
        self._words = (words_of(a), words_of(b))
        self._selected = Selected()
        self._longest = max(width_of(a), width_of(b))
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)
        self._measure()
        self.viewport().update()

    def items(self) -> list[Item]:
        """Return what is shown now, opened folds as their lines."""
        return self._items

    def go_to_change(self, step: int) -> None:
        """Bring the next (1) or previous (-1) change to the upper third of the view."""
        height = theme.current().size("line")
        here = (self.verticalScrollBar().value() + self.viewport().height() // 3) // height
        starts = [k for k, item in enumerate(self._items) if _changed(item) and (k == 0 or not _changed(self._items[k - 1]))]
        after = [k for k in starts if k > here] if step > 0 else [k for k in reversed(starts) if k < here]
        if after:
            self.verticalScrollBar().setValue(after[0] * height - self.viewport().height() // 3)

    # --- drawing

    def _measure(self) -> None:
        height = theme.current().size("line")
        room = self.viewport().height()
        self.verticalScrollBar().setRange(0, max(0, len(self._items) * height - room))
        self.verticalScrollBar().setPageStep(room)
        self.verticalScrollBar().setSingleStep(height * 3)
        text_room = self._column() - _NUMBERS - 24
        self.horizontalScrollBar().setRange(0, max(0, self._longest - text_room))
        self.horizontalScrollBar().setPageStep(text_room)
        self.horizontalScrollBar().setSingleStep(24)

    def _column(self) -> int:
        return (self.viewport().width() - _GAP) // 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Measure the room anew."""
        super().resizeEvent(event)
        self._measure()

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the new theme's colours."""
        super().changeEvent(event)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Draw anew; both sides always together."""
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines on screen."""
        look = theme.current()
        height, scrolled = look.size("line"), self.verticalScrollBar().value()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), look.color("page"))
        first = scrolled // height
        last = min(len(self._items), (scrolled + self.viewport().height()) // height + 1)
        for k in range(first, last):
            top = k * height - scrolled
            item = self._items[k]
            if isinstance(item, Fold):
                self._draw_fold(painter, top, item)
            else:
                self._draw_row(painter, top, item, self._selected.side if self._selected.holds(k) else "")
        left = self._column()
        painter.fillRect(left, 0, 1, self.viewport().height(), look.color("line"))
        painter.fillRect(left + _GAP - 1, 0, 1, self.viewport().height(), look.color("line"))
        painter.end()

    def _draw_row(self, painter: QPainter, top: int, row: AlignedLine, selected: Which) -> None:
        column, height = self._column(), theme.current().size("line")
        sides = (
            ("a", 0, row.a_number, row.a_text, row.a_spans, self._words[0]),
            ("b", column + _GAP, row.b_number, row.b_text, row.b_spans, self._words[1]),
        )
        for which, left, number, text, spans, words in sides:
            kind: Kind = "none" if number is None else row.kind
            own = tuple(words[number - 1]) if number is not None and number <= len(words) else ()
            box = QRect(left, top, column, height)
            if kind != "none":
                painter.fillRect(box, grounds(theme.current(), kind)[0])
            draw_number(painter, QRect(left, top, _NUMBERS - 10, height), number)
            inside = box if kind == "none" else box.adjusted(_NUMBERS, 0, 0, 0)
            draw_line(painter, inside, CodeLine(kind, text, calm(text, spans), own), self.horizontalScrollBar().value())
            if which == selected and number is not None:
                painter.fillRect(box, selection_veil(theme.current()))
        self._draw_sign(painter, QRect(column, top, _GAP, height), row.kind)

    def _draw_sign(self, painter: QPainter, box: QRect, kind: Kind) -> None:
        look = theme.current()
        tokens: dict[Kind, str] = {"added": "stage_other", "removed": "wrong", "changed": "accent"}
        painter.fillRect(box, look.color("panel"))
        if kind in tokens:
            painter.setFont(look.font("code_strong"))
            painter.setPen(look.color(tokens[kind]))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign(kind))

    def _draw_fold(self, painter: QPainter, top: int, fold: Fold) -> None:
        look = theme.current()
        column, height = self._column(), look.size("line")
        painter.setFont(look.font("caption"))
        for left, first in ((0, fold.lines[0].a_number), (column + _GAP, fold.lines[0].b_number)):
            box = QRect(left, top, column, height)
            painter.fillRect(box, look.color("panel"))
            last = (first or 0) + fold.count - 1
            said = message(
                "{count} unchanged lines, {first} to {last}", count=units.count(fold.count), first=first or 0, last=last
            )
            painter.setPen(look.color("faint"))
            painter.drawText(
                QRect(left, top, _NUMBERS - 10, height), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, "⋯"
            )
            painter.drawText(box.adjusted(_NUMBERS, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, str(said))
        painter.fillRect(QRect(column, top, _GAP, height), look.color("panel"))

    # --- what is done

    def _row_at(self, y: float) -> int:
        row = (int(y) + self.verticalScrollBar().value()) // theme.current().size("line")
        return max(-1, min(row, len(self._items)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the fold that was clicked, or begin a selection on the side that was clicked."""
        row = self._row_at(event.position().y())
        if event.button() != Qt.MouseButton.LeftButton or not 0 <= row < len(self._items):
            return
        if isinstance(self._items[row], Fold):
            self.open_fold(row)
            return
        which: Which = "a" if event.position().x() < self._column() + _GAP / 2 else "b"
        self._select(Selected(which, row, row))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Stretch the selection over whole lines."""
        row = max(0, min(self._row_at(event.position().y()), len(self._items) - 1))
        if event.buttons() & Qt.MouseButton.LeftButton and self._selected.side:
            self._select(self._selected._replace(last=row))

    def _select(self, selected: Selected) -> None:
        self._selected = selected
        self.viewport().update()

    def selected_text(self) -> str:
        """Return the selected lines of one side, folded ones among them; empty without a selection."""
        side, first, last = self._selected.in_order()
        rows = [row for item in self._items[first : last + 1] for row in (item.lines if isinstance(item, Fold) else (item,))]
        if side == "a":
            return "\n".join(row.a_text for row in rows if row.a_number is not None)
        return "\n".join(row.b_text for row in rows if row.b_number is not None) if side == "b" else ""

    def copy(self) -> None:
        """Put the selected lines on the clipboard."""
        if text := self.selected_text():
            QGuiApplication.clipboard().setText(text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy, and to take all lines of the side that was clicked."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(tr("Copy"), self.copy).setEnabled(bool(self.selected_text()))
        menu.addAction(tr("Select all of this side"), self.select_all)
        menu.popup(event.globalPos())

    def select_all(self) -> None:
        """Select every line of the side that was last clicked, at first of B."""
        self._select(Selected(self._selected.side or "b", 0, len(self._items) - 1))

    def open_fold(self, place: int) -> None:
        """Show the lines of the fold at a row; nothing happens for other rows."""
        item = self._items[place]
        if isinstance(item, Fold):
            self._items[place : place + 1] = list(item.lines)
            self._selected = Selected()
            self._measure()
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk the changes, open all folds with `o`, copy and select all; arrows scroll as usual."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
            return
        match event.text():
            case "n":
                self.go_to_change(1)
            case "p":
                self.go_to_change(-1)
            case "o":
                for place in reversed(range(len(self._items))):
                    self.open_fold(place)
            case _:
                super().keyPressEvent(event)


def _changed(item: Item) -> bool:
    return isinstance(item, AlignedLine) and item.kind != "same"
