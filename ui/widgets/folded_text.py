"""A card whose long text stays folded until it is asked for, and can be copied whole."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout

from ui.widgets.card import Card
from ui.widgets.icon import IconButton
from ui.widgets.label import Label
from workbench.texts import message, tr


class FoldedText(Card):
    """Shows title and note; its arrow shows the text, selectable, its other button copies it."""

    def __init__(self, title: str, note: str, text: str) -> None:
        super().__init__(title, note=note)
        self._text = text
        self._label: Label | None = None
        self.fold = IconButton("chevron-right", str(message("Show or hide: {title}", title=title)))
        self.copy = IconButton("copy", str(message("Copy: {title}", title=title)))
        self.fold.clicked.connect(self._toggle)
        self.copy.clicked.connect(self._copy)
        row = self.head.layout()
        assert isinstance(row, QBoxLayout)
        row.setContentsMargins(8, 5, 8, 5)
        row.insertWidget(0, self.fold)
        row.addWidget(self.copy)
        self.body.setContentsMargins(0, 0, 0, 0)
        self._line.hide()

    def is_open(self) -> bool:
        """Return whether the text is shown."""
        return self._label is not None and not self._label.isHidden()

    def _toggle(self) -> None:
        if self._label is None:
            self._label = Label(self._text, "code", wrap=True)
            self._label.setTextFormat(Qt.TextFormat.PlainText)
            self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._label.setContentsMargins(12, 8, 12, 8)
            self._label.hide()
            self.add(self._label)
        opened = self._label.isHidden()
        self._label.setVisible(opened)
        self._line.setVisible(opened)
        self.fold.set_icon("chevron-down" if opened else "chevron-right")
        self.updateGeometry()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


def prompt_card(prompt: str, tokens: str) -> FoldedText:
    """Return the card of a prompt with what is known of its tokens."""
    return FoldedText(tr("Prompt sent"), tokens, prompt)
