"""No widget is collected while PySide walks a list of Qt's: it is in that list still, and ended the run."""

from __future__ import annotations

import gc

from PySide6.QtWidgets import QApplication, QLabel, QTabWidget, QWidget

MADE = 200
"""Enough that Python would collect several times while it makes them."""


class _Unreachable(QWidget):
    """A widget that only the collector can free: it holds itself."""

    def __init__(self) -> None:
        super().__init__()
        self.held = [self]
        self.tabs = QTabWidget(self)
        self.tabs.addTab(QLabel("in a cycle"), "one")


def test_widgets_that_only_the_collector_frees_stay_until_the_test_has_ended(qapp: QApplication) -> None:
    for _ in range(MADE):
        _Unreachable()
    assert gc.get_count()[0] > gc.get_threshold()[0], "too few to be collected"
    found = [widget for widget in QApplication.allWidgets() if isinstance(widget, _Unreachable)]
    assert len(found) == MADE


def test_they_are_gone_in_the_next_test(qapp: QApplication) -> None:
    assert not any(isinstance(widget, _Unreachable) for widget in QApplication.allWidgets())
