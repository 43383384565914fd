"""Ends a child whose program is gone, also in the middle of a kernel that never ends."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

if sys.platform != "win32":
    import resource

LEAVE_WAIT = 2.0
"""Seconds the watch gets to remove the arena when the child itself sees the end of the stream."""


def watch_parent(stream: int) -> Callable[[], None]:
    """Watch the program's end of `stream` in a thread and return what to call before the child leaves by itself.

    When that end closes, the arena (the working folder) is removed and the process group killed. Only between calls does the
    child itself see the end of the stream: a kernel, a reference or a compiler may be running. Where the system has no `poll`
    (Windows), a child ends after its call.
    """
    watch = threading.Thread(target=_wait, args=(stream, Path.cwd()), name="parent watch", daemon=True)
    if sys.platform != "win32":
        watch.start()

    def leave() -> None:
        if watch.is_alive():
            watch.join(LEAVE_WAIT)

    return leave


def _wait(stream: int, arena: Path) -> None:
    poll = select.poll()
    poll.register(stream, 0)
    while not any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in poll.poll()):
        pass
    _let_files_be_opened()
    shutil.rmtree(arena, ignore_errors=True)
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def _let_files_be_opened() -> None:
    """Raise the limit that a running kernel is held under: to list a folder is to open it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
