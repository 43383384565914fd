"""Accesses joined as the compiler joins them: a hook sees each part of a float4, the machine loads it at once.

Which widths a line has comes from PTX (`machine`). Accesses of one group of lanes by one line are joined where each lane's lie
in one aligned piece of such a width, and wider ones (a copied struct) are cut to the widest that the line has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plugins.emulator.access.metrics import NONE, Flags, Integers
from plugins.emulator.access.requests import Table, join

Widths = Mapping[tuple[int, int, int], Sequence[int]]
"""(line, space, kind) -> bytes per lane of the compiler's accesses of that line."""


def merge(table: Table, widths: Widths) -> Table:
    """Return the requests as the machine makes them; lines without known widths stay, but for pieces over 16 bytes."""
    parts = []
    for key, chosen in table.by_line():
        known = sorted((width for width in widths.get(key, ()) if width), reverse=True)
        rows = _cut(table.take(chosen), known)
        for width in dict.fromkeys(known):
            rows = _join(rows, width)
        parts.append(rows)
    return join(parts) if parts else table


def _cut(table: Table, known: Sequence[int]) -> Table:
    """Cut what is wider than any access of a machine, or than those of its line, into the widest pieces that fit."""
    whole = np.isin(table.width, known) if known else table.width <= 16
    small = table.width <= min(known, default=16)
    if (whole | small).all():
        return table
    parts = [table.take(whole | small)]
    wide = table.take(~(whole | small))
    for width in np.unique(wide.width):
        rows = wide.take(wide.width == width)
        piece = _piece(rows, int(width), known)
        for offset in range(0, int(width), piece):
            address = np.where(rows.active, rows.address + offset, NONE)
            parts.append(rows.changed(address=address, width=np.full(len(rows), piece, np.int64)))
    return join(parts)


def _piece(rows: Table, width: int, known: Sequence[int]) -> int:
    """Return the bytes to cut accesses of `width` bytes into: pieces that the line has often enough, else any if it must be."""
    addresses = rows.address[rows.active]
    for piece in known:
        if piece < width and width % piece == 0 and known.count(piece) >= width // piece and not (addresses % piece).any():
            return piece
    if width <= 16:
        return width
    return next((piece for piece in (16, 8, 4, 2) if width % piece == 0 and not (addresses % piece).any()), 1)


def _join(table: Table, width: int) -> Table:
    """Join accesses of fewer than `width` bytes that lie in one aligned piece of that width, lane by lane."""
    small = table.width < width
    if small.sum() < 2:
        return table
    rows = table.take(small)
    lead = rows.active.argmax(axis=1)
    first = rows.address[np.arange(len(rows)), lead]
    piece, offset = first // width, first % width
    order = np.lexsort((rows.time, offset, piece, rows.run, rows.warp, rows.block))
    occurrence = np.empty(len(rows), np.int64)
    keys = np.stack([rows.block, rows.warp, rows.run, piece, offset], axis=1)[order]
    occurrence[order] = _count_equal(keys)
    order = np.lexsort((offset, occurrence, piece, rows.run, rows.warp, rows.block))
    keys = np.stack([rows.block, rows.warp, rows.run, piece, occurrence], axis=1)[order]
    group = np.cumsum(np.concatenate(([True], (keys[1:] != keys[:-1]).any(axis=1)))) - 1
    rows = rows.take(order)
    leaders = np.searchsorted(group, np.arange(group[-1] + 1))
    fits = _same_shape(rows, leaders[group], width)
    members = np.bincount(group)
    good = (np.bincount(group, weights=~fits) == 0) & (members > 1)
    good &= _covers(rows, group, width)
    if not good.any():
        return table
    heads = rows.take(leaders[good])
    address = np.where(heads.active, heads.address // width * width, NONE)
    joined = heads.changed(address=address, width=np.full(len(heads), width, np.int64))
    return join([table.take(~small), rows.take(~good[group]), joined])


def _count_equal(keys: Integers) -> Integers:
    """Return for each of sorted rows how many equal ones stand before it."""
    fresh = np.concatenate(([True], (keys[1:] != keys[:-1]).any(axis=1)))
    starts = np.flatnonzero(fresh)
    return np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))


def _same_shape(rows: Table, leader: Integers, width: int) -> Flags:
    """Return whether each row has its leader's lanes, and each lane the leader's piece and the same offset as the first lane."""
    head = rows.address[leader]
    same_lanes = (rows.active == (head != NONE)).all(axis=1)
    active = rows.active
    same_piece = np.where(active, rows.address // width == head // width, True).all(axis=1)
    within = np.where(active, rows.address % width, NONE)
    same_offset = np.where(active, within == within.max(axis=1)[:, None], True).all(axis=1)
    fits: Flags = same_lanes & same_piece & same_offset
    return fits


def _covers(rows: Table, group: Integers, width: int) -> Flags:
    """Return whether each group touches more than half of the piece: a lone pair of bytes is not a load of sixteen."""
    covered = np.bincount(group, weights=rows.width)
    most: Flags = covered * 2 > width
    return most
