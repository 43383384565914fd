"""A page that is made when it is first looked at, or when the window has nothing better to do: the start stays quick."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget


class LazyPage(QWidget):
    """Holds the place of a page; `make` is called once."""

    def __init__(self, make: Callable[[], QWidget]) -> None:
        super().__init__()
        self._make = make
        self._page: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def build(self) -> QWidget:
        """Return the page, made now if it was not yet."""
        if self._page is None:
            self._page = self._make()
            self._column.addWidget(self._page)
            self.setFocusProxy(self._page)
        return self._page

    def is_built(self) -> bool:
        """Return whether the page was made."""
        return self._page is not None

    def showEvent(self, event: QShowEvent) -> None:
        """Make the page."""
        self.build()
        super().showEvent(event)
