"""The question whether a project's own Python may run: a notice, not a box."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from ui.bridge import Bridge
from ui.notices import Answer, Notice
from workbench.errors import NotTrusted
from workbench.texts import message


class TrustQuestion(QObject):
    """Asks once about one folder; when the user says yes, it is trusted and what waited for this goes on."""

    def __init__(self, bridge: Bridge, path: Path) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._path = path

    def ask(self, error: NotTrusted) -> None:
        """Put the question over the pages."""
        answers = (Answer(message("Trust this folder"), self._trust),)
        self._bridge.notice_posted.emit(Notice(error.message, "warning", answers, key=f"trust {self._path}"))

    def _trust(self) -> None:
        self._bridge.run(self._bridge.commands.trust_project(self._path))
        self.deleteLater()
