"""The lanes of one or two traces on one time axis. Wheel zooms at the pointer, dragging moves, a click selects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from ui import theme
from ui.timeline.lanes import LaneRow, bars, event_at, rows_of
from ui.timeline.view import View, whole
from ui.widgets.stage_look import WORDS, token
from workbench import units
from workbench.analysis.timeline import owner_intervals
from workbench.model.events import KINDS, Trace
from workbench.texts import message, tr

HEAD = 232
"""Width of the lane names, px."""
_AXIS = 26
_ROW = 24
_SIDE = 30
_TEXT_LEAST = 5
_REACH = 4


class Side(NamedTuple):
    """One trace with its name: "Before" and the baseline's, or "After" and the version's."""

    word: str
    name: str
    trace: Trace
    rows: tuple[LaneRow, ...]
    owners: LaneRow


class Picked(NamedTuple):
    """The selected event: which side, and its index in that trace."""

    side: int
    event: int


class _Line(NamedTuple):
    """One line of the drawing: the head of a side (no row) or a row of its lanes."""

    side: int
    row: LaneRow | None
    top: int
    height: int


class TimelineView(QAbstractScrollArea):
    """Draws what is in view and nothing else: at most one rectangle per pixel and lane."""

    picked = Signal(object)
    viewed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._sides: tuple[Side, ...] = ()
        self._lines: list[_Line] = []
        self._view = whole(1, 1)
        self._total = 1
        self._pick: Picked | None = None
        self._drag: QPoint | None = None
        self._moved = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Timeline of the pipeline, before and after"))
        self.viewport().setMouseTracking(True)

    def show_sides(self, sides: tuple[Side, ...]) -> None:
        """Show these traces, all of them in view."""
        self._sides = sides
        self._total = max((_end(side.trace) for side in sides), default=1)
        self._pick = None
        self._lay_out()
        self.fit()

    def fit(self) -> None:
        """Show everything."""
        self._set_view(whole(self._total, self._width()))

    def zoom(self, factor: float) -> None:
        """Zoom about the middle."""
        self._set_view(self._view.zoomed(factor, self._width() // 2, self._total))

    def view(self) -> View:
        """Return what is in view."""
        return self._view

    def pick(self, picked: Picked | None) -> None:
        """Select an event."""
        self._pick = picked
        self.viewport().update()
        self.picked.emit(picked)

    def _set_view(self, view: View) -> None:
        self._view = view
        self.viewed.emit(str(message("{time} in view", time=units.duration(view.span / 1e9, 3))))
        self.viewport().update()

    def _width(self) -> int:
        return max(1, self.viewport().width() - HEAD - 12)

    def _lay_out(self) -> None:
        self._lines, top = [], _AXIS
        for number, side in enumerate(self._sides):
            self._lines.append(_Line(number, None, top, _SIDE))
            top += _SIDE
            for row in side.rows:
                self._lines.append(_Line(number, row, top, _ROW))
                top += _ROW
            top += 8
        self.verticalScrollBar().setRange(0, max(0, top - self.viewport().height()))
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(_ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the times in view over the new width."""
        super().resizeEvent(event)
        everything = self._view.span >= whole(self._total, 1).span
        self._lay_out()
        self._set_view(whole(self._total, self._width()) if everything else self._view.resized(self._width()))

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Draw anew."""
        self.viewport().update()

    # --- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw rows, grid and axis."""
        look = theme.current()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), look.color("page"))
        self._draw_grid(painter)
        scrolled = self.verticalScrollBar().value()
        painter.translate(0, -scrolled)
        for line in self._lines:
            if line.top + line.height > scrolled and line.top < scrolled + self.viewport().height():
                self._draw_line(painter, line)
        painter.resetTransform()
        self._draw_axis(painter)
        painter.end()

    def _draw_grid(self, painter: QPainter) -> None:
        painter.setPen(theme.current().color("raised"))
        for tick in self._view.ticks(90):
            painter.drawLine(HEAD + tick.pixel, _AXIS, HEAD + tick.pixel, self.viewport().height())

    def _draw_axis(self, painter: QPainter) -> None:
        look = theme.current()
        painter.fillRect(0, 0, self.viewport().width(), _AXIS, look.color("panel"))
        painter.fillRect(0, _AXIS - 1, self.viewport().width(), 1, look.color("line"))
        painter.fillRect(HEAD - 1, 0, 1, self.viewport().height(), look.color("line"))
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("dim"))
        for tick in self._view.ticks(90):
            if 0 <= tick.pixel <= self._width():
                room = painter.fontMetrics().horizontalAdvance(tick.label) + 2
                left = max(HEAD + 2, min(HEAD + tick.pixel - room // 2, self.viewport().width() - room - 2))
                painter.drawText(QRect(left, 0, room, _AXIS), Qt.AlignmentFlag.AlignVCenter, tick.label)
        painter.fillRect(0, 0, HEAD - 1, _AXIS - 1, look.color("panel"))
        box = QRect(12, 0, HEAD - 24, _AXIS)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, tr("Lane"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tr("busy, ms"))

    def _draw_line(self, painter: QPainter, line: _Line) -> None:
        look = theme.current()
        width = self.viewport().width()
        if line.row is None:
            painter.fillRect(0, line.top, HEAD - 1, line.height, look.color("raised"))
            self._draw_bars(painter, line, self._sides[line.side].owners, 8)
            side = self._sides[line.side]
            self._draw_names(painter, line, side.word, side.name, _end(side.trace))
        else:
            painter.fillRect(0, line.top + line.height - 1, width, 1, look.color("raised"))
            self._draw_bars(painter, line, line.row, line.height - 6)
            self._draw_names(painter, line, "", line.row.title if line.row.depth == 0 else "", line.row.busy)

    def _draw_names(self, painter: QPainter, line: _Line, strong: str, name: str, busy: int) -> None:
        look = theme.current()
        box = QRect(12, line.top, HEAD - 24, line.height)
        middle = Qt.AlignmentFlag.AlignVCenter
        number = units.milliseconds(busy / 1e9)
        painter.setFont(look.font("code"))
        painter.setPen(look.color("text" if strong else "dim"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | middle, number)
        box.setRight(box.right() - painter.fontMetrics().horizontalAdvance(number) - 8)
        if strong:
            painter.setFont(look.font("strong"))
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | middle, strong)
            box.setLeft(box.left() + painter.fontMetrics().horizontalAdvance(strong) + 8)
        painter.setFont(look.font("text"))
        painter.setPen(look.color("dim" if strong else "text"))
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | middle, shown)

    def _draw_bars(self, painter: QPainter, line: _Line, row: LaneRow, height: int) -> None:
        look = theme.current()
        top = line.top + (line.height - height) // 2
        trace = self._sides[line.side].trace
        painter.save()
        painter.setClipRect(QRect(HEAD, line.top, self._width() + 1, line.height))
        painter.setFont(look.font("caption"))
        colors: dict[int, tuple[QColor, QColor]] = {}
        for bar in bars(row, self._view):
            kind = bar.event if line.row is None else int(trace.kind[bar.event])
            if kind not in colors:
                name = token(KINDS[kind])
                colors[kind] = look.color(name), look.text_on(name)
            box = QRect(HEAD + bar.left, top, max(1, bar.right - bar.left - (bar.right - bar.left > 3)), height)
            painter.fillRect(box, colors[kind][0])
            if line.row is not None and box.width() > _TEXT_LEAST:
                painter.setPen(colors[kind][1])
                self._draw_text(painter, box, trace, bar.event)
                if self._pick == Picked(line.side, bar.event):
                    painter.setPen(QPen(look.color("text"), 2))
                    painter.drawRect(box.adjusted(1, 1, -1, -1))
        painter.restore()

    @staticmethod
    def _draw_text(painter: QPainter, box: QRect, trace: Trace, event: int) -> None:
        metrics = painter.fontMetrics()
        name, time = trace.names[int(trace.name[event])], units.milliseconds(int(trace.duration[event]) / 1e9)
        room = box.width() - 8
        said = next((text for text in (f"{name} {time}", name, time) if metrics.horizontalAdvance(text) <= room), "")
        if not said and room > 30:
            said = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(box.adjusted(4, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter, said)

    # --- the pointer and the keys

    def event_under(self, point: QPoint) -> Picked | None:
        """Return the event drawn at a point of the view; thin ones are found a few pixels away."""
        y = point.y() + self.verticalScrollBar().value()
        line = next((line for line in self._lines if line.row and line.top <= y < line.top + line.height), None)
        if line is None or line.row is None or point.x() < HEAD:
            return None
        reach = _REACH * self._view.span // self._view.width
        found = event_at(line.row, self._view.time(point.x() - HEAD), reach)
        return None if found is None else Picked(line.side, found)

    def words(self, picked: Picked) -> str:
        """Return name, kind, start and duration of an event."""
        trace, k = self._sides[picked.side].trace, picked.event
        start, length = int(trace.start[k]) / 1e9, int(trace.duration[k]) / 1e9
        said = message(
            "{name}\n{kind} · {lane}\nstart {start}, duration {duration}",
            name=trace.names[int(trace.name[k])],
            kind=tr(WORDS[KINDS[int(trace.kind[k])]]),
            lane=trace.lanes[int(trace.lane[k])],
            start=units.duration(start),
            duration=units.duration(length),
        )
        return str(said)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what is under the pointer."""
        if isinstance(event, QHelpEvent):
            found = self.event_under(event.pos())
            QToolTip.showText(event.globalPos(), self.words(found) if found else "", self)
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; with Shift move in time, with Control scroll the lanes."""
        steps = event.angleDelta().y() / 120 or event.angleDelta().x() / 120
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - int(steps * 3 * _ROW))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier or event.angleDelta().y() == 0:
            self._set_view(self._view.panned(-int(steps * 80), self._total))
        else:
            pixel = max(0, int(event.position().x()) - HEAD)
            self._set_view(self._view.zoomed(0.8**steps, pixel, self._total))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag."""
        self._drag, self._moved = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move in time while dragging."""
        if self._drag is not None and event.buttons() & Qt.MouseButton.LeftButton:
            here = event.position().toPoint()
            by = self._drag.x() - here.x()
            if abs(by) > 2 or self._moved:
                self._moved, self._drag = True, here
                self._set_view(self._view.panned(by, self._total))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what was clicked."""
        if self._drag is not None and not self._moved:
            self.pick(self.event_under(event.position().toPoint()))
        self._drag = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """`W` `S` zoom, `A` `D` and the arrows move, `F` shows everything."""
        match Qt.Key(event.key()):
            case Qt.Key.Key_W | Qt.Key.Key_Plus:
                self.zoom(0.8)
            case Qt.Key.Key_S | Qt.Key.Key_Minus:
                self.zoom(1.25)
            case Qt.Key.Key_A | Qt.Key.Key_Left:
                self._set_view(self._view.panned(-80, self._total))
            case Qt.Key.Key_D | Qt.Key.Key_Right:
                self._set_view(self._view.panned(80, self._total))
            case Qt.Key.Key_F | Qt.Key.Key_Home:
                self.fit()
            case _:
                super().keyPressEvent(event)


def side_of(word: str, name: str, trace: Trace) -> Side:
    """Return a side with its rows worked out; for long traces call this off the loop (100,000 events take half a second)."""
    return Side(word, name, trace, tuple(rows_of(trace)), _owners(trace))


def _end(trace: Trace) -> int:
    return max(trace.wall, int((trace.start + trace.duration).max()) if len(trace) else 0, 1)


def _owners(trace: Trace) -> LaneRow:
    """Return whose time each instant was, as a row; its events are kinds."""
    owned = owner_intervals(trace)
    kinds = [KINDS.index(key.partition(":")[0]) for key in owned.keys]
    kind = np.array(kinds, np.uint8)[owned.owner] if len(owned.owner) else np.zeros(0, np.uint8)
    return LaneRow("", 0, owned.start, owned.start + owned.duration, kind, kind.astype(np.int64))
