"""The requests worth drawing: of each line the first, and the one that costs most over its ideal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from plugins.emulator.access.metrics import NONE, sectors_of
from plugins.emulator.access.requests import GLOBAL_SPACE, KINDS, NO_ARRAY, SHARED_SPACE, SPACES, Region, Table
from plugins.emulator.access.summary import Costs
from workbench.plugin_api import BANK_BYTES, BANKS, SECTOR_BYTES, WarpPicture

MOST_PICTURES = 256
Grid = tuple[int, int, int]
Why = Literal["first", "worst"]


@dataclass(frozen=True)
class _Chosen:
    table: Table
    """One row."""
    request: int
    excess: int
    wavefronts: int


@dataclass
class Album:
    """Keeps two requests of each (line, space, kind). `order` are the linear numbers of the traced blocks."""

    order: Sequence[int]
    grid: Grid
    _kept: dict[tuple[int, int, int, Why], _Chosen] = field(default_factory=dict)

    def add(self, table: Table, costs: Costs) -> None:
        """Look at the requests of further blocks, in the order of the trace."""
        if not len(table):
            return
        counts = costs.counts
        excess = counts["sectors"] - counts["ideal_sectors"] + counts["wavefronts"] - counts["ideal_wavefronts"]
        for key, rows in table.by_line():
            rows = rows[np.lexsort((table.time[rows], table.warp[rows], table.block[rows]))]
            worst = int(rows[np.argmax(excess[rows])])
            if (*key, "first") not in self._kept:
                self._kept[*key, "first"] = self._choose(table, rows, int(rows[0]), excess, costs)
            before = self._kept.get((*key, "worst"))
            if before is None or excess[worst] > before.excess:
                self._kept[*key, "worst"] = self._choose(table, rows, worst, excess, costs)

    @staticmethod
    def _choose(table: Table, rows: np.ndarray, row: int, excess: np.ndarray, costs: Costs) -> _Chosen:
        same = rows[(table.block[rows] == table.block[row]) & (table.warp[rows] == table.warp[row])]
        number = int(np.flatnonzero(same == row)[0])
        return _Chosen(table.take(np.array([row])), number, int(excess[row]), int(costs.counts["wavefronts"][row]))

    def pictures(self, regions: Sequence[Region]) -> tuple[WarpPicture, ...]:
        """Return the pictures in the order of the lines."""
        chosen = sorted(self._kept.items(), key=lambda item: item[0])[:MOST_PICTURES]
        return tuple(self._picture(key, one, regions) for key, one in chosen)

    def _picture(self, key: tuple[int, int, int, Why], chosen: _Chosen, regions: Sequence[Region]) -> WarpPicture:
        table, (line, space, kind, why) = chosen.table, key
        array = int(table.array[0])
        begin = regions[array].begin if array != NO_ARRAY and space != SHARED_SPACE else 0
        lanes = [int(address) for address in table.address[0]]
        sectors, fresh = sectors_of(table.address, table.width)
        number = self.order[int(table.block[0])]
        return WarpPicture(
            line=line, space=SPACES[space], kind=KINDS[kind], why=why,
            block=(number % self.grid[0], number // self.grid[0] % self.grid[1], number // (self.grid[0] * self.grid[1])),
            warp=int(table.warp[0]), request=chosen.request, array=regions[array].name if array != NO_ARRAY else "",
            width=int(table.width[0]), addresses=tuple(None if lane == NONE else lane - begin for lane in lanes),
            sectors=tuple(int(s) * SECTOR_BYTES - begin for s in sectors[fresh]) if space == GLOBAL_SPACE else (),
            banks=tuple(None if lane == NONE else lane // BANK_BYTES % BANKS for lane in lanes) if space == SHARED_SPACE else (),
            wavefronts=chosen.wavefronts,
        )  # fmt: skip
