"""Running a command that uses the engine: stopped by Ctrl+C and by `kill` alike, it ends its workers and closes its session."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from workbench.commands.context import Context, SessionStore
from workbench.engine import engine
from workbench.model.project import Project
from workbench.paths import default_session

T = TypeVar("T")


def _like_ctrl_c(_number: int, _frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)


def walk(work: Callable[[Context], Coroutine[Any, Any, T]]) -> T:
    """Run `work` with a fresh engine and return its result. Raises KeyboardInterrupt when the user stopped it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _like_ctrl_c)
        if sys.platform != "win32":
            signal.signal(signal.SIGHUP, _like_ctrl_c)

    async def with_engine() -> T:
        async with engine() as context:
            return await work(context)

    return asyncio.run(with_engine())


@contextmanager
def store_of(context: Context, project: Project, session: Path | None, *, trust: bool) -> Iterator[SessionStore]:
    """Open a project's session (or another one) for writing and close it at the end; `trust` trusts the project's Python first.

    Raises NotTrusted, and WrongInput where the session cannot be written.
    """
    if trust:
        context.trust(project)
    context.check_trust(project)
    store = context.open_store(session or default_session(project.folder), True)
    try:
        context.remember(store.path)
        yield store
    finally:
        store.close()
