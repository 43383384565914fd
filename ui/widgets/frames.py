"""The frames of a page: parts under each other without a gap, and parts whose border the user moves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

GROWS = 1


class Pile(QFrame):
    """Parts under each other, edge to edge; one given with `GROWS` takes the room that is left."""

    def __init__(self, *parts: QWidget | tuple[QWidget, int]) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        for part in parts:
            widget, share = part if isinstance(part, tuple) else (part, 0)
            self.column.addWidget(widget, share)


class Split(QSplitter):
    """Parts side by side or under each other; the user moves the border, and no part can be pushed away whole.

    `sizes` are px, or shares where they do not fit; `grows` is the part that takes what a larger window brings.
    """

    def __init__(self, way: Qt.Orientation, *parts: QWidget, sizes: Sequence[int], grows: int | None = None) -> None:
        super().__init__(way)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for part in parts:
            self.addWidget(part)
        if grows is not None:
            self.setStretchFactor(grows, 1)
        self.setSizes(list(sizes))
