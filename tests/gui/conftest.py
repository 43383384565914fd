"""Windows over the synthetic sessions, closed again after each test."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from tests.helpers import layout_items
from tests.helpers.screenshots import open_window
from tests.helpers.window import OpenWindow
from ui import theme
from ui.main_window import MainWindow


@pytest.fixture(autouse=True, scope="module")
def nothing_left_to_other_threads() -> Iterator[None]:
    """Collect a module's widgets in Qt's thread, between its tests and at its end, as the program does between its turns.

    A later test's thread must not be the one that does, nor a moment at which PySide makes handles of a list of Qt's widgets
    (`allWidgets`, `findChildren`): one that was collected meanwhile is still in the list, and ended the run.
    """
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def collected_after_each_test(nothing_left_to_other_threads: None) -> Iterator[None]:
    """Collect what the test left, when nothing of Qt's is being walked."""
    yield
    gc.collect(1)


@pytest.fixture(autouse=True)
def no_item_of_a_layout_in_hand() -> Iterator[None]:
    """Fail the test when Python kept a handle of a layout's item: see `tests.helpers.layout_items` for what it may do."""
    before = {id(one) for one in layout_items.handles()}
    yield
    left = [one for one in layout_items.handles() if id(one) not in before]
    assert not left, f"handles of items of layouts: {left}"


@pytest.fixture
def open_sample(qapp: QApplication, tmp_path: Path) -> Iterator[OpenWindow]:
    """Return a function that shows the window over the session "gpu" or "emulator", or over nothing ("empty")."""
    theme.apply(qapp, "dark")
    opened: list[MainWindow] = []

    def show(kind: str) -> MainWindow:
        window = open_window(kind, tmp_path)
        window.resize(1600, 1000)
        window.show()
        opened.append(window)
        return window

    yield show
    for window in opened:
        window.close()
        window.bridge.close()
        window.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()
