"""How a kernel touches memory: what the access analysis of the emulator found in one launch, line by line.

How to read it. A *request* is one access instruction of one warp with at least one active lane. For global memory it is split
into *sectors* of 32 bytes (four to a line of 128): `sectors / requests` is what Nsight Compute calls sectors per request, and
`ideal_sectors` is what the same lanes would need if their bytes lay side by side. For shared memory it takes *wavefronts*, one
where no two lanes want different words of one of the 32 banks; `ways` is the mean number of wavefronts for each that the width
needs anyway (1.0 is free of conflicts, 32.0 the worst).

A figure is *exact* where the compiler's own list of accesses of the line (SASS) agrees with what was traced, so that a GPU counts
the same; else it is *source-level*, with the reason in words. All counts are of the traced blocks only (`AccessReport.sampled`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.model.cache import CachePrediction
from workbench.texts import Message

Space = Literal["global", "shared", "local", "constant"]
"""`local` is memory of one thread (arrays, spilled values); `constant` is `__constant__`."""
AccessKind = Literal["read", "write", "atomic"]
Exactness = Literal["exact", "source-level"]

SECTOR_BYTES = 32
BANKS = 32
BANK_BYTES = 4


class LineAccess(msgspec.Struct, frozen=True):
    """What one source line does to one space in one way: all its requests in the traced blocks.

    Every line has at most one entry for each (space, kind). Counts are sums; `bytes_*` are bytes.
    """

    line: int
    """1-based line of the version's source; 0 where no line is known."""
    space: Space
    kind: AccessKind
    requests: int
    text: str = ""
    """The line itself, stripped."""
    arrays: tuple[str, ...] = ()
    """Arguments (or shared and `__device__` variables) by name, those with most requests first."""
    widths: tuple[int, ...] = ()
    """Bytes per lane of its requests, each width that occurs: 4 for a float, 16 for a whole float4."""
    active_lanes: int = 0
    """Sum over the requests of the lanes that took part; divided by `requests` it is the mean, 32.0 at best."""
    bytes_requested: int = 0
    """What the lanes asked for, each lane counted."""
    bytes_used: int = 0
    """Distinct bytes that the lanes of each request asked for: lanes that share a word count it once."""
    sectors: int = 0
    """Global only: distinct 32-byte sectors of each request."""
    ideal_sectors: int = 0
    """Global only: the fewest sectors that could hold `bytes_used`, request by request."""
    wavefronts: int = 0
    """Shared only: passes of the shared memory."""
    ideal_wavefronts: int = 0
    """Shared only: passes without any bank conflict (2 for 64-bit, 4 for 128-bit requests of 32 lanes)."""
    worst_ways: int = 0
    """Shared only: the most wavefronts that one request takes for each that it needs anyway."""
    first_touches: int = 0
    """Global only: distinct sectors over all requests of this line: what must come from memory even with a perfect cache."""
    re_reads: int = 0
    """Global only: `sectors - first_touches`: what a cache could save."""
    exactness: Exactness = "source-level"
    reason: Message | None = None
    """Why it is only source-level; None where exact."""

    @property
    def sectors_per_request(self) -> float:
        """Mean sectors of a request (global)."""
        return self.sectors / self.requests if self.requests else 0.0

    @property
    def mean_active_lanes(self) -> float:
        """Mean lanes of a request, 32.0 at best."""
        return self.active_lanes / self.requests if self.requests else 0.0

    @property
    def ways(self) -> float:
        """Mean wavefronts for each that is needed anyway (shared), 1.0 without conflicts."""
        return self.wavefronts / self.ideal_wavefronts if self.ideal_wavefronts else 0.0

    @property
    def bytes_moved(self) -> int:
        """Bytes of the touched sectors (global)."""
        return self.sectors * SECTOR_BYTES

    @property
    def efficiency(self) -> float:
        """Bytes used of the bytes moved (global), 1.0 at best."""
        return self.bytes_used / self.bytes_moved if self.sectors else 0.0


class ArrayAccess(msgspec.Struct, frozen=True):
    """One array of global memory over all lines: what a perfect cache would still have to move."""

    name: str
    bytes: int
    """Its size; 0 where it is not known."""
    read_sectors: int = 0
    written_sectors: int = 0
    atomic_sectors: int = 0
    read_first_touches: int = 0
    """Distinct sectors read; `read_sectors` less these is what a cache could save."""
    written_first_touches: int = 0


class WarpPicture(msgspec.Struct, frozen=True):
    """The addresses of one warp at one access: what is drawn to show why a line costs what it costs.

    `addresses` has one entry per lane (at most 32): the byte offset from the start of `array` (of the block's shared memory for
    shared), None for a lane that takes no part. `sectors` are the touched sectors as offsets in bytes from the array's start,
    rising (global); `banks` the bank of each lane's first word (shared), None as in `addresses`. An array that does not begin on
    a sector has sectors with offsets that are no multiples of 32, the first one may be negative.
    """

    line: int
    space: Space
    kind: AccessKind
    why: Literal["first", "worst"]
    """The line's first request in the trace, or the one with the most sectors (wavefronts) over the ideal."""
    block: tuple[int, int, int]
    warp: int
    """Number of the warp in its block."""
    request: int
    """How many requests of this line the warp had before."""
    array: str
    width: int
    """Bytes per lane."""
    addresses: tuple[int | None, ...]
    sectors: tuple[int, ...] = ()
    banks: tuple[int | None, ...] = ()
    wavefronts: int = 0


class AccessReport(msgspec.Struct, frozen=True):
    """One traced launch. `lines` are in source order; `totals` carry Nsight Compute's metric names.

    In `totals` None is *missing*: instruction counts and times are never guessed. Totals are sums over the traced blocks,
    not scaled; where `sampled` is true they are a part of what the whole grid does (`traced_blocks` of `blocks`).
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    sizes: Mapping[str, int]
    blocks: int
    traced_blocks: int
    lines: tuple[LineAccess, ...]
    totals: Mapping[str, int | None]
    totals_exact: bool
    """Every line of global and shared memory is exact."""
    arrays: tuple[ArrayAccess, ...] = ()
    pictures: tuple[WarpPicture, ...] = ()
    machine: str = ""
    """Where the compiler's list of accesses comes from, for example `SASS of sm_90, nvcc 13.0`; empty without one."""
    notes: tuple[Message, ...] = ()
    """What the reader must know, one sentence each: sampling, a missing compiler, lines left out."""
    trace_seconds: float = 0.0
    """Wall seconds of the instrumented launch."""
    analysis_seconds: float = 0.0
    """Wall seconds from the end of that launch to the report."""
    cache: CachePrediction | None = None
    """What a GPU's caches would make of the addresses; None where `notes` say why it is not predicted."""

    @property
    def sampled(self) -> bool:
        """True when not all blocks of the grid were traced."""
        return self.traced_blocks < self.blocks
