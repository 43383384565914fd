"""Waiting until a window is on the screen."""

from __future__ import annotations

import asyncio
import contextlib

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

_UNSEEN_SECONDS = 0.5


class _FirstPaint(QObject):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.painted = asyncio.Event()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.painted.set()
        return False


async def first_paint(window: QWidget) -> None:
    """Wait until a window that was just shown is painted, or half a second where it never is (minimised, covered)."""
    watch = _FirstPaint(window)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(watch.painted.wait(), _UNSEEN_SECONDS)
    window.removeEventFilter(watch)
    watch.deleteLater()
