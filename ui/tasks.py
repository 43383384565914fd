"""The one module that knows qasync: asyncio on Qt's loop, tasks that are kept, ended and whose errors are told."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

T = TypeVar("T")
_WAKE_MS = 200


class Tasks(QObject):
    """Tasks that somebody holds on to. `failed` carries whatever ends one of them wrongly; being cancelled is no failure."""

    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
        """Start a coroutine on the running loop and return its task."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed.emit(error)

    async def close(self) -> None:
        """Cancel what still runs and wait until it has ended."""
        tasks = tuple(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def _interrupts(loop: asyncio.AbstractEventLoop, stop: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl+C and SIGTERM end the program in order: Python sees a signal only when Qt gives it a turn."""

    def stop_soon(number: int, frame: object) -> None:
        loop.call_soon_threadsafe(stop)

    turn = QTimer()
    turn.timeout.connect(_turn)
    turn.start(_WAKE_MS)
    names = [signal.SIGINT, signal.SIGTERM]
    try:
        before = {name: signal.signal(name, stop_soon) for name in names}
    except ValueError:  # not the main thread (a test): nothing to set
        before = {}
    try:
        yield
    finally:
        turn.stop()
        for name, handler in before.items():
            signal.signal(name, handler)


def _turn() -> None:
    """Give Python's signal handlers a turn."""


def run_application(main: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
    """Run `main` on an asyncio loop that is Qt's loop, until it returns. None when it was interrupted.

    The QApplication must exist. Closing the last window does not end it: `main` decides.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        raise RuntimeError("run_application needs a QApplication")
    application.setQuitOnLastWindowClosed(False)
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    try:
        task = loop.create_task(main())
        with _interrupts(loop, task.cancel), contextlib.suppress(asyncio.CancelledError):
            return loop.run_until_complete(task)
        return None
    finally:
        _finish(loop)
        asyncio.set_event_loop(None)


def _finish(loop: asyncio.AbstractEventLoop) -> None:
    """End what is left of the loop's tasks and close it."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
