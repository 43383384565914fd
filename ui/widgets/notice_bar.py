"""The strip over the pages where notices stand until they are answered or closed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui import theme
from ui.notices import Answer, Level, Notice
from ui.widgets.icon import IconButton, IconLabel
from ui.widgets.label import Label
from workbench.texts import tr

MOST = 3
INFO_MS = 8000
_LOOK: Mapping[Level, tuple[str, str, str]] = {
    "info": ("info", "accent", "accent"),
    "warning": ("warning", "doubt", "doubt"),
    "error": ("refused", "wrong", "wrong"),
}


class _Row(QFrame):
    """One notice: icon, sentence, answers, close."""

    def __init__(self, bar: NoticeBar, notice: Notice) -> None:
        super().__init__()
        self.notice = notice
        self._bar = bar
        icon, color, tone = _LOOK[notice.level]
        self.setProperty("part", "notice")
        self.setProperty("tone", tone)
        look = theme.current()
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(look.space(2))
        row.addWidget(IconLabel(icon, color, 16, tr(notice.level)))
        text = Label(str(notice.message), wrap=True)
        text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        text.setToolTip(notice.detail)
        row.addWidget(text, 1)
        for index, answer in enumerate(notice.answers):
            row.addWidget(self._button(answer, index))
        close = IconButton("close", tr("Close this notice"))
        close.clicked.connect(self._close)
        row.addWidget(close)
        self.setAccessibleName(str(notice.message))
        if notice.level == "info" and not notice.answers:
            QTimer.singleShot(INFO_MS, self, self._close)

    def _button(self, answer: Answer, index: int) -> QPushButton:
        button = QPushButton(str(answer.title))
        button.setAccessibleName(str(answer.title))
        button.setProperty("part", "primary" if index == 0 else "")
        button.setProperty("answer", index)
        button.clicked.connect(self._answered)
        return button

    def _answered(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._bar.take_away(self)
            self.notice.answers[int(sender.property("answer"))].act()

    def _close(self) -> None:
        self._bar.take_away(self)


class NoticeBar(QWidget):
    """Shows the latest notices; nothing is blocked, and a repeated notice does not stand twice."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def notices(self) -> tuple[Notice, ...]:
        """Return what is shown, oldest first."""
        return tuple(row.notice for row in self._rows)

    def show_notice(self, notice: Notice) -> None:
        """Add a notice; one with the same key or sentence is replaced, and of more than three the oldest goes."""
        for row in tuple(self._rows):
            if row.notice.message == notice.message or (notice.key and row.notice.key == notice.key):
                self.take_away(row)
        if len(self._rows) >= MOST:
            self.take_away(self._rows[0])
        row = _Row(self, notice)
        self._rows.append(row)
        self._column.addWidget(row)
        self.show()

    def clear(self) -> None:
        """Take all notices away."""
        for row in tuple(self._rows):
            self.take_away(row)

    def take_away(self, row: _Row) -> None:
        """Remove one notice; one that is gone already stays gone."""
        if row not in self._rows:
            return
        self._rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self.setVisible(bool(self._rows))
