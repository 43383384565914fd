"""What the sanitizer found, in the editor and on the proof page."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.page_commands import page_bridge
from tests.helpers.pages import sample_page_view
from tests.helpers.sample_findings import with_findings
from tests.helpers.sample_session import emulator_runs, sample_project, sample_versions
from ui.panels.editor import EditorPanel
from ui.panels.proof import ProofPanel
from ui.widgets.findings_card import FindingRow
from ui.widgets.gate_list import GateRow
from workbench.analysis.ledger import build_ledger
from workbench.state.workspace import SessionView

BASELINE, VECTOR, *_ = sample_versions()


def view_with_findings() -> SessionView:
    """Return the emulator's session, of which "vector loads" has findings."""
    runs = with_findings(emulator_runs(), VECTOR.hash)
    ledger = build_ledger(sample_project(), sample_versions(), runs, "emulator")
    return msgspec.structs.replace(sample_page_view("emulator"), runs=runs, ledger=ledger, ledgers={"emulator": ledger})


def test_findings_stand_at_both_lines_of_the_editor_and_under_the_text(qtbot: QtBot) -> None:
    bridge, commands = page_bridge(view_with_findings())
    commands.select_device("emulator")
    commands.select(VECTOR.hash)
    panel = EditorPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    assert [panel.editor.severity_at(line - 1) for line in (7, 5, 8, 6)] == ["error", "note", "warning", None]
    assert panel.findings.isVisible()
    assert panel.findings.sentence().startswith("Line 7, error: Thread (32, 0, 0) reads row[31]")
    commands.select(BASELINE.hash)
    assert not panel.findings.isVisible()


def test_the_proof_page_lists_the_findings_and_a_row_goes_to_its_line(qtbot: QtBot) -> None:
    bridge, commands = page_bridge(view_with_findings())
    commands.select(VECTOR.hash)
    panel = ProofPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    rows = panel.findChildren(FindingRow)
    assert [row.accessibleName().split(". ")[0] for row in rows] == [
        "error, 446 times",
        "warning, 1 time",
        "information, 14 times",
    ]
    assert ("sanitizer", "failed") in {(row.gate.gate, row.gate.status) for row in panel.findChildren(GateRow)}
    lines: list[int] = []
    bridge.line_requested.connect(lines.append)
    QTest.mouseClick(rows[0], Qt.MouseButton.LeftButton)
    QTest.keyClick(rows[1], Qt.Key.Key_Return)
    assert lines == [7, 8]
    commands.select(BASELINE.hash)
    panel.refresh()
    assert [row for row in panel.findChildren(FindingRow) if row.isVisible()] == []
