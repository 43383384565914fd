"""One writer per session: an operating-system lock on a small file beside it, which dies with the program that holds it.

The lock is not taken on the session itself: closing any descriptor of that file in this process would drop SQLite's own
POSIX locks on it (sqlite.org/howtocorrupt.html, section 2.2).
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def _try_lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class WriterLock:
    """Held while a session is open for writing. A killed program leaves the file behind, but never the lock."""

    def __init__(self, session: Path) -> None:
        self.path = session.with_name(session.name + "-lock")
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Return True when this process is now the one writer. Raises OSError where the folder cannot be written."""
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            if not _try_lock(descriptor):
                os.close(descriptor)
                return False
            if self._is_the_file(descriptor):
                self._descriptor = descriptor
                return True
            os.close(descriptor)  # the last holder removed the file between our open and our lock

    def _is_the_file(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self.path))
        except FileNotFoundError:
            return False

    def give_back(self) -> None:
        """Let the next writer in."""
        if self._descriptor is None:
            return
        with suppress(OSError):  # Windows refuses to remove an open file; the next holder reuses it
            self.path.unlink()
        os.close(self._descriptor)
        self._descriptor = None
