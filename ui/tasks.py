"""The one module that knows qasync: asyncio on Qt's loop, tasks that are kept, ended and whose errors are told."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from workbench.state.workspace import SessionView

T = TypeVar("T")
_WAKE_MS = 200
_COLLECT_MS = 250


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


class SettledCollector:
    """Takes what is loaded out of the garbage collector's rounds: a whole one would stop the loop for a tenth of a second.

    What is no longer used is freed all the same, only cycles in it are not.
    """

    def __init__(self) -> None:
        self._path = ""

    def __enter__(self) -> SettledCollector:
        self.settle()
        return self

    def __exit__(self, *_error: object) -> None:
        gc.unfreeze()

    def opened(self, view: SessionView | None) -> None:
        """Take a session that was opened out too: ten thousand runs are many objects."""
        if view is not None and view.path != self._path:
            self._path = view.path
            self.settle()

    @staticmethod
    def settle() -> None:
        """Take all that is there now out of the rounds."""
        gc.freeze()


class _ThreadBoundCollector(QObject):
    """Collects Python's cycles in Qt's thread alone while the program runs.

    Python collects in whichever thread happens to allocate. A widget that is collected in a thread of `asyncio.to_thread`,
    or while Qt walks its children, dies outside its own turn: a segmentation fault in the loop, seen in the tests.
    """

    def __init__(self) -> None:
        super().__init__()
        self._was_on = gc.isenabled()
        gc.disable()
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._collect)
        self._turn.start(_COLLECT_MS)

    def _collect(self) -> None:
        """Do the round that Python itself would do now."""
        for generation, (count, limit) in reversed(list(enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)))):
            if count > limit:
                gc.collect(generation)
                return

    def close(self) -> None:
        """Collect what the program left, and let Python collect as before."""
        self._turn.stop()
        gc.collect()
        if self._was_on:
            gc.enable()


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
    _watch_children_without_threads()
    asyncio.set_event_loop(loop)
    collector = _ThreadBoundCollector()
    try:
        task = loop.create_task(main())
        with _interrupts(loop, task.cancel), contextlib.suppress(asyncio.CancelledError):
            return loop.run_until_complete(task)
        return None
    finally:
        _finish(loop)
        asyncio.set_event_loop(None)
        collector.close()


def _watch_children_without_threads() -> None:
    """Wait for children on the loop, as Python 3.12 does by itself: a thread for each would hold up the loop when it starts."""
    if sys.version_info < (3, 12) and hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            os.close(os.pidfd_open(os.getpid()))  # not every kernel, or sandbox, has it
            asyncio.set_child_watcher(asyncio.PidfdChildWatcher())


def _finish(loop: asyncio.AbstractEventLoop) -> None:
    """End what is left of the loop's tasks and close it."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
