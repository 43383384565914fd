"""Both arms of an if as one access, where the compiler has moved the same access of both arms behind them (or before).

`if (c) v = p[i]; else v = p[j];` has two places in the source and often one instruction: the address is chosen, then all lanes
load together. Two places are joined where the lanes that parted made one of them each, and the compiler's list has one for both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from plugins.emulator.access.metrics import NONE, Flags, Integers
from plugins.emulator.access.requests import Site, Table, join

Listed = Counter[tuple[int, int, int, int]]
"""(line, space, kind, width) -> how many such instructions the compiler has."""
Pair = tuple[int, int]


def join_arms(table: Table, listed: Listed, places: Sequence[Site]) -> Table:
    """Return the requests with proven pairs of arms joined; the pair's one site is the one whose line the compiler names.

    `places` are the table's sites by their numbers: one place called from two sides is no pair of arms.
    """
    if not listed or not (table.parting > 0).any():
        return table
    rows = _pairs(table)
    for first, second in sorted(_proven(table, rows, listed)):
        if places[first].context == places[second].context and places[first].code != places[second].code:
            table = _join(table, first, second)
    return table


def _groups(table: Table) -> tuple[Integers, Integers]:
    """Return the order and starts of rows that one parting made alike: same warp, space, kind and width."""
    order = np.lexsort((table.site, table.width, table.kind, table.space, table.parting, table.warp, table.block))
    keys = np.stack([table.block, table.warp, table.parting, table.space, table.kind, table.width], axis=1)[order]
    fresh = np.concatenate(([True], (keys[1:] != keys[:-1]).any(axis=1)))
    return order, np.flatnonzero(fresh)


def _pairs(table: Table) -> Integers:
    """Return the rows, two and two, of groups that are one row of each of two sites with no lane in common: (pairs, 2)."""
    order, starts = _groups(table)
    sizes = np.diff(np.append(starts, len(order)))
    begins = starts[sizes == 2]
    pairs = np.stack([order[begins], order[begins + 1]], axis=1)
    one, other = pairs[:, 0], pairs[:, 1]
    apart = ~(table.active[one] & table.active[other]).any(axis=1)
    found: Integers = pairs[(table.parting[one] > 0) & (table.site[one] != table.site[other]) & apart]
    return found


def _proven(table: Table, rows: Integers, listed: Listed) -> Iterator[Pair]:
    """Yield the pairs of sites for which the compiler has one instruction, its line's site first."""
    known = {tuple(sorted(pair)) for pair in np.stack([table.site[rows[:, 0]], table.site[rows[:, 1]]], axis=1).tolist()}
    for one, other in known:
        first, second = int(np.argmax(table.site == one)), int(np.argmax(table.site == other))
        keys = [_key(table, row) for row in (first, second)]
        theirs = sum(listed[key] for key in set(keys))
        ours = len(np.unique(table.site[_like(table, set(keys))]))
        if theirs and theirs in (ours - 1, ours // 2) and theirs < ours:
            yield (one, other) if listed[keys[0]] else (other, one)


def _key(table: Table, row: int) -> tuple[int, int, int, int]:
    return int(table.line[row]), int(table.space[row]), int(table.kind[row]), int(table.width[row])


def _like(table: Table, keys: Iterable[tuple[int, int, int, int]]) -> Flags:
    found = np.zeros(len(table), np.bool_)
    for line, space, kind, width in keys:
        found |= (table.line == line) & (table.space == space) & (table.kind == kind) & (table.width == width)
    return found


def _join(table: Table, first: int, second: int) -> Table:
    """Join the rows of two sites where one parting made both, and give the others of the second to the first."""
    ours = (table.site == first) | (table.site == second)
    mine = table.take(ours)
    pairs = _pairs(mine)
    line = int(mine.line[np.argmax(mine.site == first)])
    single = np.ones(len(mine), np.bool_)
    single[pairs.reshape(-1)] = False
    one, other = mine.take(pairs[:, 0]), mine.take(pairs[:, 1])
    both = one.changed(address=np.where(one.address == NONE, other.address, one.address))
    renamed = join([mine.take(single), both])
    renamed = renamed.changed(site=np.full(len(renamed), first), line=np.full(len(renamed), line))
    return join([table.take(~ours), renamed])
