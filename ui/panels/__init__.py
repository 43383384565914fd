"""The pages and the docks' panels. Pages are made through this table; no panel knows another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from ui.bridge import Bridge


def _editor(bridge: Bridge) -> QWidget:
    from ui.panels.editor import EditorPanel

    return EditorPanel(bridge)


def _review(bridge: Bridge) -> QWidget:
    from ui.panels.review import ReviewPanel

    return ReviewPanel(bridge)


def _compare(bridge: Bridge) -> QWidget:
    from ui.panels.compare import ComparePanel

    return ComparePanel(bridge)


def _timeline(bridge: Bridge) -> QWidget:
    from ui.panels.timeline import TimelinePanel

    return TimelinePanel(bridge)


def _account(bridge: Bridge) -> QWidget:
    from ui.panels.account import AccountPanel

    return AccountPanel(bridge)


def _access(bridge: Bridge) -> QWidget:
    from ui.panels.access import AccessPanel

    return AccessPanel(bridge)


PAGES: Mapping[str, tuple[Callable[[Bridge], QWidget], str]] = {
    "editor": (_editor, "Editor"),
    "review": (_review, "Review"),
    "compare": (_compare, "Compare"),
    "timeline": (_timeline, "Timeline"),
    "account": (_account, "Account"),
    "access": (_access, "Access"),
}
"""Page -> how it is made (imported only then: charts take half a second) and its title, from the left."""
