"""The strip left of the code: how a line differs from the parent, what the compiler found there, and its number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from ui import theme
from ui.widgets.line_diff import MarginKind
from workbench.texts import tr

if TYPE_CHECKING:
    from ui.widgets.code_editor import CodeEditor

_BAR = 4
_DOT = 8
TONES: dict[MarginKind, str] = {"added": "stage_other", "changed": "accent", "removed": "wrong"}
"""How a line differs -> colour token; each has its own shape too (bar, bar with a notch, wedge)."""
_WORDS: dict[MarginKind, str] = {
    "added": "This line is not in the parent version.",
    "changed": "This line differs from the parent version.",
    "removed": "Lines of the parent version were removed here.",
}


_LONGEST = 40
"""Length of the longest bar beside the numbers, px."""


class LineBar(NamedTuple):
    """The bar beside a line: `fraction` of the longest one, its tone, and what it says."""

    fraction: float
    tone: Literal["neutral", "doubt", "wrong"]
    said: str


class Gutter(QWidget):
    """Belongs to one editor and scrolls with it."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setAccessibleName(tr("Line numbers and marks"))

    def wanted_width(self) -> int:
        """Return the width for the number of lines there are, px."""
        digits = max(3, len(str(self._editor.blockCount())))
        numbers = QFontMetrics(theme.current().font("code")).horizontalAdvance("9" * digits)
        return _BAR + 6 + _DOT + 6 + numbers + 14 + self._bars_width()

    def _bars_width(self) -> int:
        return _LONGEST + 10 if self._editor.has_bars() else 0

    def sizeHint(self) -> QSize:
        """Return the width it wants."""
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks and numbers of the lines on screen."""
        look = theme.current()
        painter = QPainter(self)
        painter.fillRect(event.rect(), look.color("page"))
        painter.setFont(look.font("code"))
        for line, box in self._editor.line_boxes():
            self._draw_difference(painter, line, box.top(), box.height())
            severity = self._editor.severity_at(line)
            if severity:
                painter.setBrush(look.color("wrong" if severity == "error" else "doubt"))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.drawEllipse(_BAR + 6, box.top() + (box.height() - _DOT) // 2, _DOT, _DOT)
            current = line == self._editor.textCursor().blockNumber()
            painter.setPen(look.color("text" if current else "faint"))
            place = QRect(0, box.top(), self.width() - 14 - self._bars_width(), box.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line + 1))
            self._draw_bar(painter, line, box)
        painter.end()

    def _draw_difference(self, painter: QPainter, line: int, top: int, height: int) -> None:
        kind = self._editor.difference_at(line)
        if kind is None:
            return
        color = theme.current().color(TONES[kind])
        if kind == "removed":
            painter.fillRect(0, top, _BAR * 2, 3, color)
        else:
            painter.fillRect(0, top, _BAR, height, color)

    def _draw_bar(self, painter: QPainter, line: int, box: QRect) -> None:
        bar = self._editor.bar_at(line)
        if bar is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().color(bar.tone))
        length = max(3, round(_LONGEST * bar.fraction))
        painter.drawRoundedRect(self.width() - _LONGEST - 8, box.center().y() - 3, length, 7, 1.5, 1.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def event(self, event: QEvent) -> bool:
        """Say what a mark means when the pointer rests on it."""
        if isinstance(event, QHelpEvent):
            line = self._editor.line_at(event.pos().y())
            kind, bar = self._editor.difference_at(line), self._editor.bar_at(line)
            if bar is not None and event.pos().x() >= self.width() - self._bars_width():
                self._editor.bar_pointed.emit(line + 1, event.globalPos())
                return True
            said = [*self._editor.findings_at(line), *([tr(_WORDS[kind])] if kind else []), *([bar.said] if bar else [])]
            QToolTip.showText(event.globalPos(), "\n".join(said), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the cursor on the line that was clicked."""
        self._editor.go_to(self._editor.line_at(int(event.position().y())) + 1)
