"""Ends a child whose program is gone, also in the middle of a kernel that never ends."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import threading
from pathlib import Path


def watch_parent(stream: int) -> None:
    """Watch the program's end of `stream` in a thread; when it closes, remove the arena (the working folder) and end the group.

    Only between calls does the child itself see the end of the stream: a kernel, a reference or a compiler may be running.
    Where the system has no `poll` (Windows), a child ends after its call.
    """
    if sys.platform != "win32":
        threading.Thread(target=_wait, args=(stream, Path.cwd()), name="parent watch", daemon=True).start()


def _wait(stream: int, arena: Path) -> None:
    poll = select.poll()
    poll.register(stream, 0)
    while not any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in poll.poll()):
        pass
    shutil.rmtree(arena, ignore_errors=True)
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)
