"""The private folder through which the program and one child pass arrays; in memory where the system has that."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

if sys.platform != "win32":
    import fcntl

MEMORY_FOLDER = Path("/dev/shm")
PREFIX = "kernel-ledger-"
OWNER = ".owner"
"""A file that the program holds locked as long as it lives: an arena whose owner is free was left by a killed program."""
YOUNG = 600.0
"""Seconds during which an arena without a locked owner may still be in the making."""


class Arena:
    """One folder. Raises OSError when it cannot be made."""

    def __init__(self) -> None:
        memory = MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK) and shutil.disk_usage(MEMORY_FOLDER).free > 2**30
        place = MEMORY_FOLDER if memory else Path(tempfile.gettempdir())
        remove_left_over(place)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        self._owner = os.open(self.path / OWNER, os.O_RDWR | os.O_CREAT, 0o600)
        _try_lock(self._owner)

    def remove(self) -> None:
        """Remove the folder; removing it twice is fine."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._owner >= 0:
            os.close(self._owner)
            self._owner = -1


def remove_left_over(place: Path, young: float = YOUNG) -> None:
    """Remove the arenas of this user in `place` whose program was killed."""
    if sys.platform == "win32":
        return
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            state = folder.stat()
            if state.st_uid == os.getuid() and time.time() - state.st_mtime > young and _is_left(folder / OWNER):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left(owner: Path) -> bool:
    """Tell whether nobody holds the owner file; a missing one counts as held by nobody."""
    try:
        descriptor = os.open(owner, os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        return _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
