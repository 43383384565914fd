"""Finds what can end the program later: Python's handles of the items of layouts.

`QLayout.itemAt`, and `addLayout` of a layout that is filled already, make handles that PySide keeps with that of the layout;
nothing tells them when Qt deletes the item (a widget that is deleted or put elsewhere takes its item along). When another object
comes to lie at the address of a deleted item and Qt deletes it too, Shiboken::Object::destroy frees that object's handle, is told
that the address still has one, and goes on with the freed one: a segmentation fault in the loop, with no Python above it.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtWidgets import QLayout, QLayoutItem


def handles() -> list[QLayoutItem]:
    """Return the handles of items of layouts that are not told when their item is deleted.

    Layouts are told, and so is an item that Python made (pyqtgraph makes a spacer).
    """
    found = shiboken6.getAllValidWrappers()
    items = [one for one in found if isinstance(one, QLayoutItem) and not isinstance(one, QLayout)]
    return [one for one in items if not shiboken6.createdByPython(one)]
