"""The bar over everything: project and session, the command field, the device, and what one does most."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from ui import theme
from ui.actions import Actions
from ui.bridge import Bridge
from ui.widgets.icon import IconButton, IconLabel
from ui.widgets.label import ElidedLabel
from ui.widgets.menus import ActionButton, main_menu
from workbench.model.device import DeviceInfo
from workbench.texts import message, tr

HEIGHT = 44
_AROUND_NAMES = 90
_WITH_KEYS = 1440


class CommandField(QPushButton):
    """Looks like a search field; a click or a key opens the command palette in its place."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._action = actions.action("palette")
        self.setProperty("part", "field")
        self.setAccessibleName(tr("Open the command palette"))
        self.setToolTip(self._action.shortcut().toString())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(120)
        self.setMaximumWidth(420)
        self.clicked.connect(self._action.trigger)

    def sizeHint(self) -> QSize:
        """Return its usual size."""
        return QSize(380, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the placeholder and the shortcut over the button's ground."""
        super().paintEvent(event)
        look = theme.current()
        painter = QPainter(self)
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("faint"))
        keys = self._action.shortcut().toString()
        inner = self.rect().adjusted(10, 0, -10, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        width = painter.fontMetrics().horizontalAdvance(keys)
        with_keys = self.width() > 240
        if with_keys:
            painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, keys)
        painter.setFont(look.font())
        text = tr("Type a command, or search versions and lines")
        room = inner.width() - (width + 12 if with_keys else 0)
        painter.drawText(
            inner, middle | Qt.AlignmentFlag.AlignLeft, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        )  # fmt: skip
        painter.end()


class ProjectButton(QFrame):
    """Logo, project and session; a click opens the menu with everything the window can do."""

    pressed = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._project = ElidedLabel("", "strong")
        self._session = ElidedLabel("", "caption", "dim")
        for label in (self._project, self._session):
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.menu_button = IconButton("chevron-down", tr("Menu"))
        self.menu_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel("logo", "text", 18, "Kernel ledger"))
        row.addWidget(self._project)
        row.addWidget(self._session)
        row.addWidget(self.menu_button)
        row.addStretch(1)
        bridge.session_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is open."""
        view = self._bridge.workspace.session.value
        project = view.project if view else None
        self._project.setText(project.name if project else "Kernel ledger")
        name = PurePath(view.path).name if view else tr("nothing open")
        if view is not None and view.read_only is not None:
            name = str(message("{name}, read-only", name=name))
        self._session.setText(name)
        self._session.setToolTip(str(view.read_only) if view and view.read_only else (view.path if view else ""))
        self._fit()

    def _fit(self) -> None:
        """Give the project's name what it needs, the session the rest."""
        room = max(0, self.width() - _AROUND_NAMES)
        wish = self._project.sizeHint().width() + 4
        name = min(wish, max(60, room - 40))
        self._project.setFixedWidth(name)
        self._session.setFixedWidth(max(24, min(self._session.sizeHint().width() + 4, room - name)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._fit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the menu."""
        self.menu_button.showMenu()


class DeviceChooser(QComboBox):
    """The devices of this machine; one that cannot be used is greyed, with the reason as its tooltip."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.setAccessibleName(tr("Device"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaximumWidth(230)
        self.activated.connect(self._chosen)
        bridge.devices_changed.connect(self.refresh)
        bridge.device_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """List the devices."""
        space = self._bridge.workspace
        self.clear()
        for device in space.devices.value:
            self._add(device)
        place = self.findData(space.device.value)
        if place < 0:
            self.addItem(space.device.value, space.device.value)
            place = self.count() - 1
        self.setCurrentIndex(place)
        self.setToolTip(self.itemText(place))

    def _add(self, device: DeviceInfo) -> None:
        self.addItem(f"{device.id} · {device.title}", device.id)
        place = self.count() - 1
        self.setItemData(place, str(device.reason or device.remark or ""), Qt.ItemDataRole.ToolTipRole)
        if not device.available:
            item = self.model().item(place)  # type: ignore[attr-defined]  # PySide6's stub gives the abstract model
            item.setEnabled(False)

    def _chosen(self, place: int) -> None:
        self._bridge.commands.select_device(str(self.itemData(place)))


class TopBar(QFrame):
    """One row, 44 px high."""

    def __init__(self, bridge: Bridge, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("part", "topbar")
        self.setFixedHeight(HEIGHT)
        self.project = ProjectButton(bridge)
        self.project.menu_button.setMenu(main_menu(actions, self))
        self.field = CommandField(actions)
        self.device = DeviceChooser(bridge)
        self.buttons = (
            ActionButton(actions, "verify"),
            ActionButton(actions, "suggest"),
            ActionButton(actions, "run", primary=True),
        )
        self.buttons[1].setObjectName("suggest_button")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.project, 4)
        row.addWidget(self.field, 5)
        row.addStretch(1)
        row.addWidget(self.device)
        for button in self.buttons:
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the shortcuts where there is room for them."""
        super().resizeEvent(event)
        for button in self.buttons:
            button.show_keys(self.width() >= _WITH_KEYS)
