"""A trace as rows of bars that do not overlap, and what of a row is drawn. Whole nanoseconds; no widget."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ui.timeline.view import View
from workbench.model.events import KINDS, Trace

Ints = npt.NDArray[np.int64]
LIKE = 0.02
"""A fraction: one traced repeat of each side does not tell smaller changes from the host's drift."""
Change = Literal["appeared", "vanished", "grew", "shrank", "same"]


@dataclass(frozen=True, slots=True)
class LaneRow:
    """Events of one lane that follow each other, in order of start. `events` are their indices in the trace."""

    title: str
    depth: int
    start: Ints
    end: Ints
    kind: npt.NDArray[np.uint8]
    events: Ints

    @property
    def busy(self) -> int:
        """Nanoseconds in which an event of this row ran."""
        return int((self.end - self.start).sum())


class Bar(NamedTuple):
    """A rectangle to draw: pixels left to right (right not included) and the event it stands for."""

    left: int
    right: int
    event: int


class Difference(NamedTuple):
    """What became of all events of one name, nanoseconds and calls. A side without them is None."""

    name: str
    kind: str
    change: Change
    before: int | None
    after: int | None
    calls_before: int
    calls_after: int

    @property
    def delta(self) -> int:
        """after − before, a missing side counting as 0."""
        return (self.after or 0) - (self.before or 0)


def rows_of(trace: Trace) -> list[LaneRow]:
    """Return the rows of every lane that has events; events that overlap within a lane go to rows below."""
    rows: list[LaneRow] = []
    order = np.argsort(trace.start, kind="stable").astype(np.int64)
    for lane, title in enumerate(trace.lanes):
        events = order[trace.lane[order] == lane]
        if not len(events):
            continue
        depths = _depths(trace.start[events], trace.start[events] + trace.duration[events])
        for depth in range(int(depths.max()) + 1):
            own = events[depths == depth]
            rows.append(_row(trace, title, depth, own))
    return rows


def _row(trace: Trace, title: str, depth: int, events: Ints) -> LaneRow:
    start = trace.start[events]
    return LaneRow(title, depth, start, start + trace.duration[events], trace.kind[events], events)


def _depths(start: Ints, end: Ints) -> Ints:
    """Return the first free row for each event; `start` ascends."""
    if len(start) < 2 or bool((start[1:] >= np.maximum.accumulate(end)[:-1]).all()):
        return np.zeros(len(start), np.int64)
    depths = np.zeros(len(start), np.int64)
    running: list[tuple[int, int]] = []
    free: list[int] = []
    rows = 0
    for index, (begin, stop) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        while running and running[0][0] <= begin:
            heapq.heappush(free, heapq.heappop(running)[1])
        depth = heapq.heappop(free) if free else rows
        rows = max(rows, depth + 1)
        depths[index] = depth
        heapq.heappush(running, (stop, depth))
    return depths


def bars(row: LaneRow, view: View) -> list[Bar]:
    """Return at most one rectangle per pixel column: of the events that begin in one column the longest is drawn."""
    first = int(np.searchsorted(row.end, view.start, side="right"))
    last = int(np.searchsorted(row.start, view.start + view.span, side="left"))
    if first >= last:
        return []
    start, end = row.start[first:last], row.end[first:last]
    left = (np.maximum(start, view.start) - view.start) * view.width // view.span
    right = -((view.start - np.minimum(end, view.start + view.span)) * view.width // view.span)
    right = np.maximum(right, left + 1)
    order = np.lexsort((start - end, left))
    columns = left[order]
    kept = order[np.concatenate(([True], columns[1:] != columns[:-1]))]
    return [Bar(int(left[k]), int(right[k]), int(row.events[first + k])) for k in kept]


def event_at(row: LaneRow, time: int, reach: int) -> int | None:
    """Return the event of a row that covers `time`, else the nearest one within `reach` nanoseconds, else None."""
    place = int(np.searchsorted(row.start, time, side="right"))
    near: list[tuple[int, int]] = []
    for k in (place - 1, place):
        if 0 <= k < len(row.start):
            distance = max(int(row.start[k]) - time, time - int(row.end[k]), 0)
            near.append((distance, int(row.events[k])))
    distance, event = min(near, default=(reach + 1, -1))
    return event if distance <= reach else None


def differences(before: Trace, after: Trace) -> list[Difference]:
    """Return what became of each event name of the device and the host, the greatest change first."""
    sides = (_totals(before), _totals(after))
    found: list[Difference] = []
    for kind, name in dict.fromkeys([*sides[0], *sides[1]]):
        old, new = (side.get((kind, name)) for side in sides)
        before_time, before_calls = old if old else (None, 0)
        after_time, after_calls = new if new else (None, 0)
        found.append(Difference(name, kind, _change(before_time, after_time), before_time, after_time, before_calls, after_calls))
    return sorted(found, key=lambda difference: -abs(difference.delta))


def _change(before: int | None, after: int | None) -> Change:
    if before is None:
        return "appeared"
    if after is None:
        return "vanished"
    if abs(after - before) <= LIKE * before:
        return "same"
    return "grew" if after > before else "shrank"


def _totals(trace: Trace) -> dict[tuple[str, str], tuple[int, int]]:
    key = trace.kind.astype(np.int64) * (len(trace.names) + 1) + trace.name
    values, inverse, calls = np.unique(key, return_inverse=True, return_counts=True)
    totals = np.zeros(len(values), np.int64)
    np.add.at(totals, inverse, trace.duration)
    return {
        (KINDS[int(value) // (len(trace.names) + 1)], trace.names[int(value) % (len(trace.names) + 1)]): (int(total), int(count))
        for value, total, count in zip(values, totals, calls, strict=True)
    }
