"""The gates of a version under each other; a pass that decides one more changes one row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.widgets.chip import ChipLabel
from ui.widgets.label import ElidedLabel, Label
from workbench.model.run import GateResult
from workbench.texts import tr


class GateRow(QWidget):
    """One gate: title and chip; its sentence is the tooltip, and stands below where the gate did not pass."""

    def __init__(self, gate: GateResult) -> None:
        super().__init__()
        self.gate = gate
        sentence = str(gate.sentence)
        self.setToolTip(sentence)
        self.setAccessibleName(f"{gate.title}: {tr(gate.status)}. {sentence}")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, 0, 3)
        column.setSpacing(2)
        row = QHBoxLayout()
        column.addLayout(row)
        row.setSpacing(8)
        row.addWidget(ElidedLabel(str(gate.title), "text", "dim"), 1)
        row.addWidget(ChipLabel(gate.status))
        if gate.status in ("failed", "not run"):
            column.addWidget(Label(sentence, "caption", "wrong" if gate.status == "failed" else "faint", wrap=True))


class GateList(QWidget):
    """Rows of gates; those that say the same as before stay."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[GateRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_gates(self, gates: Sequence[GateResult]) -> None:
        """Show these gates and no others."""
        kept = {row.gate.gate: row for row in self._rows}
        rows = [row if (row := kept.get(gate.gate)) and row.gate == gate else GateRow(gate) for gate in gates]
        for row in self._rows:
            if row not in rows:
                self._column.removeWidget(row)
                row.hide()
                row.deleteLater()
        for place, row in enumerate(rows):
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
        self._rows = rows
