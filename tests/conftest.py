"""What holds for every test: nothing of the user's is touched, and unexpected log lines, threads and tasks fail the test."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

GRACE_SECONDS = 3.0
"""How long a thread that is just ending may take."""


@pytest.fixture(autouse=True, scope="session")
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep caches, settings and recent sessions of this test run away from the user's."""
    before = dict(os.environ)
    for name in ("CACHE", "CONFIG", "DATA"):
        os.environ[f"KERNEL_LEDGER_{name}"] = str(tmp_path_factory.mktemp(name.lower()))
    yield
    os.environ.clear()
    os.environ.update(before)


class LogWatch(logging.Handler):
    """Collects lines of level WARNING and above that no test has announced."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.expected: list[str] = []
        self.lines: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line."""
        self.lines.append((record.name, record.levelno, record.getMessage()))

    def unexpected(self) -> list[str]:
        """Return the lines that contain none of the expected words."""
        return [f"{name}: {text}" for name, _, text in self.lines if not any(word in text for word in self.expected)]


@pytest.fixture(autouse=True)
def log_watch() -> Iterator[LogWatch]:
    """Fail the test when a line of level WARNING or above was logged; see `expect_log`."""
    watch = LogWatch()
    logging.getLogger().addHandler(watch)
    yield watch
    logging.getLogger().removeHandler(watch)
    unexpected = watch.unexpected()
    if unexpected:
        pytest.fail("unexpected log lines:\n" + "\n".join(unexpected))


@pytest.fixture
def expect_log(log_watch: LogWatch) -> Callable[[str], None]:
    """Return a function that announces words of a log line which this test provokes."""
    return log_watch.expected.append


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fail the test when a thread that it started is still running."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + GRACE_SECONDS
    while leaked := _started_since(before):
        if time.monotonic() > deadline:
            pytest.fail("threads still running: " + ", ".join(thread.name for thread in leaked))
        time.sleep(0.01)


def _started_since(before: set[threading.Thread]) -> list[threading.Thread]:
    """Return running threads that Python itself started (Qt's own show up as dummies)."""
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread) and thread.is_alive()
    ]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let every async test fail when it leaves tasks behind."""
    for item in items:
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.obj = _without_leaked_tasks(item.obj)


def _without_leaked_tasks(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., Coroutine[Any, Any, None]]:
    @functools.wraps(test)
    async def run(*positional: Any, **named: Any) -> None:
        before = asyncio.all_tasks()
        await test(*positional, **named)
        for _ in range(5):
            await asyncio.sleep(0)
        leaked = asyncio.all_tasks() - before
        if leaked:
            pytest.fail("tasks still running: " + ", ".join(str(task.get_coro()) for task in leaked))

    return run
