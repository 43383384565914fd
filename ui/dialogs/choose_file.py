"""Asking for a file or folder without stopping the window."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

Mode = Literal["folder", "open", "save"]
_MODES = {
    "folder": QFileDialog.FileMode.Directory,
    "open": QFileDialog.FileMode.ExistingFile,
    "save": QFileDialog.FileMode.AnyFile,
}


class _Question(QObject):
    """One open file dialog and the future its answer goes to."""

    def __init__(self, dialog: QFileDialog) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        self.answer: asyncio.Future[Path | None] = asyncio.get_running_loop().create_future()
        dialog.finished.connect(self._finished)

    def _finished(self, result: int) -> None:
        if not self.answer.done():
            files = self._dialog.selectedFiles() if result else []
            self.answer.set_result(Path(files[0]) if files else None)
        self._dialog.deleteLater()


async def choose(parent: QWidget, title: str, mode: Mode, *, kinds: str = "", name: str = "", ending: str = "") -> Path | None:
    """Ask for a path beside the window, which stays alive. None when the user does not choose.

    `kinds` is Qt's filter text, `name` a first proposal, `ending` what is added when the user types none.
    """
    dialog = QFileDialog(parent, title)
    dialog.setWindowModality(Qt.WindowModality.NonModal)
    dialog.setFileMode(_MODES[mode])
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, mode == "folder")
    if mode == "save":
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    if kinds:
        dialog.setNameFilter(kinds)
    if name:
        dialog.selectFile(name)
    if ending:
        dialog.setDefaultSuffix(ending)
    question = _Question(dialog)
    dialog.show()
    return await question.answer
