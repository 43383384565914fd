"""A visitor drives the real window as a person does: looks, types, clicks and waits for what is shown."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TypeVar

import psutil
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QWidget

from ui.__main__ import Opened
from ui.main_window import MainWindow
from ui.panels.jobs import JobsPanel
from ui.panels.versions import VersionsPanel
from ui.tasks import run_application
from workbench.engine import engine
from workbench.state.workspace import Job

W = TypeVar("W", bound=QWidget)
PATIENCE = 120.0
"""Seconds a visitor waits for something to be shown: other programs may use both cores."""
BEAT = 0.005


class Visitor:
    """Somebody at the window. Every wait ends with a sentence about what was not shown."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.longest_stall = 0.0

    # --- looking

    def find(self, kind: type[W], name: str = "") -> W:
        """Return the one widget of a kind (and accessible name) in the window."""
        found = [widget for widget in self.window.findChildren(kind) if not name or widget.accessibleName() == name]
        assert found, f"the window has no {kind.__name__} {name}"
        return found[0]

    def rows(self) -> list[str]:
        """Return what the versions panel says, a row each."""
        model = self.find(VersionsPanel).list.model()
        role = Qt.ItemDataRole.AccessibleTextRole
        return [str(model.index(row, 0).data(role)) for row in range(model.rowCount())]

    def notices(self) -> list[str]:
        """Return the sentences over the pages."""
        return [str(notice.message) for notice in self.window.notices.notices()]

    def jobs(self) -> list[str]:
        """Return what the jobs panel says, a job each, running ones first."""
        return [row.accessibleName() for row in self.find(JobsPanel).rows()]

    def running(self) -> Job | None:
        """Return the job that runs."""
        return next((job for job in self.window.bridge.workspace.jobs.value if job.status == "running"), None)

    async def until(self, shown: Callable[[], object], what: str) -> None:
        """Wait until something is shown."""
        deadline = time.monotonic() + PATIENCE
        while not shown():
            if time.monotonic() > deadline:
                raise AssertionError(f"not shown: {what}; jobs {self.jobs()}; notices {self.notices()}; rows {self.rows()}")
            await asyncio.sleep(BEAT)

    async def job_ends(self, title: str) -> str:
        """Wait until the newest job named so has ended and return what its row says."""

        def ended() -> str:
            return next((row for row in self.jobs() if row.startswith(title) and not row.startswith(f"{title}: running")), "")

        await self.until(lambda: ended() and self.running() is None, f"the end of {title}")
        return ended()

    # --- doing

    def click(self, title: str) -> None:
        """Click the visible button with this text."""
        buttons = [one for one in self.window.findChildren(QPushButton) if one.text() == title and one.isVisible()]
        assert buttons, f"no button {title} can be seen"
        assert buttons[0].isEnabled(), f"the button {title} is grey"
        QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)

    def press(self, action: str) -> None:
        """Do an action of the menu by its id; it must be enabled."""
        found = self.window.actions_.action(action)
        assert found.isEnabled(), f"{action} is grey"
        found.trigger()

    async def answer_dialog(self, path: Path) -> None:
        """Type a path into the file dialog that is open and press Enter."""
        await self.until(lambda: self.window.findChildren(QFileDialog), "a file dialog")
        dialog = self.find(QFileDialog)
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        field.clear()
        QTest.keyClicks(field, str(path))
        QTest.keyClick(field, Qt.Key.Key_Return)

    async def beat(self) -> None:
        """Measure how long the loop is away from us, until cancelled."""
        last = time.monotonic()
        while True:
            await asyncio.sleep(BEAT)
            now = time.monotonic()
            self.longest_stall = max(self.longest_stall, now - last)
            last = now


Steps = Callable[[Visitor], Coroutine[object, object, None]]


def visit(steps: Steps, path: Path | None = None, *, trust: bool = False) -> Visitor:
    """Open the program on `path`, let a visitor do the steps, close the window, and see that nothing is left behind."""

    async def main() -> Visitor:
        life = asyncio.ensure_future(Opened(path, trust, None, True).live(engine))
        while not (windows := _windows()) and not life.done():  # noqa: ASYNC110 Qt tells nobody that a window was made
            await asyncio.sleep(BEAT)
        if life.done():
            life.result()
        visitor = Visitor(windows[0])
        beat = asyncio.ensure_future(visitor.beat())
        try:
            await steps(visitor)
        finally:
            beat.cancel()
            visitor.window.close()
            assert await life == 0
        await asyncio.sleep(0)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, f"tasks still running: {left}"
        return visitor

    visitor = run_application(main)
    assert visitor is not None
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not psutil.Process().children(recursive=True), "processes still running"
    return visitor


def _windows() -> list[MainWindow]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow) and widget.isVisible()]
