"""Running a command that uses the engine: stopped by Ctrl+C and by `kill` alike, it ends its workers and closes its session."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from workbench.commands.context import Context
from workbench.engine import engine

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
