"""The menu under Suggest: by hand through the clipboard, or an advisor with one of its models."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from ui.bridge import AdvisorChoice, Bridge
from workbench.texts import tr

_BY_HAND = "clipboard"


class _Choice(QObject):
    """Remembers which advisor and model an entry of the menu means."""

    def __init__(self, bridge: Bridge, menu: QMenu) -> None:
        super().__init__(menu)
        self._bridge = bridge
        self._menu = menu

    def add(self, title: str, advisor: str, model: str | None) -> None:
        """Add an entry."""
        action = QAction(title, self._menu)
        action.setData((advisor, model))
        action.triggered.connect(self._chosen)
        self._menu.addAction(action)

    def add_action(self, title: str, name: str) -> None:
        """Add an entry that does one of the window's actions."""
        action = QAction(title, self._menu)
        action.setData((name, None))
        action.triggered.connect(self._by_hand)
        self._menu.addAction(action)

    def _chosen(self) -> None:
        sender = self.sender()
        if isinstance(sender, QAction):
            advisor, model = sender.data()
            self._bridge.run(self._bridge.commands.suggest(advisor, model))

    def _by_hand(self) -> None:
        sender = self.sender()
        if isinstance(sender, QAction):
            self._bridge.trigger(sender.data()[0])


async def _models(advisor: AdvisorChoice) -> tuple[str, ...]:
    return tuple(await asyncio.to_thread(advisor.models))


def _place(window: QWidget) -> QPoint:
    button = window.findChild(QPushButton, "suggest_button")
    return button.mapToGlobal(QPoint(0, button.height() + 2)) if button and button.isVisible() else QCursor.pos()


async def show_suggest_menu(bridge: Bridge, window: QWidget) -> None:
    """Open the menu under the Suggest button. Finding an advisor's models may take a moment; the window stays alive."""
    menu = QMenu(window)
    choice = _Choice(bridge, menu)
    menu.aboutToHide.connect(menu.deleteLater)
    menu.addSection(tr("By hand, with any model"))
    choice.add_action(tr("Copy the prompt"), "copy_prompt")
    choice.add_action(tr("Paste an answer"), "paste_answer")
    for advisor in bridge.commands.advisors():
        if advisor.id == _BY_HAND:
            continue
        models = await _models(advisor)
        menu.addSection(advisor.title)
        for model in models:
            choice.add(model, advisor.id, model)
        if not models:
            choice.add(tr("Ask"), advisor.id, None)
    menu.popup(_place(window))
