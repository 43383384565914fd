"""The timed rounds of two versions as dots on one axis, so that the spread is seen and not only the median."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import theme
from workbench.texts import message
from workbench.units import duration

MOST_DOTS = 120
_DOT, _STEP, _BIN, _PAD, _AXIS = 1.4, 3.4, 8, 36, 18


class RoundsStrip(QWidget):
    """Times in seconds: the baseline's in neutral, this version's in a token's colour; each median below the axis."""

    def __init__(self) -> None:
        super().__init__()
        self._sides: tuple[tuple[tuple[float, ...], str], ...] = ()
        self._medians: tuple[float | None, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return its usual size."""
        return QSize(200, 64)

    def show_rounds(self, a: Sequence[float], b: Sequence[float], color: str) -> None:
        """Show the rounds of baseline and version; `color` is "proven" only for a proven gain."""
        a_median, b_median = _median(a), _median(b)
        self._sides = tuple((tuple(times[:MOST_DOTS]), name) for times, name in ((a, "neutral"), (b, color)) if times)
        self._medians = (a_median, b_median) if a else (b_median,)
        if not self._sides or self.parentWidget() is not None:  # without a parent it would be a window of its own
            self.setVisible(bool(self._sides))
        text = message("Timed rounds: baseline {a}, this version {b}", a=duration(a_median), b=duration(b_median))
        self.setAccessibleName(str(text))
        self.setToolTip(str(text))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw dots, axis and medians."""
        if not self._sides:
            return
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        floor = self.height() - _AXIS
        painter.setPen(QPen(look.color("line"), 1))
        painter.drawLine(QPointF(0, floor), QPointF(self.width(), floor))
        low = min(min(times) for times, _ in self._sides)
        high = max(max(times) for times, _ in self._sides)
        for times, color in self._sides:
            self._dots(painter, times, color, (low, high), floor)
        self._labels(painter, low, high)
        painter.end()

    def _x(self, time: float, low: float, high: float) -> float:
        if high <= low:
            return self.width() / 2
        return _PAD + (time - low) / (high - low) * (self.width() - 2 * _PAD)

    def _dots(self, painter: QPainter, times: Sequence[float], color: str, span: tuple[float, float], floor: float) -> None:
        ink = theme.current().color(color)
        ink.setAlphaF(0.75)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        slots = _heap(max(1, int((floor - 8) / _STEP)), len(times))
        taken: dict[int, int] = {}
        for time in times:
            x = self._x(time, *span)
            place = taken[round(x / _BIN)] = taken.get(round(x / _BIN), -1) + 1
            column, row = slots[place]
            painter.drawEllipse(QPointF(x + column * _STEP, floor - 4 - row * _STEP), _DOT, _DOT)

    def _labels(self, painter: QPainter, low: float, high: float) -> None:
        look = theme.current()
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("dim"))
        metrics = painter.fontMetrics()
        taken: list[QRectF] = []
        for middle in self._medians:
            text = duration(middle, 3)
            width = metrics.horizontalAdvance(text)
            left = self._x(middle, low, high) - width / 2 if middle is not None else 0.0
            box = QRectF(min(max(0.0, left), self.width() - width), self.height() - _AXIS + 1, width + 1, _AXIS - 2)
            if not any(box.intersects(other) for other in taken):
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                taken.append(box.adjusted(-6, 0, 6, 0))


def _heap(rows: int, count: int) -> list[tuple[int, int]]:
    """Return places (columns from the middle, rows from the floor) for dots of nearly the same time, piled up as a heap."""
    reach = count // rows + 2
    slots = [(column, row) for column in range(-reach, reach + 1) for row in range(rows)]
    slots.sort(key=_height)
    return slots


def _height(slot: tuple[int, int]) -> float:
    return 0.14 * slot[0] ** 2 + slot[1]


def _median(times: Sequence[float]) -> float | None:
    return float(median(times)) if times else None
