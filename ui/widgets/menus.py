"""Menus, buttons and icons made from the registry of actions."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from ui.actions import MENUS, SPECS, Actions
from ui.widgets.icon import icon
from workbench.texts import tr


def draw_icons(actions: Actions) -> None:
    """Give every action its icon in the colours of the theme worn now."""
    made = {action.objectName(): action for action in actions.all()}
    for spec in SPECS:
        if spec.icon and spec.id in made:
            made[spec.id].setIcon(icon(spec.icon, "dim"))


def main_menu(actions: Actions, parent: QWidget) -> QMenu:
    """Return the menu with every action under its heading."""
    menu = QMenu(parent)
    for name in MENUS:
        part = menu.addMenu(tr(name))
        part.addActions(list(actions.of_menu(name)))
    return menu


class ActionButton(QPushButton):
    """A button for one action: its title, its shortcut in a fainter face, enabled with it."""

    def __init__(self, actions: Actions, name: str, *, primary: bool = False, shortcut: bool = True) -> None:
        super().__init__()
        self._action = actions.action(name)
        self._with_shortcut = shortcut
        if primary:
            self.setProperty("part", "primary")
        self.clicked.connect(self._action.trigger)
        self._action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        title = self._action.text()
        keys = self._action.shortcut().toString()
        self.setText(title)
        self.setAccessibleName(title)
        self.setToolTip(f"{title}   {keys}" if keys else title)
        self.setEnabled(self._action.isEnabled())
