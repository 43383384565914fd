"""What a page shows before there is anything to show: what will be here, and the actions that fill it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui import theme
from ui.bridge import Bridge
from ui.widgets.icon import IconLabel
from ui.widgets.label import Label


class EmptyPage(QWidget):
    """A title, one sentence and buttons. `actions` are (title, action id) pairs; the first is the primary one."""

    def __init__(
        self, bridge: Bridge, title: str, sentence: str, actions: Sequence[tuple[str, str]] = (), icon: str = "inbox"
    ) -> None:
        super().__init__()
        self._bridge = bridge
        look = theme.current()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(look.space(3))
        column.addStretch(2)
        picture = QHBoxLayout()
        column.addLayout(picture)
        picture.addStretch(1)
        picture.addWidget(IconLabel(icon, "faint", 32))
        picture.addStretch(1)
        self._title = Label(title, "heading", wrap=True)
        self._sentence = Label(sentence, "text", "dim", wrap=True)
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            column.addWidget(label)
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(look.space(2))
        buttons.addStretch(1)
        for index, (name, action) in enumerate(actions):
            button = QPushButton(name)
            button.setAccessibleName(name)
            button.setProperty("part", "primary" if index == 0 else "")
            button.setProperty("action", action)
            button.clicked.connect(self._pressed)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addWidget(self._buttons)
        self._buttons.setVisible(bool(actions))
        column.addStretch(3)

    def set_sentence(self, sentence: str) -> None:
        """Say something else, for example why there is nothing."""
        self._sentence.setText(sentence)

    def offer_actions(self, offered: bool) -> None:
        """Show or hide the buttons: an action that cannot be done now is not offered."""
        self._buttons.setVisible(offered)

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title.setText(title)

    def _pressed(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._bridge.trigger(str(sender.property("action")))
