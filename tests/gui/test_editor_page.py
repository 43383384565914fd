"""The editor page over a synthetic session."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.helpers import sample_session
from tests.helpers.page_commands import PageCommands, page_bridge
from tests.helpers.pages import sample_page_view
from ui.panels.editor import EditorPanel
from workbench.model.failure import Failure, SourceLine
from workbench.model.run import PassRecord
from workbench.model.source import SourceText
from workbench.model.version import make_version
from workbench.state.workspace import Draft
from workbench.texts import message

BASELINE, VECTOR, TILE, _ = sample_session.sample_versions()


@pytest.fixture
def page(qtbot: QtBot) -> tuple[EditorPanel, PageCommands]:
    bridge, commands = page_bridge(sample_page_view("gpu"))
    commands.select(VECTOR.hash)
    panel = EditorPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(900, 700)
    panel.show()
    return panel, commands


def test_the_source_of_the_selected_version_is_shown(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    assert panel.editor.source() == VECTOR.code.source.text
    commands.select(TILE.hash)
    assert panel.editor.source() == TILE.code.source.text


def test_typing_begins_a_draft_on_the_selected_version(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    QTest.keyClicks(panel.editor, "// x")
    draft = commands.space.draft.value
    assert draft is not None
    assert draft.base == VECTOR.hash
    assert draft.changed
    assert draft.text == "// x" + VECTOR.code.source.text


def test_undo_takes_back_accepted_hunks_that_made_a_new_version(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    commands.select(TILE.hash)
    assert panel.editor.source() == TILE.code.source.text
    panel.editor.undo()
    assert panel.editor.source() == VECTOR.code.source.text
    draft = commands.space.draft.value
    assert draft is not None
    assert (draft.base, draft.text) == (TILE.hash, VECTOR.code.source.text)


def test_going_to_a_version_that_is_no_child_forgets_what_could_be_undone(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    commands.select(BASELINE.hash)
    assert not panel.editor.document().isUndoAvailable()


def test_an_edited_crlf_source_keeps_its_line_ends(qtbot: QtBot) -> None:
    source = "int a;\r\nint b;\nint c;\r\n"
    version = make_version(
        "odd ends", msgspec.structs.replace(BASELINE.code, source=SourceText(source)), None, BASELINE.author, "now"
    )
    view = msgspec.structs.replace(sample_page_view("gpu"), versions=(version,))
    bridge, commands = page_bridge(view)
    commands.select(version.hash)
    panel = EditorPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    draft = commands.space.draft.value
    assert draft is not None
    assert draft.text == "\r\nint a;\r\nint b;\nint c;\r\n"


def test_a_read_only_session_can_be_read_and_says_why_it_cannot_be_changed(qtbot: QtBot) -> None:
    view = msgspec.structs.replace(sample_page_view("gpu"), read_only=message("The session is open in another window."))
    bridge, commands = page_bridge(view)
    commands.select(VECTOR.hash)
    panel = EditorPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    QTest.keyClicks(panel.editor, "x")
    assert panel.editor.source() == VECTOR.code.source.text
    assert commands.space.draft.value is None
    assert "open in another window" in panel.reason()


def test_changes_on_another_version_are_not_lost_by_looking_around(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    QTest.keyClicks(panel.editor, "// x")
    commands.select(BASELINE.hash)
    assert panel.editor.isReadOnly()
    assert "vector loads" in panel.reason()
    commands.select(VECTOR.hash)
    assert panel.editor.source().startswith("// x")
    assert not panel.editor.isReadOnly()


def test_compile_errors_stand_at_their_line_and_under_the_text(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    marks = (SourceLine(3, "a note", "warning"), SourceLine(5, 'identifier "floot" is undefined'))
    commands.space.draft.set(Draft(VECTOR.hash, VECTOR.code.source.text, False, marks))
    assert panel.editor.severity_at(4) == "error"
    assert panel.editor.severity_at(2) == "warning"
    assert panel.findings.sentence() == 'Line 5, error: identifier "floot" is undefined'
    assert panel.findings.isVisible()


def test_compile_errors_follow_their_lines_while_others_are_edited(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    marks = (SourceLine(3, "a note", "warning"), SourceLine(5, 'identifier "floot" is undefined'))
    commands.space.draft.set(Draft(VECTOR.hash, VECTOR.code.source.text, False, marks))
    panel.editor.go_to(1)
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "// x")
    assert (panel.editor.severity_at(5), panel.editor.severity_at(3), panel.editor.severity_at(4)) == ("error", "warning", None)
    assert panel.findings.sentence().startswith("Line 6, error")
    panel.editor.go_to(6)
    QTest.keyClicks(panel.editor, " ")
    assert (panel.editor.severity_at(5), panel.editor.severity_at(3)) == (None, "warning")
    assert panel.findings.sentence() == "Line 4, warning: a note"


def test_the_error_of_a_version_that_is_only_looked_at_stays_when_typing_begins(qtbot: QtBot) -> None:
    view = sample_page_view("gpu")
    failure = Failure("CompileFailed", message("It does not compile."), (SourceLine(5, "what is this"),))
    run = view.latest_run(VECTOR.hash, "cuda:0")
    assert run is not None
    broken = msgspec.structs.replace(run, passes=(PassRecord("compile", "failed", run.started, 1.0, failure),))
    bridge, commands = page_bridge(msgspec.structs.replace(view, runs=(*view.runs, broken)))
    commands.select(VECTOR.hash)
    panel = EditorPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    assert panel.editor.severity_at(4) == "error"
    panel.editor.go_to(1)
    QTest.keyClicks(panel.editor, "// x")
    assert panel.editor.severity_at(4) == "error"
    panel.editor.go_to(5)
    QTest.keyClicks(panel.editor, "?")
    assert panel.editor.severity_at(4) is None
    QTest.keyClick(panel.editor, Qt.Key.Key_Backspace)
    for _ in range(4):
        panel.editor.undo()
    assert panel.editor.source() == VECTOR.code.source.text
    assert panel.editor.severity_at(4) == "error", "the text that did not compile is back"


def test_the_margin_marks_lines_that_differ_from_the_parent(page: tuple[EditorPanel, PageCommands], qtbot: QtBot) -> None:
    panel, _ = page
    qtbot.waitUntil(lambda: panel.editor.difference_at(4) is not None)
    assert panel.editor.difference_at(4) == "changed"
    assert panel.editor.difference_at(0) is None


def test_finding_walks_the_matches_and_says_what_is_no_pattern(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, _ = page
    QTest.keyClick(panel.editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.find_bar.isVisible()
    panel.find_bar.field.setText("FLOAT")
    count = VECTOR.code.source.text.count("float")
    assert panel.find_bar.count_text() == f"{count} found"
    panel.find_bar.next()
    assert panel.editor.textCursor().selectedText() == "float"
    assert panel.find_bar.count_text() == f"1 of {count}"
    panel.find_bar.previous()
    assert panel.find_bar.count_text() == f"{count} of {count}"
    panel.find_bar.case.setChecked(True)
    assert panel.find_bar.count_text() == "0 found"
    panel.find_bar.regex.setChecked(True)
    panel.find_bar.field.setText("(")
    assert panel.find_bar.count_text().startswith("not a pattern")
    QTest.keyClick(panel.find_bar.field, Qt.Key.Key_Escape)
    assert not panel.find_bar.isVisible()


def test_tab_return_and_brace_indent_as_c_is_indented(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, _ = page
    panel.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(panel.editor, "if (x) {")
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "y;")
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "}")
    QTest.keyClick(panel.editor, Qt.Key.Key_Tab)
    assert panel.editor.source().endswith("if (x) {\n    y;\n}   ")
    QTest.keyClick(panel.editor, Qt.Key.Key_Backspace)
    assert panel.editor.source().endswith("\n}  ")


def test_the_last_run_stands_beside_parent_and_baseline(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, _ = page
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in panel.strip.rows()}
    assert rows["Kernel time, cold L2"] == ["108.0 ms", "67.03 ms", "−37.9 %"]
    assert rows["Shared memory, static"][:2] == ["—", "—"]


def test_without_a_session_the_page_says_what_will_be_here(qtbot: QtBot) -> None:
    bridge, _ = page_bridge(None)
    panel = EditorPanel(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    asked: list[str] = []
    bridge.action_requested.connect(asked.append)
    button = next(button for button in panel.findChildren(QPushButton) if button.isVisible())
    button.click()
    assert asked == ["open_project"]


def test_the_findings_are_gone_to_by_a_click_and_by_f8(page: tuple[EditorPanel, PageCommands]) -> None:
    panel, commands = page
    marks = (SourceLine(3, "a note", "warning"), SourceLine(5, 'identifier "floot" is undefined'))
    commands.space.draft.set(Draft(VECTOR.hash, VECTOR.code.source.text, False, marks))
    panel.editor.go_to(1)
    QTest.mouseClick(panel.findings, Qt.MouseButton.LeftButton)
    assert panel.editor.textCursor().blockNumber() == 4
    QTest.keyClick(panel.editor, Qt.Key.Key_F8)
    assert panel.editor.textCursor().blockNumber() == 2
    assert panel.findings.sentence() == "Line 3, warning: a note"
    QTest.keyClick(panel.editor, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert panel.editor.textCursor().blockNumber() == 4
