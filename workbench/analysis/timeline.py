"""Whose time each instant of a trace was: kernel > other kernel > copy > synchronisation > allocation > host stage.

All arithmetic is on int64 nanoseconds, so the owners' sums and the remainder make up the wall time exactly. Of two copies at
once the one to the device owns the instant; of nested host stages the innermost. API calls own nothing: what they wait for
does, and the rest of them belongs to the host stage they were made in. Events are cut at the repeat's start and end.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.events import KINDS, Trace

PRIORITY = ("kernel", "other", "h2d", "d2h", "sync", "alloc")
"""Kinds that own an instant, first to last; after them come the host stages."""
CPU_PREFIX = "cpu:"

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OwnerIntervals:
    """Disjoint intervals in order of time: int64 nanoseconds, `owner` (int64) indexes `keys`; gaps have no owner."""

    start: Ints
    duration: Ints
    owner: Ints
    keys: tuple[str, ...]


def stage_key(kind: str, name: str) -> str:
    """Return the stage key of an event: its kind, or `cpu:<name>` for a host stage."""
    return CPU_PREFIX + name if kind == "cpu" else kind


def stage_sums(trace: Trace) -> Mapping[str, int]:
    """Return nanoseconds by stage key, each instant counted once; trace.wall − sum of them is the remainder, never negative.

    Keys: the kind for `kernel`, `other`, `h2d`, `d2h`, `sync`, `alloc`, and `cpu:<name>` for host stages. A stage that had
    events but owned no instant is there with 0.
    """
    owners = owner_intervals(trace)
    sums = np.zeros(len(owners.keys), dtype=np.int64)
    np.add.at(sums, owners.owner, owners.duration)
    return {key: int(total) for key, total in zip(owners.keys, sums, strict=True)}


def owner_intervals(trace: Trace) -> OwnerIntervals:
    """Return who owns each instant of the repeat, neighbouring intervals of one owner joined."""
    start, end = _clipped(trace)
    edges = np.unique(np.concatenate([start, end]))
    present = [kind for kind in PRIORITY if bool(np.any(trace.kind == KINDS.index(kind)))]
    host = _host_events(trace, start, end)
    keys = (*present, *(CPU_PREFIX + name for name in sorted({name for _, _, name in host})))
    if len(edges) < 2:
        return _joined(edges[:1], edges[:0], keys)
    owner = _host_owners(edges, host, {key: index for index, key in enumerate(keys)})
    for index in reversed(range(len(present))):
        chosen = trace.kind == KINDS.index(present[index])
        owner[_covered(edges, start[chosen], end[chosen])] = index
    return _joined(edges, owner, keys)


def _clipped(trace: Trace) -> tuple[Ints, Ints]:
    """Starts and ends inside [0, wall]; a negative duration counts as none."""
    start = np.clip(trace.start, 0, trace.wall).astype(np.int64)
    end = np.clip(trace.start + np.maximum(trace.duration, 0), 0, trace.wall).astype(np.int64)
    return start, end


def _covered(edges: Ints, start: Ints, end: Ints) -> npt.NDArray[np.bool_]:
    """For each elementary interval between two edges: does at least one of these events cover it?"""
    steps = np.zeros(len(edges), dtype=np.int64)
    np.add.at(steps, np.searchsorted(edges, start), 1)
    np.add.at(steps, np.searchsorted(edges, end), -1)
    return np.cumsum(steps)[:-1] > 0


def _host_events(trace: Trace, start: Ints, end: Ints) -> list[tuple[int, int, str]]:
    """Start, end and name of the host stages, in an order that depends on nothing but them."""
    rows = np.flatnonzero(trace.kind == KINDS.index("cpu"))
    return sorted((int(start[row]), int(end[row]), trace.names[int(trace.name[row])]) for row in rows)


def _host_owners(edges: Ints, host: list[tuple[int, int, str]], index: Mapping[str, int]) -> Ints:
    """The innermost host stage of each elementary interval (latest start, then earliest end, then name), −1 for none."""
    owner = np.full(len(edges) - 1, -1, dtype=np.int64)
    points = sorted({edge for start, end, _ in host for edge in (start, end)})
    active: list[tuple[int, int, str]] = []
    following = 0
    for left, right in itertools.pairwise(points):
        while following < len(host) and host[following][0] <= left:
            start, end, name = host[following]
            heapq.heappush(active, (-start, end, name))
            following += 1
        while active and active[0][1] <= left:
            heapq.heappop(active)
        if active:
            first, last = np.searchsorted(edges, [left, right])
            owner[first:last] = index[CPU_PREFIX + active[0][2]]
    return owner


def _joined(edges: Ints, owner: Ints, keys: tuple[str, ...]) -> OwnerIntervals:
    if not len(owner):
        nothing = np.zeros(0, dtype=np.int64)
        return OwnerIntervals(nothing, nothing, nothing, keys)
    first = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
    begin = edges[first]
    finish = np.append(begin[1:], edges[-1])
    owned = owner[first] >= 0
    return OwnerIntervals(begin[owned], (finish - begin)[owned], owner[first][owned], keys)
