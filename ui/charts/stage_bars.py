"""Stacked bars of stages, before over after, with wedges that lead from one to the other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygon
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui import theme
from ui.charts.stages import Bar, Placed, labels, longest, place
from ui.widgets.stage_look import round_steps
from workbench import units
from workbench.texts import message, tr

_HEIGHT = 28
_WEDGE = 26
_AXIS = 22


class StageBars(QWidget):
    """Shows one or two bars on one scale. Pointing at a piece says its title and time."""

    def __init__(self, *, title_width: int = 64, axis: bool = True) -> None:
        super().__init__()
        self._bars: tuple[Bar, ...] = ()
        self._titles: tuple[str, ...] = ()
        self._saved: float | None = None
        self._title_width, self._axis = title_width, axis
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(240)

    def show_bars(self, bars: tuple[Bar, ...], titles: tuple[str, ...], saved: float | None = None) -> None:
        """Show these bars; `saved` seconds are drawn hollow behind the last one."""
        self._bars, self._titles, self._saved = bars, titles, saved
        rows = len(bars)
        self.setFixedHeight(rows * _HEIGHT + max(0, rows - 1) * _WEDGE + (_AXIS if self._axis else 2))
        said = [f"{title}: {units.duration(bar.total)}" for title, bar in zip(titles, bars, strict=True)]
        self.setAccessibleName(tr("Stages") + ". " + ". ".join(said))
        self.update()

    def _room(self) -> tuple[int, int]:
        return self._title_width, max(10, self.width() - self._title_width - 78)

    def _scale(self) -> float:
        return max([longest(self._bars), *(bar.total or 0.0 for bar in self._bars)], default=0.0)

    def _placed(self, row: int) -> list[Placed]:
        left, width = self._room()
        return place(self._bars[row], self._scale(), left, width)

    def _top(self, row: int) -> int:
        return row * (_HEIGHT + _WEDGE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw wedges, bars, titles, totals and the axis."""
        painter = QPainter(self)
        for row in range(len(self._bars) - 1):
            self._draw_wedges(painter, row)
        for row in range(len(self._bars)):
            self._draw_bar(painter, row)
        if self._saved and self._saved > 0:
            self._draw_saved(painter)
        if self._axis and self._scale():
            self._draw_axis(painter)
        painter.end()

    def _draw_wedges(self, painter: QPainter, row: int) -> None:
        look = theme.current()
        below = {placed.segment.name: placed for placed in self._placed(row + 1)}
        top, bottom = self._top(row) + _HEIGHT, self._top(row + 1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for above in self._placed(row):
            other = below.get(above.segment.name)
            if other is None:
                continue
            color = look.color(above.segment.token)
            color.setAlpha(70 if above.segment.kind == "kernel" else 34)
            painter.setBrush(color)
            corners = [QPoint(above.left, top), QPoint(above.right, top), QPoint(other.right, bottom), QPoint(other.left, bottom)]
            painter.drawPolygon(QPolygon(corners))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _draw_bar(self, painter: QPainter, row: int) -> None:
        look = theme.current()
        top, bar = self._top(row), self._bars[row]
        painter.setFont(look.font("text"))
        painter.setPen(look.color("text"))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(0, top, self._title_width - 8, _HEIGHT), side, self._titles[row])
        painter.setFont(look.font("caption"))
        metrics = QFontMetrics(look.font("caption"))
        for placed in self._placed(row):
            segment = placed.segment
            box = QRect(placed.left, top, max(1, placed.right - placed.left - 1), _HEIGHT)
            painter.fillRect(box, look.color(segment.token))
            said = next((text for text in labels(segment) if metrics.horizontalAdvance(text) + 10 <= box.width()), "")
            painter.setPen(look.text_on(segment.token))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, said)
        painter.setFont(look.font("code"))
        painter.setPen(look.color("text"))
        total = QRect(self.width() - 78, top, 78, _HEIGHT)
        painter.drawText(total, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, units.duration(bar.total))

    def _draw_saved(self, painter: QPainter) -> None:
        look = theme.current()
        row = len(self._bars) - 1
        placed, (left, width) = self._placed(row), self._room()
        begin = (placed[-1].right if placed else left) + 2
        end = left + width
        if end - begin < 12:
            return
        box = QRect(begin, self._top(row), end - begin - 1, _HEIGHT - 1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(look.color("dim"), 1, Qt.PenStyle.DashLine))
        painter.drawRect(box)
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("text"))
        said = str(message("{time} ms less", time=units.milliseconds(self._saved)))
        if QFontMetrics(painter.font()).horizontalAdvance(said) + 8 <= box.width():
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, said)

    def _draw_axis(self, painter: QPainter) -> None:
        look = theme.current()
        left, width = self._room()
        top = self._top(len(self._bars) - 1) + _HEIGHT
        span = max(1, round(self._scale() * 1e9))
        painter.setFont(look.font("caption"))
        for time in round_steps(0, span, width, 90):
            pixel = left + time * width // span
            painter.setPen(look.color("line"))
            painter.drawLine(pixel, top, pixel, top + 4)
            painter.setPen(look.color("dim"))
            box = QRect(pixel - 50, top + 4, 100, _AXIS - 4)
            said = units.significant(time / 1e6, 1) if time else "0 ms"
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, said)

    def event(self, event: QEvent) -> bool:
        """Say the piece under the pointer."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text_at(event.pos()), self)
            return True
        return super().event(event)

    def text_at(self, point: QPoint) -> str:
        """Return title and time of the piece at a point, nothing where there is none."""
        for row in range(len(self._bars)):
            if self._top(row) <= point.y() < self._top(row) + _HEIGHT:
                for placed in self._placed(row):
                    if placed.left <= point.x() < placed.right:
                        return f"{placed.segment.title}: {units.duration(placed.segment.seconds)}"
        return ""
