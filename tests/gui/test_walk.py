"""A new user's walk through the real window: real engine, workers, emulator and session, on the shipped project."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from tests.helpers.projects import copy_demo
from tests.helpers.visitor import Visitor, visit
from ui.panels.compare import ComparePanel
from ui.panels.editor import EditorPanel
from ui.panels.review import ReviewPanel
from ui.widgets.code_editor import CodeEditor

STALL = 5.0
"""Seconds; a job takes many more, so a loop that waits for one is found however busy the machine is."""

ANSWER = """\
Hypothesis: the luma of a pixel needs one multiplication less when blue is taken from what is left of one.
Metric: smsp__sass_thread_inst_executed_op_fmul_pred_on.sum

```cuda
<<<<<<< SEARCH
            float l = 0.2126f * r + 0.7152f * g + 0.0722f * b;
=======
            float l = b + 0.2126f * (r - b) + 0.7152f * (g - b);
>>>>>>> REPLACE
```

```cuda
<<<<<<< SEARCH
            int nx = min(max(x + dx, 0), width - 1);
=======
            int nx = x + dx;
>>>>>>> REPLACE
```
"""
"""Two hunks: the first computes the same, the second would read beyond the image."""


@pytest.fixture
def project(tmp_path: Path, qapp: QApplication) -> Path:
    return copy_demo(tmp_path)


def test_a_new_user_edits_runs_pastes_compares_prints_and_finds_it_all_again(project: Path, tmp_path: Path) -> None:
    printed = tmp_path / "my ledger.pdf"

    async def first_day(user: Visitor) -> None:
        await _opens(user)
        await _edits_and_runs(user)
        await _pastes_and_accepts_one_hunk(user)
        _compares(user)
        await _prints(user, printed)

    async def next_day(user: Visitor) -> None:
        await user.until(lambda: len(user.rows()) == 3, "the three versions of yesterday")
        assert [row.split(" ")[0] for row in user.rows()] == ["baseline", "edit", "suggestion"]
        assert all("CPU TIME" in row for row in user.rows()[1:])
        assert "// edited by hand" in user.find(EditorPanel).editor.source()

    stalls = [visit(first_day, project).longest_stall]
    _reads_back(printed)
    session = project / ".ledger" / "session.db"
    assert not session.with_name("session.db-wal").exists(), "the session was not closed"
    stalls.append(visit(next_day, session).longest_stall)
    assert max(stalls) < STALL, f"the loop stood still for {max(stalls):.1f} s"


async def _opens(user: Visitor) -> None:
    await user.until(lambda: user.rows(), "the baseline")
    assert user.window.windowTitle() == "image-preprocess — Kernel ledger"
    assert user.rows()[0].startswith("baseline")
    assert "not run" in user.rows()[0]
    await user.until(lambda: user.window.actions_.action("run").isEnabled(), "a device to run on")
    assert user.notices() == []


async def _edits_and_runs(user: Visitor) -> None:
    editor = user.find(CodeEditor)
    QTest.keyClick(editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "// edited by hand")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClick(editor, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    await user.until(user.notices, "the question about the project's Python")
    assert "brings its own Python (pipeline.py, reference.py), which you have not allowed to run" in user.notices()[0]
    assert user.running() is None
    user.click("Trust this folder")
    ended = await user.job_ends("edit 1 on emulator")
    assert "finished" in ended
    baseline, edit = user.rows()
    assert "BASELINE" in baseline
    assert edit.startswith("edit 1")
    assert "CPU TIME" in edit
    assert user.notices() == []


async def _pastes_and_accepts_one_hunk(user: Visitor) -> None:
    QApplication.clipboard().setText(ANSWER)
    user.press("paste_answer")
    page = user.find(ReviewPanel)
    await user.until(lambda: page.hasFocus() and page.cards, "the suggestion in review, with the keyboard on it")
    assert page.chip.chip() == "in review"
    assert user.rows()[-1].endswith("suggestion of clipboard, not run")
    QTest.keyClick(page, Qt.Key.Key_A)
    page.cards[1].refuse.click()
    assert page.counts() == ("1 of 2 hunks accepted", "1 refused")
    user.click("Make version and run")
    ended = await user.job_ends("suggestion 1 on emulator")
    assert "finished" in ended
    assert [row.split(" ")[0] for row in user.rows()] == ["baseline", "edit", "suggestion"]
    assert "CPU TIME" in user.rows()[-1]
    assert page.chip.chip() == "accepted"


def _compares(user: Visitor) -> None:
    user.press("compare_parent")
    page = user.find(ComparePanel)
    assert page.isVisible()
    assert page.choose_a.currentText() == "edit 1"
    assert page.choose_b.currentText() == "suggestion 1"
    assert page.chip.chip() == "CPU TIME"
    source = user.find(EditorPanel).editor.source()
    assert "float l = b + 0.2126f * (r - b)" in source
    assert "int nx = min(max(x + dx, 0), width - 1);" in source


async def _prints(user: Visitor, target: Path) -> None:
    user.press("export_report")
    await user.until(lambda: user.window.findChildren(QFileDialog), "a file dialog")
    view = user.window.bridge.workspace.session.value
    assert view is not None
    assert Path(user.find(QFileDialog).directory().absolutePath()) == Path(view.path).parent.parent, "not in the hidden folder"
    await user.answer_dialog(target)
    log = [str(line.message) for line in user.window.bridge.workspace.log.value]
    assert [line.partition(" after ")[0] for line in log] == [
        "edit 1 on emulator: finished",
        "suggestion 1 on emulator: finished",
    ]
    await user.until(lambda: any("The report is in" in notice for notice in user.notices()), "the report's notice")
    assert str(target) in " ".join(user.notices())


def _reads_back(printed: Path) -> None:
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(printed).pages)
    for words in ("image-preprocess", "baseline", "edit 1", "suggestion 1", "CPU TIME"):
        assert words in text, f"the report does not say {words}"
