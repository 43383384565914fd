"""What can still be read of a table whose pages are partly destroyed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from sessions.rows import Row

_REWRITTEN = ("project", "traces")
"""Tables whose row ids may have gaps, or that count none: a missing id there is no lost record."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The readable rows by row id, how many are known to be lost, and whether the table could be read to its end."""

    rows: list[Row]
    lost: int
    whole: bool


def salvage(connection: sqlite3.Connection, table: str) -> Saved:
    """Return what can be read of a table.

    A scan stops at the first broken page, so the table is read from both ends, and what lies between row by row.
    """
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    rows, whole = _scan(connection, table, "")
    if whole:
        return Saved(list(rows.values()), 0, True)
    first = max(rows, default=0) + 1
    end, _whole = _scan(connection, table, "DESC")
    rows.update(end)
    lost = 0
    highest = _highest(connection, table)
    for row_id in range(first, min(min(end, default=highest + 1), _largest(connection))):
        found = _one(connection, table, row_id)
        if found is not None:
            rows[row_id] = found
        elif table not in _REWRITTEN:
            lost += 1
    return Saved([rows[row_id] for row_id in sorted(rows)], lost, False)


def _highest(connection: sqlite3.Connection, table: str) -> int:
    """Return the highest row id ever given out in a table, 0 where SQLite's own count of it is lost too."""
    try:
        found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    except sqlite3.DatabaseError:
        return 0
    return found[0] if found and isinstance(found[0], int) else 0


def _largest(connection: sqlite3.Connection) -> int:
    """Return more row ids than the file has room for: one read from a broken page may be any number."""
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    return int(pages * connection.execute("PRAGMA page_size").fetchone()[0] // _SMALLEST_ROW)


_SMALLEST_ROW = 16
"""Bytes; every table that counts its rows has larger ones."""


def _scan(connection: sqlite3.Connection, table: str, direction: str) -> tuple[dict[int, Row], bool]:
    """Return the rows met in one direction, and whether the other end was reached."""
    rows: dict[int, Row] = {}
    try:
        cursor = connection.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid {direction}")
        names = [column[0] for column in cursor.description]
        for values in cursor:
            rows[values[0]] = _named(names, values)
    except sqlite3.DatabaseError:
        return rows, False
    return rows, True


def _one(connection: sqlite3.Connection, table: str, row_id: int) -> Row | None:
    try:
        cursor = connection.execute(f"SELECT rowid, * FROM {table} WHERE rowid = ?", (row_id,))
        names = [column[0] for column in cursor.description]
        values = cursor.fetchone()
    except sqlite3.DatabaseError:
        return None
    return None if values is None else _named(names, values)


def _named(names: Sequence[str], values: Sequence[object]) -> Row:
    return dict(zip(names[1:], values[1:], strict=True))
