"""One hunk of a suggestion: what it does, where it belongs, and whether it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui import theme
from ui.widgets.code_rows import CodeLine, draw_line, draw_number, grounds, selection_veil, sign, width_of
from ui.widgets.icon import IconButton, IconLabel
from ui.widgets.label import ElidedLabel, Label, NumberLabel, set_tone
from workbench import units
from workbench.texts import message, tr

_NUMBER = 40
_SIGN = 22
State = Literal["open", "accepted", "refused", "cannot"]
_ICONS: dict[State, tuple[str, str, str]] = {
    "open": ("info", "dim", "not decided"),
    "accepted": ("accepted", "proven", "accepted"),
    "refused": ("refused", "wrong", "refused"),
    "cannot": ("refused", "faint", "cannot be applied"),
}


class Numbered(NamedTuple):
    """A line with its numbers before and after."""

    old: int | None
    new: int | None
    line: CodeLine


class HunkText(NamedTuple):
    """What a card says: heading, place and title, counts, and what the reader must know before deciding."""

    heading: str
    place: str
    added: int
    removed: int
    doubt: str = ""
    reason: str = ""


class HunkBody(QWidget):
    """The lines of a hunk, 19 px each, as high as they are many. Dragging selects lines, Ctrl+C copies their text."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lines: Sequence[Numbered] = ()
        self._from, self._to = 0, -1
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lines(self, lines: Sequence[Numbered]) -> None:
        """Show these lines."""
        if lines != self._lines:
            self._from, self._to = 0, -1
        self._lines = lines
        self.setFixedHeight(len(lines) * theme.current().size("line"))
        self.setMinimumWidth(120)
        self.setAccessibleName("\n".join(f"{sign(numbered.line.kind)} {numbered.line.text}" for numbered in lines))
        self.update()

    def lines(self) -> Sequence[Numbered]:
        """Return what is shown."""
        return self._lines

    def sizeHint(self) -> QSize:
        """Return the room for the longest line."""
        longest = max((width_of(numbered.line.text) for numbered in self._lines), default=0)
        return QSize(2 * _NUMBER + _SIGN + longest + 12, len(self._lines) * theme.current().size("line"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines."""
        look = theme.current()
        painter = QPainter(self)
        height = look.size("line")
        for k, (old, new, line) in enumerate(self._lines):
            box = QRect(0, k * height, self.width(), height)
            if not box.intersects(event.rect()):
                continue
            painter.fillRect(box, grounds(look, line.kind)[0])
            draw_number(painter, QRect(0, box.top(), _NUMBER - 4, height), old)
            draw_number(painter, QRect(_NUMBER, box.top(), _NUMBER - 4, height), new)
            painter.setFont(look.font("code"))
            painter.setPen(look.color("text"))
            painter.drawText(QRect(2 * _NUMBER, box.top(), _SIGN, height), Qt.AlignmentFlag.AlignCenter, sign(line.kind))
            draw_line(painter, box.adjusted(2 * _NUMBER + _SIGN, 0, 0, 0), line)
            if min(self._from, self._to) <= k <= max(self._from, self._to) and self._to >= 0:
                painter.fillRect(box, selection_veil(look))
        painter.end()

    def selected_text(self) -> str:
        """Return the text of the selected lines, without signs; empty without a selection."""
        if self._to < 0:
            return ""
        first, last = sorted((self._from, self._to))
        return "\n".join(numbered.line.text for numbered in self._lines[first : last + 1])

    def _line_at(self, event: QMouseEvent) -> int:
        return max(0, min(int(event.position().y()) // theme.current().size("line"), len(self._lines) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection, and tell that this hunk was clicked."""
        self._from = self._to = self._line_at(event)
        self.update()
        self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Stretch the selection over whole lines."""
        self._to = self._line_at(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy what is selected."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.selected_text():
            QGuiApplication.clipboard().setText(self.selected_text())
        else:
            super().keyPressEvent(event)


class HunkCard(QFrame):
    """Head with the decision, what must be known, and the lines. `decided` carries number and "accepted" or "refused"."""

    decided = Signal(int, str)
    chosen = Signal(int)

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.setProperty("part", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._fold = IconButton("chevron-down", tr("Show or hide the lines"))
        self._icon = IconLabel("info", "dim", 16)
        self._heading = Label("", "strong")
        self._place = ElidedLabel("", "text", "dim")
        self._counts = NumberLabel("", "dim")
        self.accept = QPushButton(tr("Accept"))
        self.refuse = QPushButton(tr("Refuse"))
        self.accept.setToolTip(tr("Accept this hunk (A)"))
        self.refuse.setToolTip(tr("Refuse this hunk (R)"))
        self._doubt = Label("", "text", "text", wrap=True)
        self._notice = QFrame()
        self._reason = Label("", "text", "dim", wrap=True)
        self.body = HunkBody()
        self._build()
        self.body.pressed.connect(self._pressed)
        self._fold.clicked.connect(self._toggle)
        self.accept.clicked.connect(self._accept)
        self.refuse.clicked.connect(self._refuse)

    def _build(self) -> None:
        look = theme.current()
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        head = QHBoxLayout()
        column.addLayout(head)
        head.setContentsMargins(8, 5, 8, 5)
        head.setSpacing(look.space(2))
        for widget in (self._fold, self._icon, self._heading):
            head.addWidget(widget)
        head.addWidget(self._place, 1)
        for button in (self._counts, self.accept, self.refuse):
            head.addWidget(button)
        self._notice.setProperty("part", "notice")
        self._notice.setProperty("tone", "doubt")
        notice = QHBoxLayout(self._notice)
        notice.setContentsMargins(12, 5, 12, 5)
        notice.setSpacing(look.space(2))
        notice.addWidget(Label(tr("Needs a look"), "strong", "doubt"), 0, Qt.AlignmentFlag.AlignTop)
        notice.addWidget(self._doubt, 1)
        self._reason.setContentsMargins(12, 4, 12, 4)
        for part in (self._notice, self.body, self._reason):
            column.addWidget(part)

    def show_hunk(self, text: HunkText, lines: Sequence[Numbered]) -> None:
        """Show what the hunk is."""
        self._heading.setText(text.heading)
        self._place.setText(text.place)
        self._counts.setText(f"+{units.count(text.added)} {units.MINUS}{units.count(text.removed)}")
        self._doubt.setText(text.doubt)
        self._notice.setVisible(bool(text.doubt))
        self._reason.setText(text.reason)
        self._reason.setVisible(bool(text.reason))
        self.body.show_lines(lines)
        self.setAccessibleName(f"{text.heading} {text.place}")

    def show_state(self, state: State, *, current: bool, locked: bool) -> None:
        """Show the decision, whether the keys act on this card, and whether it can be changed."""
        icon, color, meaning = _ICONS[state]
        if state == "open" and self._doubt.text():
            icon, color = "warning", "doubt"
        self._icon.set_icon(icon, color)
        self._icon.setAccessibleName(tr(meaning))
        self._icon.setToolTip(tr(meaning))
        self.accept.setText(tr("Accepted") if state == "accepted" else tr("Accept"))
        self.refuse.setText(tr("Refused") if state == "refused" else tr("Refuse"))
        set_tone(self.accept, "proven" if state == "accepted" else "")
        set_tone(self.refuse, "wrong" if state == "refused" else "")
        for button in (self.accept, self.refuse):
            button.setVisible(state != "cannot")
            button.setEnabled(not locked)
        set_tone(self, "accent" if current else ("doubt" if self._doubt.text() else ""))

    def set_folded(self, folded: bool) -> None:
        """Hide or show the lines."""
        self.body.setVisible(not folded)
        self._fold.set_icon("chevron-right" if folded else "chevron-down")

    def _toggle(self) -> None:
        self.set_folded(not self.body.isHidden())

    def _accept(self) -> None:
        self.decided.emit(self.number, "accepted")

    def _refuse(self) -> None:
        self.decided.emit(self.number, "refused")

    def _pressed(self) -> None:
        self.chosen.emit(self.number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make this the card the keys act on."""
        super().mousePressEvent(event)
        self.chosen.emit(self.number)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the lines anew when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.body.update()


def place_of(first: int | None, count: int, title: str) -> str:
    """Return where a hunk belongs and what it says of itself."""
    if first is None:
        place = tr("no place found")
    elif count <= 1:
        place = str(message("line {line}", line=first))
    else:
        place = str(message("lines {first} to {last}", first=first, last=first + count - 1))
    return f"{place} · {title}" if title else place
