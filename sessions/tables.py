"""Reading and writing whole rows, whatever state the file is in: the one place that meets SQLite's errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from sessions.damage import KEPT, Damage
from sessions.rows import Row
from sessions.salvage import salvage
from sessions.trouble import is_damage, write_failed

CHUNK = 500
"""Values in one `IN (…)`; SQLite allows 999 in its oldest builds."""

_NEWEST = """SELECT id, version, device, confirms FROM (
    SELECT id, version, device, confirms, row_number() OVER (PARTITION BY version, device ORDER BY id DESC) AS place FROM runs
) WHERE place <= ? ORDER BY id DESC"""


class Tables:
    """The tables of one open file. After the first sign of damage every read comes from what could be saved."""

    def __init__(self, database: Database, path: Path, on_damage: Callable[[], None]) -> None:
        self.database = database
        self._path = path
        self._on_damage = on_damage
        self.damage = Damage()
        self._saved: dict[str, list[Row]] | None = None

    def select(self, table: str, columns: Sequence[str] = ("*",), *, key: str = "", values: Sequence[object] = ()) -> list[Row]:
        """Return rows in the order they were written, all or those whose `key` is one of `values`."""
        found = self._sound(lambda: list(self._query(table, columns, key, values)))
        return [row for row in self._salvaged(table) if not key or row.get(key) in values] if found is None else found

    def newest_runs(self, keep: int) -> list[Row]:
        """Return id, version, device and confirms of the newest `keep` runs of each version on each device, newest first."""
        found = self._sound(lambda: list(self.database.query(_NEWEST, [keep])))
        if found is None:
            newest: dict[tuple[object, object], list[Row]] = {}
            for row in reversed(self._salvaged("runs")):
                newest.setdefault((row["version"], row["device"]), []).append(row)
            found = [row for rows in newest.values() for row in rows[:keep]]
            found.sort(key=lambda row: int(row["id"]), reverse=True)
        return found

    def _sound(self, read: Callable[[], list[Row]]) -> list[Row] | None:
        """Return what `read` gives; None where the file is damaged, so that it must be salvaged."""
        if self._saved is None:
            try:
                return read()
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise
                self.expect_damage()
        return None

    def _query(self, table: str, columns: Sequence[str], key: str, values: Sequence[object]) -> Iterator[Row]:
        text = f"SELECT {', '.join(columns)} FROM {table}"
        if not key:
            yield from self.database.query(f"{text} ORDER BY rowid")
            return
        for start in range(0, len(values), CHUNK):
            part = values[start : start + CHUNK]
            marks = ", ".join("?" * len(part))
            yield from self.database.query(f"{text} WHERE {key} IN ({marks}) ORDER BY rowid", list(part))

    def expect_damage(self) -> None:
        """Read all tables row by row, keeping what can be read, and answer from that from now on."""
        if self._saved is None:
            self._saved = {}
            for table in KEPT:
                found = salvage(self.database.conn, table)
                self._saved[table] = found.rows
                self.damage.table(table, len(found.rows), found.lost, found.whole)
            self._on_damage()

    def _salvaged(self, table: str) -> list[Row]:
        assert self._saved is not None
        return self._saved[table]

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One transaction, committed on leaving. Raises WrongInput when it cannot be kept; nothing of it is then."""
        try:
            with self.database.atomic():
                yield self.database
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if is_damage(error):
                self.expect_damage()
            raise write_failed(self._path, error) from error
