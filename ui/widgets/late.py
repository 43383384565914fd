"""A place for a widget that is made when it is first seen, because what it needs takes long to load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget


class Late(QFrame):
    """Calls `make` when it is first shown, and `fill` right after."""

    def __init__(self, make: Callable[[], QWidget], fill: Callable[[], None]) -> None:
        super().__init__()
        self._make, self._fill = make, fill
        self._made: QWidget | None = None
        self.setProperty("part", "page")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def made(self) -> Any:
        """Return the widget, None before it was first shown."""
        return self._made

    def showEvent(self, event: QShowEvent) -> None:
        """Make the widget."""
        super().showEvent(event)
        if self._made is None:
            self._made = self._make()
            self._column.addWidget(self._made)
            self._fill()
