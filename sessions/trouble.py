"""SQLite's errors as sentences: which of them the user can mend, and how."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from workbench.errors import WrongInput

_NO_SPACE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
_READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY_DBMOVED)


def is_damage(error: sqlite3.Error) -> bool:
    """True when the file's content is broken (and not, say, the disk full)."""
    if isinstance(error, sqlite3.ProgrammingError):
        return False
    name = getattr(error, "sqlite_errorname", None) or ""
    return name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ")) or "decode to UTF-8" in str(error)


def write_failed(path: Path, error: sqlite3.Error) -> WrongInput:
    """Return the sentence for a write that did not happen. The transaction was rolled back: nothing kept earlier is lost."""
    code = getattr(error, "sqlite_errorcode", None)
    if code in _NO_SPACE:
        return WrongInput(
            "The session {path} could not be written because the disk or the quota is full; "
            "everything kept before is intact, free some space and do the last step again.",
            path=str(path),
        )
    if code in _READ_ONLY:
        return WrongInput(
            "The session {path} could not be written because the file or its folder may only be read; "
            "save to another place or change the permissions.",
            path=str(path),
        )
    if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return WrongInput(
            "The session {path} could not be written because another program holds it; close that program and try again.",
            path=str(path),
        )
    return WrongInput(
        "The session {path} could not be written ({reason}); everything kept before is intact, "
        "check the disk and do the last step again.",
        path=str(path),
        reason=str(error),
    )
