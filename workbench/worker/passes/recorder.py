"""Collects the events of one repeat of a pipeline and turns them into a `Trace`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from workbench.model.events import KINDS, Trace
from workbench.plugin_api import DeviceTracer

_NANO = 1e9
HOST_LANE = "Host"


class Recorder:
    """Host intervals as they happen; device work as tickets that are resolved after the repeat. Off: does nothing."""

    def __init__(self, tracer: DeviceTracer, *, on: bool) -> None:
        self.on = on
        self._tracer = tracer
        self._host: list[tuple[str, str, str, float, float]] = []
        self._device: list[tuple[str, str, str, int]] = []

    @contextmanager
    def host(self, kind: str, name: str, lane: str = HOST_LANE) -> Iterator[None]:
        """Record a host interval around the block."""
        if not self.on:
            yield
            return
        start = time.perf_counter()
        try:
            yield
        finally:
            self._host.append((kind, lane, name, start, time.perf_counter()))

    def device(self, kind: str, name: str, stream: int, ticket: int) -> None:
        """Record device work whose span is known after the repeat."""
        if self.on:
            self._device.append(
                (kind, f"Stream {stream}" if kind in ("kernel", "other") else f"Copies, stream {stream}", name, ticket)
            )

    def trace(self, start: float, end: float) -> Trace:
        """Return all events on an axis that begins at `start` (seconds, `perf_counter`), clipped to [start, end]."""
        rows = list(self._host)
        for kind, lane, name, ticket in self._device:
            began, ended = self._tracer.resolve(ticket)
            rows.append((kind, lane, name, began, ended))
        rows.sort(key=lambda row: row[3])
        lanes = tuple(dict.fromkeys([HOST_LANE, *sorted(row[1] for row in rows)]))
        names = tuple(dict.fromkeys(row[2] for row in rows))
        wall = round((end - start) * _NANO)
        starts = np.clip(np.array([round((row[3] - start) * _NANO) for row in rows], np.int64), 0, wall)
        ends = np.clip(np.array([round((row[4] - start) * _NANO) for row in rows], np.int64), 0, wall)
        return Trace(
            start=starts,
            duration=np.maximum(ends - starts, 0),
            kind=np.array([KINDS.index(row[0]) for row in rows], np.uint8),
            lane=np.array([lanes.index(row[1]) for row in rows], np.uint16),
            name=np.array([names.index(row[2]) for row in rows], np.uint32),
            names=names,
            lanes=lanes,
            wall=wall,
        )
