"""Versions, proof, GPU, environment and selection say what the session says, and say what is missing."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.helpers import sample_session
from tests.helpers.window import OpenWindow, commands_of
from ui.main_window import MainWindow
from ui.panels.environment import EnvironmentPanel
from ui.panels.gpu import GpuPanel
from ui.panels.proof import ProofPanel, headline
from ui.panels.selection import SelectionPanel
from ui.panels.versions import Row, VersionsPanel, rows_of
from ui.widgets.card import Card, FactRow
from ui.widgets.chip import ChipLabel
from ui.widgets.gate_list import GateRow
from ui.widgets.label import Label
from workbench.analysis.ledger import build_ledger
from workbench.model.failure import Failure, FailureKind
from workbench.model.ledger import Ledger
from workbench.model.run import PassRecord
from workbench.model.version import Version
from workbench.state.workspace import Draft, SessionView
from workbench.texts import message

BASELINE, VECTOR, TILE, WRONG = range(4)


def _view(window: MainWindow) -> SessionView:
    view = window.bridge.workspace.session.value
    assert view is not None
    return view


def _rows(window: MainWindow) -> dict[str, Row]:
    return {row.name: row for row in rows_of(_view(window))}


def _proof(window: MainWindow) -> ProofPanel:
    panel = window.findChild(ProofPanel)
    assert panel is not None
    return panel


def _words(panel: ProofPanel | EnvironmentPanel | SelectionPanel | GpuPanel) -> str:
    """Return every word that can be seen on a panel."""
    _settle()
    parts = [label.text() for label in panel.findChildren(Label) if label.isVisible()]
    parts += [chip.text() for chip in panel.findChildren(ChipLabel) if chip.isVisible()]
    return " | ".join(parts)


def _settle() -> None:
    """Let the panels draw what changed: one card in each turn of the loop, and what was added is shown a turn later."""
    for _ in range(10):
        QTest.qWait(1)


def _version(place: int) -> Version:
    return sample_session.sample_versions()[place]


def test_a_version_stands_with_its_time_ratio_chip_and_what_was_measured(open_sample: OpenWindow) -> None:
    row = _rows(open_sample("gpu"))["tile prefetch"]
    assert (row.time, row.ratio, row.chip) == ("16.4 ms", "6.58×", "FASTER")
    assert row.note.startswith("281 ms end to end · ")


def test_a_wrong_version_says_why_and_has_no_time(open_sample: OpenWindow) -> None:
    row = _rows(open_sample("gpu"))["fast math"]
    assert (row.time, row.chip) == ("—", "WRONG ANSWER")
    assert "where the reference has" in row.note


def test_on_the_emulator_there_is_cpu_time_and_never_a_ratio_or_a_gain(open_sample: OpenWindow) -> None:
    rows = _rows(open_sample("emulator"))
    assert rows["tile prefetch"].chip == "CPU TIME"
    assert {row.ratio for row in rows.values()} == {""}
    assert not {row.chip for row in rows.values()} & {"FASTER", "SLOWER", "SAME"}


def test_choosing_a_row_selects_the_version_and_choosing_a_suggestion_opens_review(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(VersionsPanel)
    assert panel is not None
    panel.list.setCurrentIndex(panel.list.model().index(1, 0))
    assert window.bridge.workspace.selected.value == _version(VECTOR).hash
    panel.list.setCurrentIndex(panel.list.model().index(4, 0))
    assert window.bridge.workspace.reviewed.value == 2
    assert window.page_names()[window.pages.currentIndex()] == "review"


def test_selecting_elsewhere_moves_the_row(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(VersionsPanel)
    assert panel is not None
    commands_of(window).select(_version(BASELINE).hash)
    assert panel.list.currentIndex().row() == 0


def test_the_proof_lists_every_gate_with_its_chip_and_the_reason_of_what_was_not_run(open_sample: OpenWindow) -> None:
    panel = _proof(open_sample("gpu"))
    _settle()
    gates = panel.findChildren(GateRow)
    assert len([gate for gate in gates if gate.isVisible()]) == 9
    words = _words(panel)
    assert "6.58× faster" in words
    assert "Not run: on a GPU this needs the sanitizer gate." in words
    facts = {row.accessibleName() for row in panel.findChildren(FactRow)}
    assert {"Kernel time 16.40 ms", "Ratio interval [6.58, 6.59]", "Rounds 100 in 5 processes"} <= facts


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("TimedOut", "No answer within the limit"),
        ("DeviceFault", "The device stopped it"),
        ("CompileFailed", "It does not compile"),
    ],
)
def test_a_version_that_gave_no_answer_is_not_said_to_have_failed_a_gate(kind: FailureKind, said: str) -> None:
    run = sample_session.gpu_runs()[0]
    ended = PassRecord("verify", "failed", run.started, 1.0, Failure(kind, message("It ended.")))
    run = msgspec.structs.replace(run, passes=(ended,))
    ledger = build_ledger(sample_session.sample_project(), sample_session.sample_versions(), [run], run.device)
    line = next(line for line in ledger.lines if line.version == run.version)
    assert (line.chip, str(line.sentence), headline(line, run)) == ("failed", "It ended.", said)


def test_a_wrong_answer_is_shown_with_its_position_and_both_values(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    commands_of(window).select(_version(WRONG).hash)
    panel = _proof(window)
    _settle()
    names = {row.accessibleName().split(" ")[0]: row.accessibleName() for row in panel.findChildren(FactRow) if row.isVisible()}
    worst = next(card for card in panel.findChildren(Card) if card.accessibleName() == "Worst element" and card.isVisible())
    assert "dst[" in " ".join(label.text() for label in worst.findChildren(Label))
    assert {"This", "Reference", "Error", "Allowed"} <= set(names)
    assert "The answer is wrong" in _words(panel)


def test_an_undecided_version_offers_more_rounds(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    view = _view(window)
    assert view.ledger is not None
    lines = tuple(msgspec.structs.replace(line, chip="AMBIGUOUS") if line.depth == 2 else line for line in view.ledger.lines)
    ledger: Ledger = msgspec.structs.replace(view.ledger, lines=lines)
    window.bridge.workspace.session.set(msgspec.structs.replace(view, ledger=ledger))
    _settle()
    found = _proof(window).findChildren(QPushButton)
    buttons = [button for button in found if button.text() == "More rounds" and button.isVisible()]
    assert len(buttons) == 1
    buttons[0].click()
    assert commands_of(window).asked == [("more_rounds", _version(TILE).hash)]


def test_the_proof_of_a_hidden_dock_catches_up_when_it_is_shown(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    window.resize(1280, 800)
    commands_of(window).select(_version(BASELINE).hash)
    window.actions_.trigger("toggle_right")
    assert "The baseline" in _words(_proof(window))


def test_without_a_gpu_the_reason_stands_in_its_place(open_sample: OpenWindow) -> None:
    panel = open_sample("emulator").findChild(GpuPanel)
    assert panel is not None
    assert "No NVIDIA driver was found on this machine" in _words(panel)


def test_a_reading_that_the_driver_refuses_is_a_dash_with_the_drivers_reason(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(GpuPanel)
    assert panel is not None
    status = window.bridge.workspace.gpu.value[0]
    refused = msgspec.structs.replace(status, power_watt=None, missing={"power_watt": "Not Supported"})
    window.bridge.workspace.gpu.set((refused,))
    row = next(row for row in panel.rows if row.reading.field == "power_watt")
    assert row.value.text() == "—"
    assert row.value.toolTip() == "Not Supported"
    assert row.line.values()[-1] is None


def test_the_environment_says_what_disturbed_the_run(open_sample: OpenWindow) -> None:
    panel = open_sample("emulator").findChild(EnvironmentPanel)
    assert panel is not None
    assert "Another program used the processor while timing" in _words(panel)


def test_the_selection_shows_an_event_and_lets_it_go(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    window.show_page("timeline")
    panel = window.findChild(SelectionPanel)
    assert panel is not None
    assert panel.isVisible()
    window.bridge.event_selected.emit((("event", "preprocess"), ("Start", "46.00 ms")))
    assert "preprocess" in _words(panel)
    window.bridge.event_selected.emit(None)
    assert "Choose a bar" in _words(panel)
    window.show_page("editor")
    assert not panel.isVisible()


def test_a_version_offers_by_right_click_what_can_be_done_with_it(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(VersionsPanel)
    assert panel is not None
    rows = _rows(window)
    commands_of(window).select(_version(BASELINE).hash)
    menu = panel.menu_of(rows["baseline"])
    offered = {str(action.data()): action.isEnabled() for action in menu.actions() if not action.isSeparator()}
    assert list(offered) == [
        "edit_version", "run", "more_rounds", "compare_parent", "compare_baseline", "write_back", "save_patch"
    ]  # fmt: skip
    assert not offered["compare_parent"]
    commands_of(window).select(_version(TILE).hash)
    menu = panel.menu_of(rows["tile prefetch"])
    next(action for action in menu.actions() if action.data() == "compare_parent").trigger()
    assert window.page_name() == "compare"
    assert window.bridge.workspace.compared.value == (_version(VECTOR).hash, _version(TILE).hash)


def test_return_edits_a_version_and_a_read_only_session_says_so_under_the_list(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(VersionsPanel)
    assert panel is not None
    window.show_page("account")
    space = window.bridge.workspace
    typed = Draft(_version(VECTOR).hash, "// typed and not kept", True)
    space.draft.set(typed)
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert window.page_name() == "editor"
    assert space.draft.value == typed
    assert not panel.locked.isVisible()
    view = space.session.value
    assert view is not None
    space.session.set(msgspec.structs.replace(view, read_only=message("it is open in another window")))
    assert panel.locked.text() == "Read-only: nothing here can be changed."
    assert panel.locked.toolTip() == "it is open in another window"
    assert panel.locked.isVisible()
