"""Requests as tables: which line, which space, which array, and the address of every lane."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from plugins.emulator.access.metrics import NONE, Flags, Integers, lanes_of
from plugins.emulator.access.trace import LOCAL, SHARED
from workbench.plugin_api import AccessKind, Space

SPACES: tuple[Space, ...] = ("global", "shared", "local", "constant")
KINDS: tuple[AccessKind, ...] = ("read", "write", "atomic")
GLOBAL_SPACE, SHARED_SPACE, LOCAL_SPACE, CONSTANT_SPACE = range(4)
NO_ARRAY = -1


class Site(NamedTuple):
    """A place in the code of a function together with the calls that led there: one place has a site for each way."""

    function: int
    code: int
    context: int


@dataclass(frozen=True)
class Region:
    """Named memory: bytes [begin, begin + bytes) in the addresses of one space."""

    name: str
    begin: int
    bytes: int
    space: int


@dataclass(frozen=True)
class Table:
    """Requests, one row each. `address` is (rows, 32), NONE for a lane that takes no part; the other columns are (rows,)."""

    block: Integers
    """Index of the block among the traced ones."""
    warp: Integers
    run: Integers
    """Within a warp: rows of one run were made by one group of lanes without parting or meeting."""
    parting: Integers
    site: Integers
    """Number of the place in the code together with the calls that led there."""
    line: Integers
    space: Integers
    kind: Integers
    width: Integers
    """Bytes per lane."""
    array: Integers
    """Index of the region, NO_ARRAY for none."""
    time: Integers
    """Order in which the warp made them."""
    address: Integers

    def __len__(self) -> int:
        return len(self.block)

    def changed(self, **columns: Integers) -> Table:
        """Return the rows with some columns replaced."""
        return replace(self, **columns)

    def take(self, rows: Integers | Flags) -> Table:
        """Return some rows, in that order."""
        return Table(*(getattr(self, column.name)[rows] for column in fields(self)))

    def by_line(self) -> Iterator[tuple[tuple[int, int, int], Integers]]:
        """Yield each (line, space, kind) with its rows, in rising order."""
        if not len(self):
            return
        keys = self.line << 8 | self.space << 4 | self.kind
        order = np.argsort(keys, kind="stable")
        known, starts = np.unique(keys[order], return_index=True)
        for key, rows in zip(known, np.split(order, starts[1:]), strict=True):
            yield (int(key) >> 8, int(key) >> 4 & 15, int(key) & 15), rows

    @property
    def active(self) -> Flags:
        """Which lanes take part, (rows, 32)."""
        active: Flags = self.address != NONE
        return active


def join(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables as one."""
    return Table(*(np.concatenate([getattr(table, column.name) for table in tables]) for column in fields(Table)))


@dataclass
class Reader:
    """Makes tables of the runtime's requests. `lines` maps a code address to its line; `regions` must not overlap."""

    lines: Mapping[int, int]
    regions: Sequence[Region]

    def __post_init__(self) -> None:
        order = sorted(range(len(self.regions)), key=lambda index: self.regions[index].begin)
        self._order = np.array(order, np.int64)
        self._begins = np.array([self.regions[index].begin for index in order], np.int64)
        self._ends = self._begins + np.array([self.regions[index].bytes for index in order], np.int64)
        self._shared = [index for index, region in enumerate(self.regions) if region.space == SHARED_SPACE]
        self._sites: dict[int, int] = {}
        self.places: list[Site] = []
        """By the numbers in a table's column `site`."""

    def read(self, requests: npt.NDArray[np.void], addresses: npt.NDArray[np.uint64]) -> Table:
        """Return the table of what `Trace.requests` gives."""
        lanes = lanes_of(requests["mask"])
        table = np.full(lanes.shape, NONE, np.int64)
        table[lanes] = addresses.astype(np.int64)
        first = addresses[requests["first_address"].astype(np.int64)].astype(np.int64) if len(requests) else np.empty(0, np.int64)
        space, array = self._place(first, requests["space"])

        def column(name: str) -> Integers:
            return requests[name].astype(np.int64)

        return Table(
            block=column("block"), warp=column("warp"), run=column("run"), parting=column("parting"), site=self._site(requests),
            line=self._line(requests["code"]), space=space, kind=column("access"), width=column("bytes"), array=array,
            time=np.arange(len(requests), dtype=np.int64), address=table,
        )  # fmt: skip

    def _line(self, code: npt.NDArray[np.uint32]) -> Integers:
        known, index = np.unique(code, return_inverse=True)
        lines = np.array([self.lines.get(int(address), 0) for address in known], np.int64)
        return lines[index] if len(code) else np.empty(0, np.int64)

    def _site(self, requests: npt.NDArray[np.void]) -> Integers:
        keys = requests["context"].astype(np.uint64) << np.uint64(32) | requests["code"].astype(np.uint64)
        known, first, index = np.unique(keys, return_index=True, return_inverse=True)
        numbers = []
        for key, row in zip(known, first, strict=True):
            if int(key) not in self._sites:
                self._sites[int(key)] = len(self.places)
                self.places.append(
                    Site(int(requests["function"][row]), int(requests["code"][row]), int(requests["context"][row]))
                )
            numbers.append(self._sites[int(key)])
        return np.array(numbers, np.int64)[index] if len(requests) else np.empty(0, np.int64)

    def _place(self, first: Integers, told: npt.NDArray[np.uint8]) -> tuple[Integers, Integers]:
        """Return space and array of each request, by its first lane's address."""
        space = np.select([told == SHARED, told == LOCAL], [SHARED_SPACE, LOCAL_SPACE], GLOBAL_SPACE).astype(np.int64)
        array = np.full(len(first), NO_ARRAY, np.int64)
        if not len(self._begins):
            return space, array
        at = np.clip(np.searchsorted(self._begins, first, side="right") - 1, 0, None)
        inside = (first >= self._begins[at]) & (first < self._ends[at])
        kinds = np.array([region.space for region in self.regions], np.int64)
        array = np.where(inside, self._order[at], NO_ARRAY)
        elsewhere = inside & (space == GLOBAL_SPACE)
        space = np.where(elsewhere, kinds[array], space)
        return space, np.where(kinds[array] == space, array, NO_ARRAY)

    def region_at(self, address: int) -> int:
        """Return the index of the region that holds an address, NO_ARRAY for none."""
        at = bisect.bisect_right(self._begins.tolist(), address) - 1
        return int(self._order[at]) if at >= 0 and address < self._ends[at] else NO_ARRAY
