"""Sums over the requests of all traced blocks, batch by batch: lines, arrays, totals, and how often each place was visited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from plugins.emulator.access.exact import Key, LineUse, SiteUse
from plugins.emulator.access.flow import Flow
from plugins.emulator.access.metrics import Integers, ideal_sectors, not_measured, sectors_of, used_bytes, wavefronts_of
from plugins.emulator.access.requests import GLOBAL_SPACE, KINDS, NO_ARRAY, SHARED_SPACE, SPACES, Region, Site, Table
from workbench.plugin_api import SECTOR_BYTES

READ = KINDS.index("read")
COUNTS = (
    "requests", "active_lanes", "bytes_requested", "bytes_used", "sectors", "ideal_sectors", "wavefronts", "ideal_wavefronts",
)  # fmt: skip
SiteKey = tuple[int, int]
"""Site number and width."""


@dataclass(frozen=True)
class Costs:
    """What each request of a table costs; columns named in COUNTS, and the sectors with their requests' rows."""

    counts: dict[str, Integers]
    sector: Integers
    """Sectors of global requests, each counted once a request."""
    sector_row: Integers


def costs_of(table: Table) -> Costs:
    """Return the costs of each request."""
    active = table.active.sum(axis=1)
    zero = np.zeros(len(table), np.int64)
    counts = {name: zero.copy() for name in COUNTS}
    counts["requests"] += 1
    counts["active_lanes"] += active
    counts["bytes_requested"] += active * table.width
    counts["bytes_used"] += used_bytes(table.address, table.width)
    far, near = table.space == GLOBAL_SPACE, table.space == SHARED_SPACE
    sectors, fresh = sectors_of(table.address[far], table.width[far])
    counts["sectors"][far] = fresh.sum(axis=1)
    counts["ideal_sectors"][far] = ideal_sectors(counts["bytes_used"][far])
    counts["wavefronts"][near], counts["ideal_wavefronts"][near] = wavefronts_of(
        table.address[near], table.width[near], table.kind[near] == READ
    )
    row = np.repeat(np.flatnonzero(far), fresh.sum(axis=1))
    return Costs(counts, sectors[fresh], row)


@dataclass
class _Line:
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    widths: set[int] = field(default_factory=set)
    arrays: dict[int, int] = field(default_factory=dict)
    worst_ways: int = 0
    most: dict[int, int] = field(default_factory=dict)
    """Width -> the most accesses that one thread made."""
    unproven: bool = False
    """Some requests cost what was not measured."""


@dataclass
class _Visits:
    """Of one site at one width."""

    total: int = 0
    uniform: bool = True
    apart: bool = False
    """Some warp came here more often than any of its lanes."""


@dataclass
class Summary:
    """The sums so far. Lines are told apart by (line, space, kind) as numbers."""

    lines: dict[tuple[int, int, int], _Line] = field(default_factory=lambda: defaultdict(_Line))
    sites: dict[tuple[int, int, int], dict[SiteKey, _Visits]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(_Visits))
    )
    _touched: dict[tuple[int, int, int], list[Integers]] = field(default_factory=lambda: defaultdict(list))
    """Distinct sectors of each line."""
    _arrays: dict[tuple[int, int], list[Integers]] = field(default_factory=lambda: defaultdict(list))
    """Distinct sectors of each array and kind."""
    array_sectors: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, table: Table, costs: Costs) -> None:
        """Add the requests of whole blocks that were not added before."""
        if not len(table):
            return
        owner = np.empty(len(table), np.int64)
        keys: list[tuple[int, int, int]] = []
        for key, rows in table.by_line():
            owner[rows] = len(keys)
            keys.append(key)
            self._add_line(key, table, costs, rows)
            self._add_sites(key, table.take(rows))
        self._add_sectors(table, costs, keys, owner)

    def _add_line(self, key: tuple[int, int, int], table: Table, costs: Costs, rows: Integers) -> None:
        line = self.lines[key]
        for name in COUNTS:
            line.counts[name] += int(costs.counts[name][rows].sum())
        line.widths.update(int(width) for width in np.unique(table.width[rows]))
        for array, count in zip(*np.unique(table.array[rows], return_counts=True), strict=True):
            line.arrays[int(array)] = line.arrays.get(int(array), 0) + int(count)
        if key[1:] == (SHARED_SPACE, READ):
            unknown = not_measured(table.address[rows], table.width[rows], table.kind[rows] == READ)
            line.unproven = line.unproven or bool(unknown.any())
        needed = np.maximum(costs.counts["ideal_wavefronts"][rows], 1)
        line.worst_ways = max(line.worst_ways, int((costs.counts["wavefronts"][rows] // needed).max()))

    def _add_sites(self, key: tuple[int, int, int], rows: Table) -> None:
        order = np.lexsort((rows.width, rows.site, rows.warp, rows.block))
        rows = rows.take(order)
        same = np.stack([rows.block, rows.warp, rows.site, rows.width], axis=1)
        starts = np.flatnonzero(np.concatenate(([True], (same[1:] != same[:-1]).any(axis=1))))
        visits = np.add.reduceat(rows.active.astype(np.int64), starts, axis=0)
        sizes = np.diff(np.append(starts, len(rows)))
        uniform = ((visits == 0) | (visits == sizes[:, None])).all(axis=1)
        total, apart = visits.sum(axis=1), sizes > visits.max(axis=1)
        self._add_most(self.lines[key].most, rows)
        known, index = np.unique(same[starts, 2] << 16 | same[starts, 3], return_inverse=True)
        for number, site in enumerate(known):
            chosen = index == number
            found = self.sites[key][int(site) >> 16, int(site) & 0xFFFF]
            found.total += int(total[chosen].sum())
            found.uniform = found.uniform and bool(uniform[chosen].all())
            found.apart = found.apart or bool(apart[chosen].any())

    @staticmethod
    def _add_most(most: dict[int, int], rows: Table) -> None:
        for width in np.unique(rows.width):
            own = rows.take(rows.width == width)
            same = own.block << 16 | own.warp
            starts = np.flatnonzero(np.concatenate(([True], same[1:] != same[:-1])))
            made = int(np.add.reduceat(own.active.astype(np.int64), starts, axis=0).max())
            most[int(width)] = max(most.get(int(width), 0), made)

    def _add_sectors(self, table: Table, costs: Costs, keys: Sequence[tuple[int, int, int]], owner: Integers) -> None:
        owner = owner[costs.sector_row]
        for number, key in enumerate(keys):
            if key[1] == GLOBAL_SPACE:
                self._keep(self._touched[key], costs.sector[owner == number])
        array, kind = table.array[costs.sector_row], table.kind[costs.sector_row]
        for number in np.unique(array):
            for which in np.unique(kind[array == number]):
                chosen = costs.sector[(array == number) & (kind == which)]
                self.array_sectors[int(number), int(which)] += len(chosen)
                self._keep(self._arrays[int(number), int(which)], chosen)

    @staticmethod
    def _keep(kept: list[Integers], sectors: Integers) -> None:
        kept.append(np.unique(sectors))
        if len(kept) > 16:
            kept[:] = [np.unique(np.concatenate(kept))]

    def distinct(self, key: tuple[int, int, int]) -> int:
        """Return how many different sectors a line touched."""
        kept = self._touched.get(key)
        return len(np.unique(np.concatenate(kept))) if kept else 0

    def distinct_of_array(self, array: int, kind: int) -> int:
        """Return how many different sectors of an array were touched in one way."""
        kept = self._arrays.get((array, kind))
        return len(np.unique(np.concatenate(kept))) if kept else 0

    def uses(self, key: tuple[int, int, int], places: Sequence[Site], flow: Flow) -> LineUse:
        """Return how the places of a line were visited, for the comparison with the compiler's list."""
        found = []
        for (site, width), visits in self.sites[key].items():
            place = places[site]
            loops = flow.chain((place.function, place.code))[::-1]
            turns = tuple(visits.total / max(flow.visits.get(flow.headers[loop], 1), 1) for loop in loops)
            leaving = visits.apart and (place.function, place.code) in flow.farewells
            found.append(SiteUse(width, place.code, visits.uniform, turns, leaving))
        return LineUse(found, self.lines[key].most, self.lines[key].unproven)


def key_of(key: tuple[int, int, int]) -> Key:
    """Return a key in words."""
    return key[0], SPACES[key[1]], KINDS[key[2]]


def array_name(regions: Sequence[Region], array: int) -> str:
    """Return a region's name, empty for none."""
    return regions[array].name if array != NO_ARRAY else ""


def sector_address(sector: int) -> int:
    """Return the byte address of a sector's first byte."""
    return sector * SECTOR_BYTES
