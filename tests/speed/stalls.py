"""How long the event loop is away while a real run of the demo's kernel goes on in the real window."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

import resources
from tests.helpers.visitor import Visitor
from tests.speed.figures import Figure, hand_over, scratch
from ui.__main__ import Opened, make_application
from ui.main_window import MainWindow
from ui.tasks import run_application
from workbench.engine import engine

Floats = npt.NDArray[np.float64]
REPEATS = 5
MOST, USUAL = 50.0, 16.0
"""Milliseconds: at no time more, and at the 99th percentile."""
BEAT_MS = 2


class Heart(QObject):
    """Beats on Qt's loop every two milliseconds and keeps how late each beat was, and how much the loop worked before it."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[float] = []
        self.worked: list[float] = []
        self.at: list[float] = []
        """When each beat was, by `time.perf_counter`."""
        self._last = time.perf_counter()
        self._spent = time.thread_time()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now, spent = time.perf_counter(), time.thread_time()
        self.late.append(max(0.0, (now - self._last) * 1e3 - BEAT_MS))
        self.worked.append((spent - self._spent) * 1e3)
        self.at.append(now)
        self._last, self._spent = now, spent

    def taken(self) -> tuple[Floats, Floats]:
        """Return how late the beats were and how much was worked between them since the last call, in milliseconds."""
        late, worked = np.array(self.late), np.array(self.worked)
        self.late, self.worked, self.at = [], [], []
        return late, worked

    def stop(self) -> None:
        """Beat no more."""
        self._timer.stop()


def demo_copy(folder: Path) -> Path:
    """Copy the shipped project into a fresh folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(resources.path("demos/image-preprocess"), folder, ignore=shutil.ignore_patterns("*.db", "*.pdf"))
    return folder


async def one_run(user: Visitor, heart: Heart, number: int) -> None:
    """Edit and press Run with one of the pages in front; `heart` then holds the beats of this run."""
    commands, space = user.window.bridge.commands, user.window.bridge.workspace
    user.window.show_page(user.window.page_names()[number % len(user.window.page_names())])
    commands.start_draft(space.selected.value or "")
    draft = space.draft.value
    assert draft is not None
    commands.edit_draft(f"{draft.text}// repeat {number}\n")
    await asyncio.sleep(0.5)
    heart.taken()
    user.press("run")
    await user.until(user.running, "the run")
    await user.until(lambda: user.running() is None, "the end of the run")
    await asyncio.sleep(0.2)


async def _runs(user: Visitor) -> list[Figure]:
    """Run new versions, one for each repeat; the first one, which measures the baseline too, is not counted."""
    await user.until(lambda: user.rows() and user.window.actions_.action("run").isEnabled(), "a device to run on")
    await asyncio.sleep(3)  # the pages that nobody looked at are made meanwhile
    heart = Heart()
    await asyncio.sleep(2)
    idle = heart.taken()[0]
    beats = list[tuple[Floats, Floats]]()
    for number in range(REPEATS + 1):
        await one_run(user, heart, number)
        beats.append(heart.taken())
    heart.stop()
    beats = beats[1:]
    most = tuple(float(late.max()) for late, _ in beats)
    usual = tuple(float(np.percentile(late, 99)) for late, _ in beats)
    worked = tuple(float(work.max()) for _, work in beats)
    return [
        Figure("event loop away during a run, at most", most, "ms", MOST, "demo, emulator; each repeat another page"),
        Figure("  of it: work of the loop itself, at most", worked, "ms", note="the rest: other programs had the core"),
        Figure("event loop away during a run, 99th percentile", usual, "ms", USUAL, f"of beats {BEAT_MS} ms apart"),
        Figure("  peer: the same window idle, at most", (float(idle.max()),), "ms"),
    ]


def main() -> None:
    """Measure in the real window, without a display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()

    async def live() -> list[Figure]:
        life = asyncio.ensure_future(Opened(demo_copy(scratch() / "stalls"), True, None, True).live(engine))
        await asyncio.sleep(2)
        window = next(one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))
        try:
            return await _runs(Visitor(window))
        finally:
            window.close()
            await life

    figures = run_application(live)
    if figures is None:
        sys.exit(1)
    hand_over(figures)


if __name__ == "__main__":
    main()
