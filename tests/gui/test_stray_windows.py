"""No part of the window is ever a window of its own: a part shown before it has a parent flashes and takes the keyboard."""

from __future__ import annotations

import traceback
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.helpers.sample_session import sample_versions
from tests.helpers.window import OpenWindow, commands_of
from ui.main_window import MainWindow


class _Watch(QObject):
    """Keeps where every window but the main one came from."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at an event of the application."""
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow()
        if shown and not isinstance(watched, MainWindow):
            self.found.append(f"{watched}\n" + "".join(traceback.format_stack(limit=5)[:-1]))
        return False


@pytest.fixture
def strays(qapp: QApplication) -> Iterator[list[str]]:
    watch = _Watch()
    qapp.installEventFilter(watch)
    yield watch.found
    qapp.removeEventFilter(watch)


@pytest.mark.parametrize("kind", ["gpu", "emulator"])
def test_no_part_of_the_window_is_ever_a_window_of_its_own(kind: str, strays: list[str], open_sample: OpenWindow) -> None:
    window = open_sample(kind)
    window.actions_.trigger("toggle_log")
    for version in sample_versions():
        commands_of(window).select(version.hash)
        for page in window.page_names():
            window.show_page(page)
            QTest.qWait(1)
    assert not strays, "\n".join(strays)
