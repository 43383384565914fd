"""Qt reads our style sheet wherever the program lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

import resources
from ui import theme


def test_a_program_in_a_folder_with_spaces_and_umlauts_is_dressed_all_the_same(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = resources.path
    monkeypatch.setattr(resources, "path", lambda name: tmp_path / "frisch ü (2)" / name if name == "icons" else real(name))
    said: list[str] = []

    def listen(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        said.append(text)

    before = qInstallMessageHandler(listen)
    try:
        box = QComboBox()
        qtbot.addWidget(box)
        box.setStyleSheet(theme.style_sheet(theme.load("dark")))
        box.ensurePolished()
    finally:
        qInstallMessageHandler(before)
    assert not [text for text in said if "parse" in text]
