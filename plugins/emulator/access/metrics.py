"""What a request costs: sectors of global memory, wavefronts of shared memory. A row of addresses is one request of a warp."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.plugin_api import BANK_BYTES, BANKS, SECTOR_BYTES

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
NONE = -1
"""The address of a lane that takes no part."""
_LAST = np.iinfo(np.int64).max
_PARTS = {8: 2, 16: 4}
"""Bytes per lane: the parts of a warp that a shared request of that width is processed in."""


def sectors_of(addresses: Integers, width: Integers) -> tuple[Integers, Flags]:
    """Return the sectors of each request, rising, and which of them count: the first of equal ones.

    `addresses` is (requests, 32) with NONE for inactive lanes, `width` the bytes per lane. Both results are (requests, 32), or
    (requests, 64) where a lane that is not aligned touches two sectors. `l1tex__t_sectors_pipe_lsu_mem_global_op_*` counts each
    sector of a request once (Nsight Compute documentation, memory tables).
    """
    first = addresses // SECTOR_BYTES
    last = (addresses + width[:, None] - 1) // SECTOR_BYTES
    active = addresses != NONE
    both = np.where(active, first, _LAST)
    astride = active & (last != first)
    if astride.any():
        both = np.concatenate((both, np.where(astride, last, _LAST)), axis=1)
    both.sort(axis=1)
    fresh = both != _LAST
    fresh[:, 1:] &= both[:, 1:] != both[:, :-1]
    return both, fresh


def used_bytes(addresses: Integers, width: Integers) -> Integers:
    """Return the distinct bytes of each request; lanes overlap by whole words or not at all, as aligned accesses do."""
    ordered = np.where(addresses == NONE, _LAST, addresses)
    ordered = np.sort(ordered, axis=1)
    fresh = ordered != _LAST
    fresh[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    distinct: Integers = fresh.sum(axis=1) * width
    return distinct


def ideal_sectors(used: Integers) -> Integers:
    """Return the fewest sectors that hold so many bytes."""
    least: Integers = -(-used // SECTOR_BYTES)
    return least


def wavefronts_of(addresses: Integers, width: Integers, reads: Flags) -> tuple[Integers, Integers]:
    """Return the wavefronts of each shared request, and how many it needs without any conflict.

    32 banks of 4 bytes: a wavefront serves one word of each bank to all lanes that want it (CUDA C++ Programming Guide, shared
    memory of compute capability 5.x and later). Requests of 8 and 16 bytes per lane are processed by halves and quarters of the
    warp; parts without active lanes cost nothing. Two parts of a read go together where neighbours share addresses (`_paired`).
    Stores are never joined.
    """
    fronts = np.zeros(len(addresses), np.int64)
    ideal = np.zeros(len(addresses), np.int64)
    paired = reads & _paired(addresses)
    for size in np.unique(width):
        parts = _PARTS.get(int(size), 1)
        for rows, split in ((paired, max(parts // 2, 1)), (~paired, parts)):
            chosen = rows & (width == size)
            for part in np.split(addresses[chosen], split, axis=1):
                count = _most_per_bank(part, max(int(size) // BANK_BYTES, 1))
                fronts[chosen] += count
                ideal[chosen] += count > 0
    return fronts, ideal


def not_measured(addresses: Integers, width: Integers, reads: Flags) -> Flags:
    """Return which shared requests cost what no GPU was asked about: loads of 16 bytes, and of 8 whose parts go together.

    All else is held to an H200 (docs/emulator-access-truth.md): 4 bytes, stores of any width, loads of 8 bytes by halves.
    """
    unknown: Flags = reads & (width == 16)
    rows = np.flatnonzero(reads & (width == 8))
    if len(rows):
        chosen, bytes_each = addresses[rows], width[rows]
        joined, apart = (wavefronts_of(chosen, bytes_each, np.full(len(rows), read)) for read in (True, False))
        unknown[rows] = (joined[0] != apart[0]) | (joined[1] != apart[1])
    return unknown


def _paired(addresses: Integers) -> Flags:
    """Return where each lane's neighbour (lane ^ 1 of all lanes, or lane ^ 2 of all) has its address or takes no part.

    Such loads of 8 and 16 bytes come back in half as many parts (NVIDIA's G. Smith on forums.developer.nvidia.com, thread 77228,
    for compute capability 7.x).
    """
    lanes = np.arange(addresses.shape[1])
    paired = np.zeros(len(addresses), np.bool_)
    for step in (1, 2):
        other = addresses[:, lanes ^ step]
        paired |= ((addresses == other) | (addresses == NONE) | (other == NONE)).all(axis=1)
    return paired


def _most_per_bank(addresses: Integers, words: int) -> Integers:
    """Return, for each row, the most distinct words that any bank has to give."""
    first = np.where(addresses == NONE, NONE, addresses // BANK_BYTES)
    every = np.concatenate([np.where(first == NONE, NONE, first + word) for word in range(words)], axis=1)
    every.sort(axis=1)
    fresh = every != NONE
    fresh[:, 1:] &= every[:, 1:] != every[:, :-1]
    bank = np.where(fresh, every % BANKS, BANKS)
    cells = (np.arange(len(addresses))[:, None] * (BANKS + 1) + bank).reshape(-1)
    counts = np.bincount(cells, minlength=len(addresses) * (BANKS + 1)).reshape(-1, BANKS + 1)
    most: Integers = counts[:, :BANKS].max(axis=1, initial=0)
    return most


def lanes_of(mask: npt.NDArray[Any]) -> Flags:
    """Return a (requests, 32) table of which lanes take part."""
    table: Flags = (mask[:, None] >> np.arange(32, dtype=np.uint32)) & 1 != 0
    return table
