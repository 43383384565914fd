"""The picture of one warp's addresses: a square is four bytes; dim is fetched and unused, stacked is one after another."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui import theme
from ui.charts.warp_layout import BankColumn, SectorRow, Word, bank_columns, sector_rows
from workbench.model.access import BANKS, WarpPicture
from workbench.texts import message, tr

_GAP = 2
_BETWEEN = 6
_LABEL = 18
_MOST_DEEP = 32
WORDS = 8


class WarpChart(QWidget):
    """Shows one request. Pointing at a square says its offset and lanes."""

    def __init__(self) -> None:
        super().__init__()
        self._sectors: tuple[SectorRow, ...] = ()
        self._banks: tuple[BankColumn, ...] = ()
        self._left_out = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)

    def show_picture(self, picture: WarpPicture | None) -> None:
        """Show a request; nothing for None."""
        self._sectors, self._banks, self._left_out = (), (), 0
        if picture is not None and picture.space == "shared":
            self._banks = bank_columns(picture)
        elif picture is not None:
            self._sectors, self._left_out = sector_rows(picture)
        self.setAccessibleName(self.said())
        self.updateGeometry()
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def said(self) -> str:
        """Return the picture in words."""
        if self._sectors:
            used = sum(bool(word.lanes) for row in self._sectors for word in row.words)
            sectors, words = len(self._sectors) + self._left_out, WORDS * len(self._sectors)
            return str(message("{sectors} sectors; {used} of {words} words used", sectors=sectors, used=used, words=words))
        if self._banks:
            return str(message("{banks} of 32 banks used, at most {deep} words of one",
                               banks=sum(bool(column.words) for column in self._banks), deep=self._depth()))  # fmt: skip
        return tr("No request is shown")

    def _depth(self) -> int:
        return max((len(column.words) for column in self._banks), default=0)

    def _size(self, width: int) -> int:
        """Side of a square, px."""
        if self._banks:
            return max(3, min(12, (width - BANKS * _GAP) // BANKS))
        return max(4, min(12, (width - self._per_row(width) * _BETWEEN) // (self._per_row(width) * WORDS) - _GAP))

    def _per_row(self, width: int) -> int:
        """Sectors side by side: four make a line of 128 bytes."""
        return 4 if width >= 4 * (WORDS * (4 + _GAP) + _BETWEEN) else 2

    def hasHeightForWidth(self) -> bool:
        """Say that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows, px."""
        side = self._size(width) + _GAP
        if self._banks:
            return max(1, min(self._depth(), _MOST_DEEP)) * side + _LABEL
        rows = -(-len(self._sectors) // self._per_row(width))
        return max(1, rows) * (side + _BETWEEN) + (_LABEL if self._left_out else 0)

    def sizeHint(self) -> QSize:
        """Return the size it wants."""
        return QSize(360, self.heightForWidth(max(200, self.width())))

    def resizeEvent(self, event: QEvent) -> None:
        """Take the height that the new width needs."""
        self.setFixedHeight(self.heightForWidth(self.width()))

    def _squares(self) -> list[tuple[QRect, Word, str]]:
        """Return place, word and colour token of every square."""
        side = self._size(self.width())
        step, found = side + _GAP, list[tuple[QRect, Word, str]]()
        for index, row in enumerate(self._sectors):
            per_row = self._per_row(self.width())
            left = index % per_row * (WORDS * step + _BETWEEN)
            top = index // per_row * (step + _BETWEEN)
            for place, word in enumerate(row.words):
                found.append((QRect(left + place * step, top, side, side), word, "stage_kernel" if word.lanes else "line"))
        for column in self._banks:
            for depth, word in enumerate(column.words[:_MOST_DEEP]):
                token = "stage_kernel" if depth == 0 else "doubt"
                found.append((QRect(column.bank * step, depth * step, side, side), word, token))
            if not column.words:
                found.append((QRect(column.bank * step, 0, side, side), Word(column.bank * 4, ()), "line"))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the squares and what stands below them."""
        look = theme.current()
        painter = QPainter(self)
        for box, _word, token in self._squares():
            painter.fillRect(box, look.color(token))
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("dim"))
        below = QRect(0, self.height() - _LABEL, self.width(), _LABEL)
        if self._banks:
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, tr("banks 0 to 31"))
        elif self._left_out:
            said = str(message("and {count} more sectors", count=self._left_out))
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, said)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Say the square under the pointer."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text_at(event.pos()), self)
            return True
        return super().event(event)

    def text_at(self, point: QPoint) -> str:
        """Return offset and lanes of the square at a point, nothing where there is none."""
        for box, word, _token in self._squares():
            if box.contains(point):
                lanes = ", ".join(map(str, word.lanes)) or tr("fetched and unused")
                return str(message("byte {offset}: {lanes}", offset=word.offset, lanes=lanes))
        return ""
