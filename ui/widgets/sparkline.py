"""A small line of the last readings; gaps where a reading is missing."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import theme

READINGS = 60


class Sparkline(QWidget):
    """Keeps the last 60 readings and draws them in a token's colour. `None` leaves a gap, never a zero."""

    def __init__(self, color: str, least_span: float = 1.0) -> None:
        super().__init__()
        self._color = color
        self._least_span = least_span
        self._values: deque[float | None] = deque(maxlen=READINGS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)

    def sizeHint(self) -> QSize:
        """Return its usual size."""
        return QSize(104, 20)

    def add(self, value: float | None) -> None:
        """Add a reading."""
        self._values.append(value)
        self.update()

    def values(self) -> tuple[float | None, ...]:
        """Return the readings, oldest first."""
        return tuple(self._values)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line between its least and greatest reading, which stand at least `least_span` apart."""
        known = [value for value in self._values if value is not None]
        if not known:
            return
        low, high = min(known), max(known)
        middle, span = (low + high) / 2, max(high - low, self._least_span)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current().color(self._color), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        step = (self.width() - 4) / (READINGS - 1)
        left = self.width() - 2 - step * (len(self._values) - 1)
        points = [
            None if value is None else QPointF(left + index * step, self._height_of(value, middle, span))
            for index, value in enumerate(self._values)
        ]
        for first, second in pairwise(points):
            if first is not None and second is not None:
                painter.drawLine(first, second)
        if points[-1] is not None:
            painter.setBrush(theme.current().color(self._color))
            painter.drawEllipse(points[-1], 1.0, 1.0)
        painter.end()

    def _height_of(self, value: float, middle: float, span: float) -> float:
        usable = self.height() - 6
        return self.height() / 2 - (value - middle) / span * usable
