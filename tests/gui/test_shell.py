"""The window's shell: bars, docks, palette, notices, layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.helpers import sample_session
from tests.helpers.window import OpenWindow, commands_of, make_window
from ui import theme
from ui.main_window import MainWindow
from ui.notices import Answer, Notice
from ui.panels.jobs import JobsPanel
from ui.panels.log import LogPanel
from ui.widgets.status_line import StatusLine
from ui.widgets.top_bar import TopBar
from workbench.errors import NotTrusted, WrongInput
from workbench.state.workspace import Workspace
from workbench.texts import message


def test_the_window_names_what_is_open(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    assert window.windowTitle() == "image-preprocess — Kernel ledger"
    status = window.findChild(StatusLine)
    assert status is not None
    assert status.worker.text() == "Worker ready, spare warm"
    assert status.version.text().startswith("tile prefetch · ")
    assert status.clocks.text().startswith("SM 1920 MHz")


def test_without_a_project_running_is_not_offered(open_sample: OpenWindow) -> None:
    window = open_sample("empty")
    bar = window.findChild(TopBar)
    assert bar is not None
    assert [button.isEnabled() for button in bar.buttons] == [False, False, False]
    assert window.actions_.action("open_project").isEnabled()


def test_a_device_that_cannot_be_used_is_greyed_with_its_reason(open_sample: OpenWindow) -> None:
    bar = open_sample("emulator").findChild(TopBar)
    assert bar is not None
    chooser = bar.device
    place = chooser.findData("cuda:0")
    assert chooser.currentData() == "emulator"
    assert chooser.itemData(place, Qt.ItemDataRole.ToolTipRole) == "The NVIDIA driver was not found."
    assert not chooser.model().flags(chooser.model().index(place, 0)) & Qt.ItemFlag.ItemIsEnabled


def test_the_palette_finds_a_command_by_letters_and_does_it(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    window.actions_.trigger("palette")
    palette = window.palette_
    assert palette.isVisible()
    QTest.keyClicks(palette.field, "light th")
    assert palette.list.count() == 1
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.bridge.theme.name == "light"


def test_the_palette_finds_versions_and_lines(open_sample: OpenWindow, qtbot: QtBot) -> None:
    window = open_sample("gpu")
    baseline = sample_session.sample_versions()[0]
    window.palette_.open(baseline.name)
    found = window.palette_.list
    titles = [found.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(found.count())]
    found.setCurrentRow(next(row for row, title in enumerate(titles) if title.startswith("baseline ")))
    QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
    assert window.bridge.workspace.selected.value == baseline.hash
    commands_of(window).select(sample_session.sample_versions()[2].hash)
    window.palette_.open("syncthreads")
    with qtbot.waitSignal(window.bridge.line_requested) as asked:
        QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
    assert asked.args == [14]
    window.palette_.open()
    assert window.palette_.isVisible()
    QTest.keyClick(window.palette_.field, Qt.Key.Key_Escape)
    assert not window.palette_.isVisible()


def test_the_palette_says_nothing_matches_by_an_empty_list(open_sample: OpenWindow) -> None:
    window = open_sample("empty")
    window.palette_.open("no such thing at all")
    assert window.palette_.list.count() == 0
    QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
    assert not window.palette_.isVisible()


def test_a_notice_stands_until_it_is_answered(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    answered: list[str] = []
    notice = Notice(message("May this folder’s Python run?"), "warning", (Answer(message("Trust"), _Remember(answered)),))
    window.bridge.notice_posted.emit(notice)
    window.bridge.notice_posted.emit(notice)
    assert window.notices.notices() == (notice,)
    QTest.mouseClick(_button(window, "Trust"), Qt.MouseButton.LeftButton)
    assert answered == ["yes"]
    assert window.notices.notices() == ()


class _Remember:
    def __init__(self, answered: list[str]) -> None:
        self._answered = answered

    def __call__(self) -> None:
        self._answered.append("yes")


def _button(window: MainWindow, title: str) -> QPushButton:
    return next(button for button in window.notices.findChildren(QPushButton) if button.text() == title and button.isVisible())


def test_what_the_user_can_mend_is_one_sentence_and_a_fault_of_ours_goes_to_the_log(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    window.bridge.report(WrongInput("The key {key} is missing.", key="grid"))
    assert [str(notice.message) for notice in window.notices.notices()] == ["The key grid is missing."]
    before = len(window.bridge.workspace.log.value)
    window.bridge.report(ZeroDivisionError("division by zero"))
    line = window.bridge.workspace.log.value[-1]
    assert len(window.bridge.workspace.log.value) == before + 1
    assert line.level == "error"
    assert "ZeroDivisionError" in line.detail


def test_of_many_notices_the_latest_three_stand(open_sample: OpenWindow) -> None:
    window = open_sample("empty")
    for number in range(5):
        window.bridge.notify(message("Notice {number}.", number=number), "warning")
    assert [str(notice.message) for notice in window.notices.notices()] == ["Notice 2.", "Notice 3.", "Notice 4."]


def test_the_right_docks_fold_under_1440_and_come_back(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    assert all(dock.isVisible() for dock in window.right[1:])
    window.resize(1280, 800)
    assert not any(dock.isVisible() for dock in window.right)
    window.actions_.trigger("toggle_right")
    assert all(dock.isVisible() for dock in window.right[1:])
    window.actions_.trigger("toggle_right")
    window.resize(1920, 1080)
    assert all(dock.isVisible() for dock in window.right[1:])


def test_a_new_window_is_never_larger_than_the_screen_has_room_for(qapp: QApplication, tmp_path: Path) -> None:
    window = make_window(Workspace(), tmp_path / "new.ini")
    room = QApplication.primaryScreen().availableSize()
    assert room.width() < 1440, "the screen of these tests must be too small for the window, or this one proves nothing"
    assert (window.width(), window.height()) == (room.width(), min(900, room.height()))
    window.close()
    window.bridge.close()
    window.deleteLater()


def test_the_layout_is_remembered_for_each_session(qapp: QApplication, tmp_path: Path, open_sample: OpenWindow) -> None:
    first = open_sample("gpu")
    first.actions_.trigger("toggle_log")
    first.show_page("account")
    view = first.bridge.workspace.session.value
    first.close()
    again = make_window(Workspace(), tmp_path / "gpu.ini")
    again.resize(1600, 1000)
    again.show()
    assert not again.log.isVisible()
    again.bridge.workspace.session.set(view)
    assert again.log.isVisible()
    assert again.page_name() == "account"
    again.close()
    again.bridge.close()


def test_a_theme_that_was_chosen_is_worn_again(tmp_path: Path, open_sample: OpenWindow) -> None:
    open_sample("empty").actions_.trigger("theme_light")
    assert theme.remembered(QSettings(str(tmp_path / "empty.ini"), QSettings.Format.IniFormat)) == "light"
    assert theme.remembered(QSettings(str(tmp_path / "none.ini"), QSettings.Format.IniFormat)) == "system"


def test_run_runs_the_draft_where_it_differs_and_the_version_where_not(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    commands = commands_of(window)
    window.actions_.trigger("run")
    assert commands.asked == [("run_selected", "compile", "verify", "sanitize", "time", "trace")]
    tile = sample_session.sample_versions()[2]
    commands.start_draft(tile.hash)
    commands.edit_draft(tile.code.source.text + "\n// another end\n")
    window.actions_.trigger("run")
    window.actions_.trigger("verify")
    assert commands.asked[1:] == [("run_draft",), ("verify_draft",)]


def test_pasting_an_empty_clipboard_is_told_and_nothing_is_asked(open_sample: OpenWindow, qapp: QApplication) -> None:
    window = open_sample("gpu")
    qapp.clipboard().setText("  ")
    window.actions_.trigger("paste_answer")
    assert commands_of(window).asked == []
    assert "no text" in str(window.notices.notices()[0].message)
    qapp.clipboard().setText("```diff\n-a\n+b\n```")
    window.actions_.trigger("paste_answer")
    assert commands_of(window).asked == [("paste_answer", "```diff\n-a\n+b\n```")]


def test_running_in_an_untrusted_folder_asks_and_goes_on_after_yes(open_sample: OpenWindow, tmp_path: Path) -> None:
    window = open_sample("empty")
    window.bridge.report(NotTrusted(tmp_path, "saxpy", "reference.py"))
    QTest.mouseClick(_button(window, "Trust this folder"), Qt.MouseButton.LeftButton)
    assert commands_of(window).asked == [("trust_project", tmp_path)]


def test_a_running_job_can_be_cancelled_and_a_failed_one_keeps_its_sentence(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(JobsPanel)
    assert panel is not None
    running, failed = panel.rows()
    assert "round 13 of 20" in running.accessibleName()
    assert "The answer is wrong at dst[0, 0, 0]" in failed.accessibleName()
    window.actions_.trigger("cancel")
    assert commands_of(window).asked == [("cancel", running.job.id)]


def test_the_log_adds_lines_and_forgets_the_oldest_with_the_workspace(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(LogPanel)
    assert panel is not None
    log = window.bridge.workspace.log
    assert "reference 1.00" in panel.text.toPlainText()
    window.bridge.write_log(message("one more"), "warning")
    assert panel.text.toPlainText().endswith("one more")
    assert panel.text.toPlainText().count("baseline was compiled") == 1
    log.set(log.value[2:])
    assert panel.text.toPlainText().count("one more") == 1


def test_every_action_that_a_button_or_menu_names_exists(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    with pytest.raises(KeyError):
        window.actions_.action("no_such_action")
    shortcuts = [action.shortcut().toString() for action in window.actions_.all() if not action.shortcut().isEmpty()]
    assert len(shortcuts) == len(set(shortcuts)), "two actions share a shortcut"
