"""The sanitizer's findings under each other, each going to its line when it is clicked."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.bridge import Bridge
from ui.widgets.card import Card
from ui.widgets.label import Label
from workbench.model.sanitizer import Finding, SanitizerData
from workbench.texts import message, tr, tr_count

_WORDS = {"error": "error", "warning": "warning", "information": "information"}


class FindingRow(QWidget):
    """One finding: its severity and how often, its sentence below. A click, Enter or Space goes to its line."""

    chosen = Signal(int)

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        self.finding = finding
        self.line = finding.lines[0] if finding.lines else 0
        times = tr_count("{count} time", "{count} times", finding.count)
        head = str(message("{severity}, {times}", severity=tr(_WORDS[finding.severity]), times=times))
        sentence = str(finding.sentence)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, 0, 3)
        column.setSpacing(2)
        column.addWidget(Label(head, "caption", "wrong" if finding.severity == "error" else "faint"))
        column.addWidget(Label(sentence, "text", "dim", wrap=True))
        self.setAccessibleName(f"{head}. {sentence}")
        if self.line:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(tr("Go to this line"))

    def _choose(self) -> None:
        if self.line:
            self.chosen.emit(self.line)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line."""
        super().mousePressEvent(event)
        self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the line by Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose()
            return
        super().keyPressEvent(event)


def findings_card(bridge: Bridge, data: SanitizerData) -> Card:
    """Return a card of all findings of a launch; a row that is chosen shows its line in the editor."""
    card = Card(tr("What the sanitizer found"), note=data.detector)

    def go_to(line: int) -> None:
        bridge.show_page("editor")
        bridge.line_requested.emit(line)

    for finding in data.findings:
        row = FindingRow(finding)
        row.chosen.connect(go_to)
        card.body.addWidget(row)
    if data.dropped:
        card.body.addWidget(Label(str(message("{count} more were not kept.", count=data.dropped)), "caption", "faint"))
    return card
