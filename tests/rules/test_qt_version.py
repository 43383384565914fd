"""PySide6 6.12 lets Python 3.11 die (every void call drops a reference to None); 6.11 breaks pyqtgraph's SVG export."""

from __future__ import annotations

import sys

import PySide6
import pytest
from PySide6.QtCore import QTimer

CALLS = 200


def test_the_installed_qt_is_one_that_works() -> None:
    major, minor = (int(part) for part in PySide6.__version__.split(".")[:2])
    assert (6, 8) <= (major, minor) < (6, 11)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal there")
def test_void_calls_leave_the_references_to_none_alone() -> None:
    timer = QTimer()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        timer.setInterval(1)
    assert sys.getrefcount(None) > before - CALLS // 2
