"""Expected cache behaviour from a kernel's real addresses: sectored caches with least-recently-used replacement.

Stated assumptions, since the makers publish none of them: blocks are dealt to the multiprocessors in turn and those resident at
once advance together, their warps side by side, sector by sector; the first level is fully associative, keeps no written data,
and holds what shared memory leaves of it; the second level takes the line's number modulo its sets (a GPU hashes addresses), and
takes written sectors in without fetching them. Atomics count as writes. A line hits in a cache of `ways` lines per set exactly
when fewer than `ways` other lines of its set were touched since its last touch (Mattson et al. 1970, stack distance), so no cache
is stepped through.

What an H200 does besides (tests/data/access/caches.json, docs/emulator-access.md), left out because no rule that was tried holds
for all launches there. Where many blocks read the same sectors at the same time up to 42 % fewer reads reach the second level:
such blocks share a multiprocessor, or their reads are merged on the way (Nsight Compute names an L2 request coalescer; the
counters do not tell which), so what is predicted to arrive is about the most that can. A sector that misses can bring its
neighbour of the same 64 bytes along: fewer misses than sectors were counted. And where sectors are read by many at once, more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.cache import CachePrediction, CacheShape, Traffic
from workbench.model.hardware import Hardware

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
NEVER = -1


@dataclass(frozen=True)
class SectorStream:
    """Sectors of global memory that warps ask for, one entry per sector of a request; 1-D arrays of one length.

    Entries of one block stand in the order in which the block issues them; blocks may be mixed.
    """

    block: Integers
    """Linear index of the block."""
    address: Integers
    """Byte address of the sector's first byte."""
    write: Flags
    array: Integers
    """Number of the array, -1 for none."""
    line: Integers
    """Source line."""


@dataclass(frozen=True)
class Block:
    """What one block takes of a multiprocessor."""

    threads: int
    shared_bytes: int


def resident_blocks(hardware: Hardware, block: Block) -> int:
    """Return the blocks that one multiprocessor holds by threads, shared memory and its limit of blocks, not by registers."""
    limits = [
        hardware.values["max_blocks_per_sm"].value,
        hardware.values["max_threads_per_sm"].value // max(block.threads, 1),
        hardware.values["shared_per_sm_bytes"].value // block.shared_bytes if block.shared_bytes else np.inf,
    ]
    return max(1, int(min(limits)))


def predict(stream: SectorStream, hardware: Hardware, block: Block, names: Sequence[str]) -> CachePrediction:
    """Return what the caches of `hardware` are expected to do with `stream`.

    `names` are those of the arrays by their numbers. Raises KeyError where the hardware file lacks a cache's geometry.
    """
    number = {name: int(stated.value) for name, stated in hardware.values.items()}
    resident = resident_blocks(hardware, block)
    line, sector = number["l2_line_bytes"], number["sector_bytes"]
    room = max(number["l1_and_shared_bytes"] - resident * block.shared_bytes, line)
    first = CacheShape(line, sector, max(room // line, 1), 1)
    second = CacheShape(line, sector, number["l2_ways"], number["l2_bytes"] // (line * number["l2_ways"]))
    ordered = _in_time(stream, resident * number["sm_count"])
    reads = ~ordered.write
    missed = reads.copy()
    missed[reads] = ~hits(ordered.address[reads], ordered.block[reads] % number["sm_count"], first)
    asked = missed | ordered.write
    lines = ordered.address[asked] // line
    found = np.zeros(len(ordered.block), np.bool_)
    found[asked] = hits(ordered.address[asked], lines % second.sets, second)
    distance = stack_distance(lines)
    seen = _Seen(reads, missed, found)
    return CachePrediction(
        hardware=hardware.title, first_level=first, second_level=second, blocks=len(np.unique(stream.block)),
        resident=resident * number["sm_count"], total=seen.of(np.ones(len(reads), np.bool_)),
        arrays={names[key]: traffic for key, traffic in seen.each(ordered.array).items() if key >= 0},
        lines=seen.each(ordered.line),
        set_pressure=_pressure(lines, second.sets), reuse=_histogram(distance[distance != NEVER]),
        first_touches=int((distance == NEVER).sum()),
    )  # fmt: skip


def _in_time(stream: SectorStream, resident: int) -> SectorStream:
    """Return the stream as resident blocks would issue it: wave by wave, each block one sector at a time."""
    _, block = np.unique(stream.block, return_inverse=True)
    by_block = np.argsort(block, kind="stable")
    starts = np.searchsorted(block[by_block], np.arange(block.max(initial=-1) + 1))
    position = np.empty(len(block), np.int64)
    position[by_block] = np.arange(len(block)) - starts[block[by_block]] if len(block) else 0
    order = np.lexsort((block, position, block // resident))
    return SectorStream(stream.block[order], stream.address[order], stream.write[order], stream.array[order], stream.line[order])


def hits(address: Integers, group: Integers, shape: CacheShape) -> Flags:
    """Return which accesses find their sector in a cache; `group` names the set, or the cache when each has one set."""
    line = address // shape.line
    order = np.argsort(group, kind="stable")
    distance = np.empty(len(line), np.int64)
    distance[order] = stack_distance(_numbered(group, line)[order])
    present = (distance != NEVER) & (distance < shape.ways)
    # A sector is there when it was touched since its line came in; lines come in wherever they were not present.
    by_line = np.lexsort((np.arange(len(line)), line, group))
    stays = np.empty(len(line), np.int64)
    stays[by_line] = np.cumsum(~present[by_line])
    found: Flags = present & ~_is_first(_numbered(stays, address // shape.sector))
    return found


def stack_distance(lines: Integers) -> Integers:
    """Return for each access how many other lines were touched since the last touch of its own; -1 at the first touch."""
    previous = _previous(lines)
    index = np.arange(len(lines))
    # Of the accesses between the last touch p and now, those whose own last touch is later than p repeat a line.
    repeats = _greater_before(previous)
    return np.where(previous == NEVER, NEVER, index - previous - 1 - repeats)


def _previous(keys: Integers) -> Integers:
    order = np.argsort(keys, kind="stable")
    same = np.zeros(len(keys), np.bool_)
    same[1:] = keys[order][1:] == keys[order][:-1]
    previous = np.full(len(keys), NEVER, np.int64)
    previous[order[same]] = order[:-1][same[1:]] if len(keys) else 0
    return previous


def _greater_before(values: Integers) -> Integers:
    """Return for each entry how many entries before it are greater: a merge sort that counts, all runs of a level at once."""
    count = np.zeros(len(values), np.int64)
    index = np.arange(len(values))
    width = 1
    while width < len(values):
        pair, right = index // (2 * width), index // width % 2 == 1
        order = np.lexsort((~right, -values, pair))  # of equals the right ones first: the left are not greater
        lefts = np.cumsum(~right[order])
        at = order[right[order]]
        count[at] += lefts[right[order]] - pair[at] * width
        width *= 2
    return count


def _numbered(first: Integers, second: Integers) -> Integers:
    """Return one number per pair, equal for equal pairs."""
    _, a = np.unique(first, return_inverse=True)
    _, b = np.unique(second, return_inverse=True)
    return np.asarray(a * (b.max(initial=0) + 1) + b, np.int64)


def _is_first(keys: Integers) -> Flags:
    first: Flags = _previous(keys) == NEVER
    return first


@dataclass(frozen=True)
class _Seen:
    """What became of each access: 1-D arrays of one length."""

    reads: Flags
    missed: Flags
    """Reads that reach the second level."""
    found: Flags
    """Sectors that the second level has."""

    def of(self, chosen: Flags) -> Traffic:
        asked = self.missed & chosen
        return Traffic(int((self.reads & chosen).sum()), int(asked.sum()), int((asked & self.found).sum()),
                       int((~self.reads & chosen).sum()))  # fmt: skip

    def each(self, keys: Integers) -> dict[int, Traffic]:
        return {int(key): self.of(keys == key) for key in np.unique(keys)}


def _pressure(lines: Integers, sets: int) -> float | None:
    used = np.bincount(np.unique(lines) % sets, minlength=sets)
    return float(used.max() / used.mean()) if used.any() else None


def _histogram(distances: Integers) -> tuple[int, ...]:
    bins = np.ceil(np.log2(distances + 1.0)).astype(np.int64)
    return tuple(np.bincount(bins).tolist()) if len(bins) else ()
