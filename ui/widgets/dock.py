"""A dock whose title bar is the panel's own head."""

from __future__ import annotations

from typing import Protocol, cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from ui.widgets.card import SectionHead
from ui.widgets.icon import IconButton
from workbench.texts import tr


class Panel(Protocol):
    """What a panel that lives in a dock has."""

    head: SectionHead


class Dock(QDockWidget):
    """Can be moved, floated and closed; named after the panel's class, so that a layout finds it again."""

    def __init__(self, panel: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(type(panel).__name__)
        head = cast(Panel, panel).head
        self.setWindowTitle(head.title())
        close = IconButton("close", tr("Hide this panel"))
        close.setFixedSize(20, 20)
        close.setIconSize(QSize(12, 12))
        close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        close.clicked.connect(self.hide)
        head.add(close)
        self.setTitleBarWidget(head)
        self.setWidget(panel)
