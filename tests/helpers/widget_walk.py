"""Walks every visible widget of a window and tells what a reader would trip over: cut text, overlaps, controls without a name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSplitterHandle,
    QStackedWidget,
    QWidget,
)

from ui.widgets.chip import ChipLabel, chip_width
from ui.widgets.label import ElidedLabel

SLACK = 1
"""Pixels that rounding may cost."""
_TURNS = 50
_CONTROLS = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit)


def name_of(widget: QWidget) -> str:
    """Return what a person would call a widget: its class, its text, and whose child it is."""
    text = ""
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit | ChipLabel):
        text = f" “{widget.text()[:50]}”"
    parent = widget.parentWidget()
    inside = f" in {type(parent).__name__}" if parent else ""
    return f"{type(widget).__name__}{text}{inside}"


def visible(window: QWidget) -> Iterator[QWidget]:
    """Yield every widget that can be seen, or could be after scrolling."""
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and not widget.objectName().startswith("qt_"):
            yield widget


def cut_text(widget: QWidget) -> str | None:
    """Return what is wrong with a widget's text, None when all of it can be read."""
    room = widget.contentsRect()
    if isinstance(widget, ElidedLabel):
        whole = widget.shown_text() == widget.text()
        if room.width() < 1 and widget.text():
            return "has no room at all"
        return None if whole or widget.toolTip() else "is cut without a tooltip"
    if isinstance(widget, ChipLabel):
        chip = widget.chip()
        return "is narrower than its word" if chip and widget.width() < chip_width(chip) - SLACK else None
    if isinstance(widget, QLabel) and widget.text():
        return _cut_label(widget, room)
    if isinstance(widget, QPushButton) and widget.text():
        need = widget.fontMetrics().horizontalAdvance(widget.text().replace("&", ""))
        return f"needs {need} px and has {widget.width()}" if need > widget.width() + SLACK else None
    if isinstance(widget, QComboBox) and widget.currentText():
        need = widget.fontMetrics().horizontalAdvance(widget.currentText())
        return "is cut without a tooltip" if need > widget.width() - 24 and not widget.toolTip() else None
    return None


def _cut_label(label: QLabel, room: QRect) -> str | None:
    metrics = label.fontMetrics()
    if label.wordWrap():
        need = metrics.boundingRect(QRect(0, 0, room.width(), 10_000), int(Qt.TextFlag.TextWordWrap), label.text())
        if need.height() > room.height() + 2 * SLACK:
            return f"needs {need.height()} px of height and has {room.height()}"
        return None
    need_width = max(metrics.horizontalAdvance(line) for line in label.text().splitlines())
    if need_width > room.width() + SLACK and not label.toolTip():
        return f"needs {need_width} px and has {room.width()}"
    return None


def _beside_one_another(parent: QWidget) -> list[QWidget]:
    layered = isinstance(parent, QStackedWidget | QScrollArea | QAbstractItemView | QPlainTextEdit)
    if layered:
        return []
    children = [child for child in parent.children() if isinstance(child, QWidget)]
    return [child for child in children if _stands_in_layout(child)]


def _stands_in_layout(child: QWidget) -> bool:
    of_qt = child.objectName().startswith("qt_")
    skipped = of_qt or isinstance(child, QSplitterHandle) or child.isWindow() or not child.isVisible()
    return not skipped and child.property("part") != "palette" and not child.size().isEmpty()


def overlaps(window: QWidget) -> Iterator[str]:
    """Yield pairs of siblings that lie on one another."""
    for parent in (window, *visible(window)):
        for first, second in combinations(_beside_one_another(parent), 2):
            common = first.geometry().intersected(second.geometry())
            if common.width() > SLACK and common.height() > SLACK:
                yield f"{name_of(first)} lies on {name_of(second)}"


def nameless(window: QWidget) -> Iterator[str]:
    """Yield controls that a screen reader could not name."""
    for widget in visible(window):
        if isinstance(widget, _CONTROLS) and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            if not (widget.accessibleName() or text.strip()):
                yield f"{name_of(widget)} has no accessible name"


def troubles(window: QWidget) -> list[str]:
    """Return everything that is wrong with what the window shows now, one sentence each."""
    found = [f"{name_of(widget)} {wrong}" for widget in visible(window) if (wrong := cut_text(widget))]
    return [*found, *overlaps(window), *nameless(window)]


def settled_troubles(window: QWidget) -> list[str]:
    """Return the troubles that stay: sentences that wrap need some turns of Qt's loop to find their height."""
    found = troubles(window)
    for _ in range(_TURNS):
        if not found:
            break
        QTest.qWait(20)
        found = troubles(window)
    return found
