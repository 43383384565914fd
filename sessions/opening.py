"""Opening a session file: what it is, whether it may be written, and by whom."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from sqlite_utils import Database

from sessions.lock import WriterLock
from sessions.migrations import APPLICATION_ID, FORMAT, migrate
from sessions.trouble import is_damage, write_failed
from workbench.errors import WrongInput
from workbench.texts import Message, message

CHECKED_BYTES = 32 * 2**20
"""A file up to this size is checked whole on opening (about 0.1 s); a larger one shows its damage when it is read."""
_HEADER = 100
_MAGIC = b"SQLite format 3\0"
"""Bytes of SQLite's header (sqlite.org/fileformat.html, 1.3): page size at 16, pages at 28, the application at 68."""
WAIT = 5.0
"""Seconds to wait for another program's short lock."""


def check_place(path: Path) -> None:
    """Raise WrongInput unless a file stands at `path`."""
    if path.is_dir():
        raise WrongInput("The path {path} is a folder; name the session file in it, for example session.db.", path=str(path))
    if not path.exists():
        raise WrongInput("There is no session at {path}; check the name, or run a project to make one.", path=str(path))


def why_not_writable(path: Path) -> Message | None:
    """Return why a session can only be read (permissions of the file or of its folder), None when it can be written."""
    for place in (path, path.absolute().parent):
        if not os.access(place, os.W_OK) or not place.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            return message(
                "Read-only: the file or its folder may only be read, so the session {path} is shown and cannot be changed; "
                "copy it to a folder of yours to go on with it.",
                path=str(path),
            )
    return None


def open_elsewhere(path: Path) -> Message:
    """Return the sentence for a session that another window or command is writing."""
    return message(
        "Read-only: another window or command has the session {path} open for writing, so it is shown here and cannot be "
        "changed; close it there and open it again.",
        path=str(path),
    )


def _connect(path: Path, mode: str) -> Database:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=WAIT)
    try:
        return Database(connection, recursive_triggers=False, execute_plugins=False)
    except BaseException:
        connection.close()
        raise


def _check_kind(database: Database, path: Path) -> None:
    """Raise WrongInput for a file that is no session, or one of a newer format."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    found = database.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise _not_a_session(path)
    if found > FORMAT:
        raise WrongInput(
            "The session {path} has format {found} and this program reads formats up to {known}; "
            "open it with the newer program that wrote it.",
            path=str(path),
            found=found,
            known=FORMAT,
        )


def _not_a_session(path: Path) -> WrongInput:
    return WrongInput(
        "The file {path} is not a kernel ledger session: it does not begin as one; check the name, which usually ends in .db.",
        path=str(path),
    )


def _broken(path: Path, error: sqlite3.Error) -> WrongInput:
    """Return the sentence for a file that SQLite refuses: no session at all, one cut short, or one with a broken beginning."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if len(header) < _HEADER or not header.startswith(_MAGIC) or header[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        return _not_a_session(path)
    page = int.from_bytes(header[16:18], "big")
    whole = int.from_bytes(header[28:32], "big") * (65536 if page == 1 else page)
    found = path.stat().st_size
    if found < whole:
        return WrongInput(
            "The session {path} is cut short: {found} of its {whole} bytes are there, so that it cannot be read; "
            "copy it again, take it from a backup, or start a new session.",
            path=str(path),
            found=found,
            whole=whole,
        )
    return WrongInput(
        "The session {path} is damaged and nothing of it can be read ({reason}); "
        "take a copy from a backup, or start a new session.",
        path=str(path),
        reason=str(error),
    )


def is_damaged(database: Database, path: Path) -> bool:
    """True when SQLite finds broken pages. Raises WrongInput when the list of tables itself is gone."""
    try:
        tables = {row["name"] for row in database.query("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if path.stat().st_size > CHECKED_BYTES:
            return False
        return "meta" in tables and database.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok"
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
    try:
        database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        raise WrongInput(
            "The session {path} is damaged at its very beginning and nothing of it can be read; "
            "take a copy from a backup, or start a new session.",
            path=str(path),
        ) from error
    return True


def _opened(path: Path, mode: str) -> Database:
    database = _connect(path, mode)
    try:
        _check_kind(database, path)
    except BaseException as error:
        database.close()
        if isinstance(error, sqlite3.Error) and is_damage(error):
            raise _broken(path, error) from error
        raise
    return database


def connect_reading(path: Path) -> Database:
    """Return a connection that writes nothing, not even beside the file. Raises WrongInput for what is no session."""
    log = path.with_name(path.name + "-wal")
    if why_not_writable(path) is None or (log.exists() and log.stat().st_size):
        with suppress(sqlite3.OperationalError):
            return _opened(path, "mode=ro")
    try:
        return _opened(path, "mode=ro&immutable=1")
    except sqlite3.OperationalError as error:
        raise WrongInput(
            "The session {path} cannot be read: {reason}; check the disk and the permissions, or take a copy from a backup.",
            path=str(path),
            reason=str(error),
        ) from error


def connect_writing(path: Path) -> Database | None:
    """Return a connection in write-ahead mode, migrated to this format; None when the file is damaged."""
    database = _opened(path, "mode=rw")
    try:
        if is_damaged(database, path):
            database.close()
            return None
        database.execute("PRAGMA foreign_keys = ON")
        database.enable_wal()
        # A commit then waits for no disk, which stood the window still; a power cut may lose the last passes, never the file.
        database.execute("PRAGMA synchronous = NORMAL")
        migrate.apply(database)
    except BaseException as error:
        database.close()
        if isinstance(error, sqlite3.Error):
            raise write_failed(path, error) from error
        raise
    return database


def make_file(path: Path) -> None:
    """Make an empty session at `path`, whole or not at all. Raises WrongInput when something stands there."""
    if path.exists():
        raise WrongInput("A file already stands at {path}; open it, or name another place.", path=str(path))
    new = path.with_name(path.name + f".new-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = _connect(new, "mode=rwc")
        try:
            migrate.apply(database)
        finally:
            database.close()
        new.rename(path)
    except OSError as error:
        raise WrongInput(
            "The session {path} cannot be made: {reason}; name a folder you may write.",
            path=str(path),
            reason=error.strerror or str(error),
        ) from error
    except sqlite3.Error as error:
        raise write_failed(path, error) from error
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def close_file(database: Database, lock: WriterLock | None) -> None:
    """Close; a session written to becomes one plain file again (no -wal beside it), unless somebody still reads it."""
    if lock is not None:
        with suppress(sqlite3.Error):
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            database.disable_wal()
    database.close()
    if lock is not None:
        lock.give_back()
