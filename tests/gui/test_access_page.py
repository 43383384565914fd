"""The access page and the bars beside the editor's lines, over the synthetic session on the emulator."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from tests.helpers import sample_session
from tests.helpers.page_commands import PageCommands, page_bridge
from tests.helpers.pages import sample_page_view
from ui.bridge import Bridge
from ui.panels.access import AccessPanel
from ui.panels.editor import EditorPanel
from ui.widgets.empty_page import EmptyPage

BASELINE, _VECTOR, TILE, _WRONG = sample_session.sample_versions()


@pytest.fixture
def opened() -> tuple[Bridge, PageCommands]:
    bridge, commands = page_bridge(sample_page_view("emulator"), "emulator")
    commands.select(TILE.hash)
    return bridge, commands


def panel_of(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> AccessPanel:
    panel = AccessPanel(opened[0])
    opened[0].setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(1040, 700)
    panel.show()
    return panel


def editor_of(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> EditorPanel:
    panel = EditorPanel(opened[0])
    opened[0].setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(1040, 700)
    panel.show()
    return panel


def test_the_page_names_the_line_that_costs_most(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel = panel_of(opened, qtbot)
    assert panel.sentence().startswith("Line 19 costs most")
    assert panel.table.currentIndex().row() == 2
    assert [index.row() for index in panel.table.selectionModel().selectedRows()] == [2]
    assert "banks" in panel.facts.charts[0].said()
    assert [row[0].text for row in panel.table.rows()] == ["12", "12", "19", "20"]
    assert [row[-1].chip for row in panel.table.rows()] == ["exact", "exact", "source-level", "exact"]


def test_choosing_a_row_shows_the_card_of_its_line_with_a_picture(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel = panel_of(opened, qtbot)
    panel.table.selectRow(0)
    (chart,) = panel.facts.charts
    assert chart.said() == "2 sectors; 9 of 16 words used"
    panel.table.selectRow(2)
    assert "16 of 32 banks" in panel.facts.charts[0].said()
    assert chart not in panel.facts.charts


def test_pointing_at_a_square_says_its_byte_and_lanes(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel = panel_of(opened, qtbot)
    panel.table.selectRow(0)
    chart = panel.facts.charts[0]
    box, word, _token = chart._squares()[7]
    assert chart.text_at(box.center()) == f"byte {word.offset}: 0"
    assert chart.text_at(chart._squares()[0][0].center()).endswith("fetched and unused")
    assert chart.text_at(QPoint(-5, -5)) == ""


def test_the_line_can_be_shown_in_the_editor(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel, asked = panel_of(opened, qtbot), list[object]()
    opened[0].line_requested.connect(asked.append)
    panel.table.selectRow(3)
    panel._open.click()
    assert asked == [20]


def test_a_version_that_was_never_analysed_offers_to_be(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel, triggered = panel_of(opened, qtbot), list[object]()
    opened[0].action_requested.connect(triggered.append)
    opened[1].select(BASELINE.hash)
    empty = panel._stack.currentWidget()
    assert isinstance(empty, EmptyPage)
    empty.findChildren(type(panel._open).__mro__[1])
    opened[0].trigger("access")
    assert triggered == ["access"]


def test_the_editor_draws_a_bar_beside_every_line_that_touches_memory(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel = editor_of(opened, qtbot)
    longest, slight = panel.editor.bar_at(18), panel.editor.bar_at(11)
    assert longest is not None
    assert slight is not None
    assert (longest.fraction, longest.tone) == (1.0, "wrong")
    assert slight.fraction < 0.5
    assert panel.editor.bar_at(0) is None


def test_bars_leave_with_the_first_change_and_come_back_with_undo(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel = editor_of(opened, qtbot)
    wide = panel.editor.gutter.wanted_width()
    panel.editor.insertPlainText("// a note\n")
    assert not panel.editor.has_bars()
    assert panel.editor.gutter.wanted_width() < wide
    panel.editor.undo()
    assert panel.editor.has_bars()


def test_the_card_floats_beside_the_bar_that_is_pointed_at(opened: tuple[Bridge, PageCommands], qtbot: QtBot) -> None:
    panel = editor_of(opened, qtbot)
    panel.editor.bar_pointed.emit(12, QPoint(100, 100))
    assert panel._card.isVisible()
    assert len(panel._card._facts.charts) == 1
    panel._card.hide()


def test_a_session_without_an_analysis_has_no_bars(qtbot: QtBot) -> None:
    view = sample_page_view("emulator")
    bare = tuple(msgspec.structs.replace(run, passes=run.passes[:4]) for run in view.runs)
    bridge, commands = page_bridge(msgspec.structs.replace(view, runs=bare), "emulator")
    commands.select(TILE.hash)
    panel = editor_of((bridge, commands), qtbot)
    assert not panel.editor.has_bars()
