"""Menus, buttons and icons made from the registry of actions."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from ui import theme
from ui.actions import MENUS, SPECS, Actions
from ui.widgets.icon import icon
from workbench.texts import tr

_GAP, _PAD = 8, 11


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
        part = QMenu(tr(name), menu)
        menu.addMenu(part)
        part.addActions(list(actions.of_menu(name)))
    return menu


class ActionButton(QPushButton):
    """A button for one action: its title and, where there is room, its shortcut in a fainter face; enabled with it."""

    def __init__(self, actions: Actions, name: str, *, primary: bool = False) -> None:
        super().__init__()
        self._action = actions.action(name)
        self._primary = primary
        self._keys = ""
        if primary:
            self.setProperty("part", "primary")
        self.clicked.connect(self._action.trigger)
        self._action.changed.connect(self._follow)
        self._follow()

    def show_keys(self, shown: bool) -> None:
        """Show the shortcut beside the title, or leave it to the tooltip."""
        self._keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) if shown else ""
        self.updateGeometry()
        self.update()

    def _follow(self) -> None:
        title = self._action.text()
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setText(title)
        self.setAccessibleName(title)
        self.setToolTip(f"{title}   {keys}" if keys else title)
        self.setEnabled(self._action.isEnabled())

    def _keys_width(self) -> int:
        return QFontMetrics(theme.current().font("caption")).horizontalAdvance(self._keys) + _GAP if self._keys else 0

    def sizeHint(self) -> QSize:
        """Return room for title and shortcut."""
        return super().sizeHint() + QSize(self._keys_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, its title on the left of the shortcut."""
        look, extra = theme.current(), self._keys_width()
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        title = option.text
        if extra:
            option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        if not extra:
            return
        on = look.text_on("accent") if self._primary and self.isEnabled() else look.color("text" if self.isEnabled() else "faint")
        inner = self.rect().adjusted(_PAD, 0, -_PAD, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(on)
        painter.setFont(self.font())
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignLeft, title)
        painter.setPen(on if self._primary else look.color("faint"))
        painter.setFont(look.font("caption"))
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, self._keys)
