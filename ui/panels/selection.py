"""Selection: what is known about the event chosen on the timeline."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from ui.bridge import Bridge
from ui.widgets.card import Card, ScrolledColumn, SectionHead
from ui.widgets.label import Label
from workbench.texts import tr


class SelectionPanel(QFrame):
    """Shows `bridge.event_selected`: a sequence of (title, value) pairs of which the first is the event's name."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "panel")
        self.head = SectionHead(tr("Selection"))
        self._column = ScrolledColumn()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._column)
        bridge.event_selected.connect(self.show_event)
        self.show_event(None)

    def show_event(self, facts: object) -> None:
        """Show an event's facts; None empties the panel."""
        self._column.clear()
        if not isinstance(facts, tuple) or not facts:
            self.head.set_note("")
            text = tr("Choose a bar on the timeline: its start, length and stream will stand here.")
            self._column.add(Label(text, "text", "dim", wrap=True))
            return
        (_, name), *rest = facts
        self.head.set_note(str(name))
        card = Card(str(name))
        for title, value in rest:
            card.add_fact(str(title), str(value))
        self._column.add(card)
