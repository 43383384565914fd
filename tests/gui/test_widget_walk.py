"""Every widget of every page, in both themes and at both sizes: its text can be read, and nothing lies on anything."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.widget_walk import settled_troubles, troubles
from tests.helpers.window import OpenWindow
from ui.theme import Name
from ui.widgets.chip import ChipLabel
from ui.widgets.label import ElidedLabel
from workbench.texts import message

SIZES = ((1280, 800), (1920, 1080))


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("kind", ["gpu", "emulator", "empty"])
def test_every_page_can_be_read_at_every_size(open_sample: OpenWindow, kind: str, name: Name) -> None:
    window = open_sample(kind)
    window.wear(name)
    found: list[str] = []
    for width, height in SIZES:
        window.resize(width, height)
        if width < 1440:
            window.actions_.trigger("toggle_right")
        for page in window.page_names():
            window.show_page(page)
            found += [f"{page} at {width}: {trouble}" for trouble in settled_troubles(window)]
    assert found == []


def test_notices_log_and_palette_can_be_read_too(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    window.resize(1280, 800)
    window.actions_.trigger("toggle_log")
    window.bridge.notify(message("A sentence so long that it does not fit on one line of this window: " + "more " * 40), "error")
    assert settled_troubles(window) == []


def _beside(qtbot: QtBot, *widgets: QWidget) -> QWidget:
    window = QWidget()
    row = QHBoxLayout(window)
    for widget in widgets:
        row.addWidget(widget)
    qtbot.addWidget(window)
    window.show()
    return window


def test_the_walk_finds_text_that_is_cut(qtbot: QtBot, qapp: QApplication) -> None:
    label = QLabel("much longer than its room")
    label.setFixedWidth(40)
    wrapped = QLabel("a sentence of several lines " * 5)
    wrapped.setWordWrap(True)
    wrapped.setFixedSize(80, 20)
    button = QPushButton("Run everything")
    button.setFixedWidth(30)
    found = troubles(_beside(qtbot, label, wrapped, button))
    assert [trouble.split(" ")[0] for trouble in found] == ["QLabel", "QLabel", "QPushButton"]


def test_the_walk_accepts_elided_text_with_a_tooltip_and_only_then(qtbot: QtBot) -> None:
    label = ElidedLabel("much longer than its room")
    label.setFixedWidth(40)
    window = _beside(qtbot, label)
    assert troubles(window) == []
    label.setToolTip("")
    assert len(troubles(window)) == 1


def test_the_walk_finds_a_chip_that_is_too_narrow(qtbot: QtBot) -> None:
    chip = ChipLabel("WRONG ANSWER")
    chip.setFixedWidth(20)
    assert len(troubles(_beside(qtbot, chip))) == 1


def test_the_walk_finds_widgets_on_one_another(qtbot: QtBot) -> None:
    window = QWidget()
    for left in (0, 10):
        child = QLabel("x", window)
        child.setGeometry(left, 0, 40, 20)
    qtbot.addWidget(window)
    window.show()
    assert any("lies on" in trouble for trouble in troubles(window))


def test_the_walk_finds_controls_without_a_name(qtbot: QtBot) -> None:
    field = QLineEdit()
    window = _beside(qtbot, field)
    assert any("no accessible name" in trouble for trouble in troubles(window))
    field.setAccessibleName("Search words")
    assert troubles(window) == []
