"""Two sources beside each other in one view: they cannot scroll apart. Unchanged runs are folded until they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from ui import theme
from ui.widgets.code_rows import CodeLine, Kind, draw_line, draw_number, grounds, sign, width_of, words_of
from ui.widgets.cuda_syntax import Span
from ui.widgets.line_diff import calm
from workbench import units
from workbench.analysis.aligned import AlignedLine, Fold
from workbench.texts import message, tr

_GAP = 14
_NUMBERS = 44
Item = AlignedLine | Fold


class SideBySide(QAbstractScrollArea):
    """Shows aligned lines. `n` and `p` go to the next and previous change; a click on a fold opens it."""

    def __init__(self) -> None:
        super().__init__()
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
        self._longest = max((width_of(line) for text in (a, b) for line in text.split("\n")), default=0)
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
                self._draw_row(painter, top, item)
        left = self._column()
        painter.fillRect(left, 0, 1, self.viewport().height(), look.color("line"))
        painter.fillRect(left + _GAP - 1, 0, 1, self.viewport().height(), look.color("line"))
        painter.end()

    def _draw_row(self, painter: QPainter, top: int, row: AlignedLine) -> None:
        column, height = self._column(), theme.current().size("line")
        sides = (
            (0, row.a_number, row.a_text, row.a_spans, self._words[0]),
            (column + _GAP, row.b_number, row.b_text, row.b_spans, self._words[1]),
        )
        for left, number, text, spans, words in sides:
            kind: Kind = "none" if number is None else row.kind
            own = tuple(words[number - 1]) if number is not None and number <= len(words) else ()
            box = QRect(left, top, column, height)
            if kind != "none":
                painter.fillRect(box, grounds(theme.current(), kind)[0])
            draw_number(painter, QRect(left, top, _NUMBERS - 10, height), number)
            inside = box if kind == "none" else box.adjusted(_NUMBERS, 0, 0, 0)
            draw_line(painter, inside, CodeLine(kind, text, calm(text, spans), own), self.horizontalScrollBar().value())
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the fold that was clicked."""
        k = (int(event.position().y()) + self.verticalScrollBar().value()) // theme.current().size("line")
        if 0 <= k < len(self._items):
            self.open_fold(k)

    def open_fold(self, place: int) -> None:
        """Show the lines of the fold at a row; nothing happens for other rows."""
        item = self._items[place]
        if isinstance(item, Fold):
            self._items[place : place + 1] = list(item.lines)
            self._measure()
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk the changes, open all folds with `o`; arrows scroll as usual."""
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
