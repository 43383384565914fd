"""Draws a page while it can be seen, and a hidden one once when it is shown again: a session changes after every pass."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class WhenSeen(QObject):
    """Calls `draw` at once when asked while `page` is visible, else when it is next shown."""

    def __init__(self, page: QWidget, draw: Callable[[], None]) -> None:
        super().__init__(page)
        self._page = page
        self._draw = draw
        self._waiting = False
        page.installEventFilter(self)

    def ask(self) -> None:
        """Draw now or later."""
        if self._page.isVisible():
            self._draw()
        else:
            self._waiting = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Catch up before the page is seen."""
        if event.type() == QEvent.Type.Show and watched is self._page and self._waiting:
            self._waiting = False
            self._draw()
        return False
