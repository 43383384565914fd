"""The review page: nothing is accepted before the reader said so."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.helpers.page_commands import PageCommands, page_bridge
from tests.helpers.pages import sample_page_view, sample_plan, suggestion
from ui.panels.review import ReviewPanel
from ui.tables.suggestion_words import tokens
from workbench.texts import message


@pytest.fixture
def page(qtbot: QtBot) -> tuple[ReviewPanel, PageCommands]:
    bridge, commands = page_bridge(sample_page_view("gpu"), plans={3: sample_plan()})
    panel = ReviewPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(1000, 700)
    panel.show()
    return panel, commands


def test_the_waiting_suggestion_is_shown_with_every_hunk_open(page: tuple[ReviewPanel, PageCommands]) -> None:
    panel, _ = page
    assert panel.chip.chip() == "in review"
    assert [card.number for card in panel.cards] == [1, 2, 3]
    assert panel.counts() == ("0 of 3 hunks accepted", "2 open · 1 cannot be applied")
    assert not panel.make.isEnabled()


def test_hunks_are_decided_with_the_keys(page: tuple[ReviewPanel, PageCommands]) -> None:
    panel, commands = page
    QTest.keyClick(panel, Qt.Key.Key_A)
    QTest.keyClick(panel, Qt.Key.Key_J)
    QTest.keyClick(panel, Qt.Key.Key_R)
    assert panel.counts() == ("1 of 3 hunks accepted", "1 refused · 1 cannot be applied")
    QTest.keyClick(panel, Qt.Key.Key_K)
    QTest.keyClick(panel, Qt.Key.Key_A)
    assert panel.counts() == ("0 of 3 hunks accepted", "1 refused · 1 open · 1 cannot be applied")
    assert commands.asked == []


def test_the_accepted_hunks_and_no_others_make_the_version(page: tuple[ReviewPanel, PageCommands]) -> None:
    panel, commands = page
    panel.cards[1].accept.click()
    panel.cards[0].refuse.click()
    panel.make.click()
    assert commands.asked == [("accept_hunks", 3, (2,))]


def test_a_hunk_without_a_place_says_why_and_cannot_be_accepted(page: tuple[ReviewPanel, PageCommands]) -> None:
    panel, _ = page
    card = panel.cards[2]
    assert not card.accept.isVisible()
    QTest.keyClick(panel, Qt.Key.Key_J)
    QTest.keyClick(panel, Qt.Key.Key_J)
    QTest.keyClick(panel, Qt.Key.Key_A)
    assert panel.counts()[0] == "0 of 3 hunks accepted"
    assert all(line.old is None and line.new is None for line in card.body.lines())


def test_lines_carry_their_numbers_before_and_after(page: tuple[ReviewPanel, PageCommands]) -> None:
    panel, _ = page
    first, second = panel.cards[0].body.lines(), panel.cards[1].body.lines()
    assert [(line.old, line.new, line.line.kind) for line in first] == [(None, 1, "added"), (1, 2, "same")]
    assert (second[0].old, second[0].new, second[0].line.kind) == (5, None, "removed")
    assert (second[1].old, second[1].new, second[1].line.kind) == (None, 6, "added")
    panel.cards[0].refuse.click()
    assert panel.cards[1].body.lines()[1].new == 5


def test_a_finished_suggestion_shows_its_decision_and_cannot_be_changed(qtbot: QtBot) -> None:
    view = sample_page_view("gpu")
    made = view.versions[2]
    done = msgspec.structs.replace(suggestion(), decision="accepted", accepted_hunks=(1,), result=made.hash)
    view = msgspec.structs.replace(view, suggestions=(done,))
    bridge, commands = page_bridge(view, plans={3: sample_plan()})
    commands.review(3)
    panel = ReviewPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    QTest.keyClick(panel, Qt.Key.Key_R)
    assert panel.counts() == ("1 of 3 hunks accepted", "They made tile prefetch.")
    assert not panel.make.isEnabled()


def test_a_read_only_session_is_reviewed_without_deciding(qtbot: QtBot) -> None:
    view = msgspec.structs.replace(sample_page_view("gpu"), read_only=message("This session is open elsewhere."))
    bridge, _ = page_bridge(view, plans={3: sample_plan()})
    panel = ReviewPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    QTest.keyClick(panel, Qt.Key.Key_A)
    assert panel.counts()[0] == "0 of 3 hunks accepted"
    assert "open elsewhere" in panel.counts()[1]


def test_an_answer_without_an_edit_is_shown_as_it_came(qtbot: QtBot) -> None:
    bridge, commands = page_bridge(sample_page_view("gpu"))
    commands.review(2)
    panel = ReviewPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.cards == []
    assert not panel.make.isEnabled()


def test_without_a_suggestion_the_page_offers_to_ask_for_one(qtbot: QtBot) -> None:
    view = msgspec.structs.replace(sample_page_view("gpu"), suggestions=())
    bridge, _ = page_bridge(view)
    panel = ReviewPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    assert not panel.make.isVisible()


def test_lines_of_a_hunk_are_copied_as_they_will_stand_in_the_file(
    page: tuple[ReviewPanel, PageCommands], qapp: QApplication
) -> None:
    panel, _ = page
    body = panel.cards[1].body
    QTest.mouseClick(body, Qt.MouseButton.LeftButton, pos=QPoint(200, 25))
    QTest.keyClick(body, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qapp.clipboard().text() == body.lines()[1].line.text
    QTest.keyClick(body, Qt.Key.Key_A)
    assert panel.counts()[0] == "1 of 3 hunks accepted"


def test_an_answer_for_another_version_than_the_selected_one_says_so(page: tuple[ReviewPanel, PageCommands]) -> None:
    panel, commands = page
    versions = {version.hash: version.name for version in sample_page_view("gpu").versions}
    base = suggestion().base
    commands.select(base)
    assert panel.base_notice() == ""
    commands.select(next(digest for digest in versions if digest != base))
    assert panel.base_notice().startswith(f"This answer edits {versions[base]}, not ")


def test_the_prompt_that_was_sent_is_shown_when_asked_for_and_can_be_copied(qtbot: QtBot, qapp: QApplication) -> None:
    view = sample_page_view("gpu")
    asked = msgspec.structs.replace(suggestion(), prompt="## Goal\nfaster", input_tokens=None, output_tokens=None)
    bridge, _ = page_bridge(msgspec.structs.replace(view, suggestions=(asked,)), plans={3: sample_plan()})
    panel = ReviewPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.prompt is not None
    assert not panel.prompt.is_open()
    panel.prompt.fold.click()
    assert panel.prompt.is_open()
    panel.prompt.copy.click()
    assert qapp.clipboard().text() == "## Goal\nfaster"
    assert tokens(asked) == "unknown tokens"
    assert tokens(msgspec.structs.replace(asked, input_tokens=1322)) == "1\u202f322 tokens in, unknown out"
