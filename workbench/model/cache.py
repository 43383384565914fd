"""What the caches of a GPU are expected to do with a kernel's addresses. Everything here is *predicted*, nothing measured."""

from __future__ import annotations

import msgspec


class CacheShape(msgspec.Struct, frozen=True):
    """A sectored cache with least-recently-used replacement. Bytes."""

    line: int
    """Bytes of a line, which is replaced as a whole."""
    sector: int
    """Bytes of a sector, which is fetched by itself."""
    ways: int
    sets: int

    @property
    def bytes(self) -> int:
        """Capacity."""
        return self.line * self.ways * self.sets


class Traffic(msgspec.Struct, frozen=True):
    """Sectors that one array, or one source line, asks of the caches."""

    requested: int
    """Sectors that loads ask of the first level."""
    reads: int
    """Those of them that reach the second level."""
    hits: int
    """Those that it has."""
    writes: int
    """Sectors written."""

    @property
    def hit_rate(self) -> float | None:
        """Share of the second level's reads that hit, 0 to 1; None without reads."""
        return self.hits / self.reads if self.reads else None


class CachePrediction(msgspec.Struct, frozen=True):
    """Expected behaviour of the second-level cache for the blocks that were traced."""

    hardware: str
    """Title of the hardware file."""
    first_level: CacheShape
    second_level: CacheShape
    blocks: int
    """Blocks in the trace."""
    resident: int
    """Blocks taken to be on the GPU at once."""
    total: Traffic
    arrays: dict[str, Traffic]
    """By the name of the argument; other memory is only in `total` and `lines`."""
    lines: dict[int, Traffic]
    """By source line."""
    set_pressure: float | None
    """Lines of the fullest set over the mean of all sets, for a cache without address hashing; None without an access."""
    reuse: tuple[int, ...]
    """Accesses of the second level by reuse distance: entry k counts those with 2**(k-1) <= distance < 2**k distinct lines in
    between (entry 0: none in between)."""
    first_touches: int
    """Accesses of the second level whose line was never touched before."""
