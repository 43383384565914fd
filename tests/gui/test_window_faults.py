"""What goes wrong while a real run goes on: told where the user looks, and the window goes on."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.helpers.projects import SAXPY, make_project
from tests.helpers.visitor import Visitor, visit
from ui.panels.editor import EditorPanel
from ui.widgets.code_editor import CodeEditor

HANGING = SAXPY.replace("if (i < n) {", "while (n > 0) {\n            __syncthreads();\n        }\n        if (i < n) {")


@pytest.fixture
def project(tmp_path: Path, qapp: QApplication) -> Path:
    return make_project(tmp_path / "saxpy").folder


async def _ready(user: Visitor) -> CodeEditor:
    await user.until(lambda: user.rows() and user.window.actions_.action("run").isEnabled(), "a device to run on")
    return user.find(CodeEditor)


def _replace_source(editor: CodeEditor, text: str) -> None:
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QApplication.clipboard().setText(text)
    QTest.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_a_compile_error_stands_at_its_line_and_goes_with_it(project: Path) -> None:
    async def steps(user: Visitor) -> None:
        editor = await _ready(user)
        _replace_source(editor, SAXPY.replace("a * x[i]", "a * z[i]"))
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        ended = await user.job_ends("edit 1 on emulator")
        assert "edit 1 on emulator: failed CompileFailed: edit 1 does not compile: line 5" in ended
        assert editor.severity_at(4) == "error"
        assert "z" in " ".join(editor.findings_at(4))
        assert user.find(EditorPanel).findings.isVisible()
        assert "failed" in next(row for row in user.rows() if row.startswith("edit 1"))
        QTest.keyClick(editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        assert (editor.severity_at(4), editor.severity_at(5)) == (None, "error")
        _replace_source(editor, SAXPY.replace("a * x[i]", "x[i] * a"))
        assert editor.severity_at(4) is None
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await user.job_ends("edit 2 on emulator")
        assert "passed" in next(row for row in user.rows() if row.startswith("edit 2"))

    visit(steps, project, trust=True)


def test_cancelling_ends_a_hung_kernel_and_the_next_version_runs(project: Path) -> None:
    async def steps(user: Visitor) -> None:
        editor = await _ready(user)
        _replace_source(editor, HANGING)
        user.press("verify")
        await user.until(lambda: "Verifying edit 1" in " ".join(user.jobs()), "the verification of a kernel that never ends")
        QTest.keyClick(user.window, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
        ended = await user.job_ends("edit 1 on emulator")
        assert "cancelled Stopped; what had ended is kept." in ended
        await user.until(lambda: user.notices() == ["Stopped: edit 1 on emulator."], "what was stopped")
        _replace_source(editor, SAXPY + "// after the hung one\n")
        user.press("verify")
        assert "finished" in await user.job_ends("edit 2 on emulator")
        assert "passed" in next(row for row in user.rows() if row.startswith("edit 2"))

    visit(steps, project, trust=True)


def test_a_worker_that_is_killed_while_it_runs_is_told_and_replaced(project: Path) -> None:
    async def steps(user: Visitor) -> None:
        editor = await _ready(user)
        _replace_source(editor, HANGING)
        user.press("verify")
        await user.until(lambda: "Verifying edit 1" in " ".join(user.jobs()), "the verification of a kernel that never ends")
        for worker in _workers():
            worker.kill()
        assert "failed Crashed: The worker process was ended by SIGKILL" in await user.job_ends("edit 1 on emulator")
        row = next(row for row in user.rows() if row.startswith("edit 1"))
        assert "failed" in row
        assert "The worker process was ended by SIGKILL while the kernel ran" in row
        _replace_source(editor, SAXPY + "// after the killed one\n")
        user.press("verify")
        assert "finished" in await user.job_ends("edit 2 on emulator")

    visit(steps, project, trust=True)


def _workers() -> list[psutil.Process]:
    """Return the processes that have a device open."""
    return [child for child in psutil.Process().children() if "workbench.worker" in child.cmdline()]


def test_closing_the_window_while_a_kernel_hangs_ends_everything(project: Path) -> None:
    async def steps(user: Visitor) -> None:
        _replace_source(await _ready(user), HANGING)
        user.press("verify")
        await user.until(lambda: "Verifying edit 1" in " ".join(user.jobs()), "the verification of a kernel that never ends")

    visit(steps, project, trust=True)


def test_what_is_typed_while_a_run_goes_on_is_kept_as_a_draft(project: Path) -> None:
    async def steps(user: Visitor) -> None:
        editor = await _ready(user)
        _replace_source(editor, SAXPY + "// first\n")
        user.press("verify")
        await user.until(user.running, "a running job")
        QTest.keyClick(editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(editor, "// second")
        await user.job_ends("edit 1 on emulator")
        assert editor.source().endswith("// first\n// second")
        user.press("verify")
        await user.job_ends("edit 2 on emulator")
        assert user.rows()[0].startswith("baseline")
        assert len(user.rows()) == 3

    visit(steps, project, trust=True)
