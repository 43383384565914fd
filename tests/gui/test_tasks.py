"""asyncio on Qt's loop: tasks report their errors, are ended with the window, and child processes work."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from ui.tasks import Tasks, run_application


def test_a_coroutine_waits_for_a_child_process_while_qt_goes_on(qapp: QApplication) -> None:
    ticks: list[int] = []

    class Ticker(QTimer):
        def timerEvent(self, event: object) -> None:
            ticks.append(1)

    async def main() -> bytes:
        ticker = Ticker()
        ticker.start(1)
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", "print('done')", stdout=asyncio.subprocess.PIPE)
        out, _ = await child.communicate()
        ticker.stop()
        return out

    assert run_application(main) == b"done" + os.linesep.encode()
    assert ticks


def test_a_task_that_fails_is_reported_and_one_that_is_cancelled_is_not(qapp: QApplication) -> None:
    failures: list[object] = []

    async def fails() -> None:
        raise ValueError("broken")

    async def main() -> None:
        tasks = Tasks()
        tasks.failed.connect(failures.append)
        tasks.spawn(fails())
        tasks.spawn(asyncio.sleep(1000))
        await asyncio.sleep(0.01)
        await tasks.close()

    run_application(main)
    assert [str(failure) for failure in failures] == ["broken"]


def test_what_still_runs_is_ended_when_the_application_ends(qapp: QApplication) -> None:
    ended: list[str] = []

    async def stays() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append("stays")

    async def main() -> int:
        keep = asyncio.ensure_future(stays())
        await asyncio.sleep(0.01)
        assert not keep.done()
        return 3

    assert run_application(main) == 3
    assert ended == ["stays"]


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends a process there")
def test_ctrl_c_ends_the_application_in_order(qapp: QApplication) -> None:
    ended: list[str] = []

    async def main() -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(1000)
        finally:
            ended.append("closed")

    before = signal.getsignal(signal.SIGINT)
    assert run_application(main) is None
    assert ended == ["closed"]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_of_main_is_not_swallowed(qapp: QApplication) -> None:
    async def main() -> None:
        raise LookupError("no such page")

    with pytest.raises(LookupError, match="no such page"):
        run_application(main)
