"""The card of one source line's memory access: what it costs, how it was counted, and one warp's addresses."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from ui.charts.warp_chart import WarpChart
from ui.tables import access_words
from ui.widgets.card import FactRow, clear, hairline
from ui.widgets.label import Label
from workbench.model.access import AccessReport, LineAccess, WarpPicture
from workbench.texts import tr

_WIDTH = 400
_POLL = 150


class AccessFacts(QFrame):
    """The facts of a line, for each way in which it touches memory."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 12)
        self._column.setSpacing(2)
        self.charts: list[WarpChart] = []

    def show_line(self, report: AccessReport, line: int) -> None:
        """Show what is known of a line (from 1)."""
        clear(self._column)
        self.charts = []
        found = [access for access in report.lines if access.line == line]
        for index, access in enumerate(found):
            if index:
                self._column.addSpacing(6)
                self._column.addWidget(hairline())
                self._column.addSpacing(6)
            self._add(access, _picture(report, access))
        if not found:
            self._column.addWidget(Label(tr("This line touched no memory in the traced blocks."), "caption", "dim", wrap=True))

    def _add(self, access: LineAccess, picture: WarpPicture | None) -> None:
        self._column.addWidget(Label(access_words.title(access.space, access.kind), "strong"))
        for fact in access_words.facts(access):
            self._column.addWidget(FactRow(fact.title, fact.value, fact.chip))
        if access.reason is not None:
            self._column.addWidget(Label(str(access.reason), "caption", "dim", wrap=True))
        if picture is not None:
            chart = WarpChart()
            self._column.addSpacing(6)
            self._column.addWidget(chart)
            self._column.addWidget(Label(access_words.picture_caption(picture), "caption", "dim", wrap=True))
            chart.show_picture(picture)
            self.charts.append(chart)


def _picture(report: AccessReport, access: LineAccess) -> WarpPicture | None:
    """Return the worst request of a line where there is one, else the first."""
    found = [
        picture
        for picture in report.pictures
        if (picture.line, picture.space, picture.kind) == (access.line, access.space, access.kind)
    ]
    return next((picture for picture in found if picture.why == "worst"), found[0] if found else None)


class AccessPopup(QFrame):
    """Floats beside the bar that the pointer rests on, and goes when the pointer leaves both."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip)
        self.setProperty("part", "card")
        self._facts = AccessFacts()
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(self._facts)
        self.setFixedWidth(_WIDTH)
        self._anchor = QPoint()
        self._poll = QTimer(self, interval=_POLL)
        self._poll.timeout.connect(self._leave_with_pointer)

    def show_line(self, report: AccessReport, line: int, place: QPoint) -> None:
        """Show a line's card near a place on screen, inside the screen."""
        self._facts.show_line(report, line)
        self.adjustSize()
        self._anchor = place
        room = self.screen().availableGeometry()
        left = min(place.x() + 16, room.right() - self.width() - 4)
        top = min(place.y() + 12, room.bottom() - self.height() - 4)
        self.move(max(room.left(), left), max(room.top(), top))
        self.show()
        self._poll.start()

    def _leave_with_pointer(self) -> None:
        pointer = QCursor.pos()
        if (pointer - self._anchor).manhattanLength() > 24 and not self.geometry().contains(pointer):
            self.hide()

    def hideEvent(self, event: QEvent) -> None:
        """Stop looking at the pointer."""
        self._poll.stop()
