"""What can still be read of a table whose pages are partly destroyed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from sessions.rows import Row


def salvage(connection: sqlite3.Connection, table: str) -> tuple[list[Row], int]:
    """Return the readable rows by row id, and how many in between could not be read.

    A scan stops at the first broken page, so the table is read from both ends, and what lies between row by row.
    """
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    rows = _scan(connection, table, "")
    last = max(rows, default=0)
    end = _scan(connection, table, "DESC")
    rows.update(end)
    lost = 0
    for row_id in range(last + 1, min(end, default=last + 1)):
        found = _one(connection, table, row_id)
        if found is None:
            lost += 1
        else:
            rows[row_id] = found
    if not rows and not _readable(connection, table):
        lost += 1
    return [rows[row_id] for row_id in sorted(rows)], lost


def _scan(connection: sqlite3.Connection, table: str, direction: str) -> dict[int, Row]:
    rows: dict[int, Row] = {}
    try:
        cursor = connection.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid {direction}")
        names = [column[0] for column in cursor.description]
        for values in cursor:
            rows[values[0]] = _named(names, values)
    except sqlite3.DatabaseError:
        pass
    return rows


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


def _readable(connection: sqlite3.Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT count(*) FROM {table} NOT INDEXED").fetchone()
    except sqlite3.DatabaseError:
        return False
    return True
