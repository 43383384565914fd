"""Cards, section heads, hairlines and rows of facts: the frame that panels are built from."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui import theme
from ui.widgets.chip import ChipLabel
from ui.widgets.label import ElidedLabel, Label, LabelTone, NumberLabel, set_tone
from workbench.model.ledger import Chip

_HEAD = 32


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and delete it."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


def hairline() -> QFrame:
    """Return a line of 1 px across."""
    line = QFrame()
    line.setProperty("part", "hairline")
    line.setFixedHeight(1)
    return line


class FactRow(QWidget):
    """A title on the left and, on the right, a value, a chip, or both.

    A number (`mono`) is never cut: its title gives way. A text gives way to its title.
    """

    def __init__(self, title: str, value: str = "", chip: Chip | None = None, *, mono: bool = True) -> None:
        super().__init__()
        self._title: Label = ElidedLabel(title, "text", "dim") if mono else Label(title, "text", "dim")
        self._value: Label = NumberLabel(value) if mono else ElidedLabel(value)
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if not value:
            self._value.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 3, 0, 3)
        row.setSpacing(theme.current().space(2))
        row.addWidget(self._title, 1 if mono else 0)
        row.addWidget(self._value, 0 if mono else 1)
        if chip is not None:
            row.addWidget(ChipLabel(chip))
        self.setAccessibleName(f"{title} {value} {chip or ''}".strip())

    def set_value(self, value: str, tone: LabelTone = "text") -> None:
        """Show another value."""
        self._value.setText(value)
        self._value.set_tone(tone)
        self._value.setVisible(bool(value))
        self.setAccessibleName(f"{self._title.text()} {value}")


class SectionHead(QFrame):
    """The bar over a panel or a part of a page: a name in dim semibold, a note on the right, room for small buttons."""

    def __init__(self, title: str, note: str = "") -> None:
        super().__init__()
        self.setProperty("part", "section")
        self.setFixedHeight(_HEAD)
        self._title = Label(title, "strong", "dim")
        self._title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._note = ElidedLabel(note, "caption", "dim")
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 0, 12, 0)
        self.row.setSpacing(theme.current().space(2))
        self.row.addWidget(self._title)
        self.row.addWidget(self._note, 1)

    def sizeHint(self) -> QSize:
        """Return its height as docks read it: they ask for the hint, not for the fixed height."""
        return QSize(super().sizeHint().width(), _HEAD)

    def set_title(self, title: str) -> None:
        """Show another name."""
        self._title.setText(title)

    def title(self) -> str:
        """Return the name."""
        return self._title.text()

    def set_note(self, note: str) -> None:
        """Show another note."""
        self._note.setText(note)

    def add(self, widget: QWidget) -> None:
        """Put a small button at the right end."""
        self.row.addWidget(widget)


class Card(QFrame):
    """A rounded frame with a head (title, chip or note in the corner) and a body to fill."""

    def __init__(self, title: str = "", chip: Chip | None = None, note: str = "") -> None:
        super().__init__()
        self.setProperty("part", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        self.head = QWidget()
        self._title = ElidedLabel(title, "strong")
        self._note = Label(note, "caption", "dim")
        self._chip = ChipLabel(chip)
        head = QHBoxLayout(self.head)
        head.setContentsMargins(12, 8, 12, 8)
        head.setSpacing(theme.current().space(2))
        head.addWidget(self._title, 1)
        head.addWidget(self._note)
        head.addWidget(self._chip)
        self._note.setVisible(bool(note))
        outer.addWidget(self.head)
        self._line = hairline()
        outer.addWidget(self._line)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(12, 6, 12, 8)
        self.body.setSpacing(0)
        outer.addLayout(self.body)
        self.set_title(title)

    def sizeHint(self) -> QSize:
        """Return its height at the width it has: the policy takes the hint as the most, and sentences wrap."""
        hint, layout = super().sizeHint(), self.layout()
        if layout is not None and layout.hasHeightForWidth() and self.width() > 0:
            hint.setHeight(layout.totalHeightForWidth(self.width()))
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height when the width changed."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def set_title(self, title: str) -> None:
        """Show another title; without one there is no head."""
        self._title.setText(title)
        self.head.setVisible(bool(title))
        self._line.setVisible(bool(title))
        self.setAccessibleName(title)

    def set_chip(self, chip: Chip | None) -> None:
        """Show another chip in the corner, or none."""
        self._chip.set_chip(chip)

    def set_note(self, note: str) -> None:
        """Show another note in the corner."""
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def set_tone(self, tone: str) -> None:
        """Colour the border: "doubt", "wrong" or "" for a plain one."""
        set_tone(self, tone)

    def add(self, widget: QWidget) -> None:
        """Put a widget under what is there."""
        self.body.addWidget(widget)

    def add_fact(self, title: str, value: str = "", chip: Chip | None = None, *, mono: bool = True) -> FactRow:
        """Add a row of title and value."""
        row = FactRow(title, value, chip, mono=mono)
        self.body.addWidget(row)
        return row

    def add_text(self, text: str, tone: LabelTone = "dim") -> Label:
        """Add a wrapped sentence."""
        label = Label(text, "text", tone, wrap=True)
        self.body.addWidget(label)
        return label

    def clear(self) -> None:
        """Empty the body."""
        clear(self.body)


class ScrolledColumn(QScrollArea):
    """A column of cards that scrolls when it does not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setProperty("part", "scrolled")
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(12, 12, 12, 12)
        self.column.setSpacing(theme.current().space(3))
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(inside)

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end."""
        self.column.addWidget(widget)

    def clear(self) -> None:
        """Take everything out."""
        clear(self.column)
