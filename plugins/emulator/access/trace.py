"""The runtime's side of the analysis seen from Python: traced launches, the edges they took, and replayed requests.

The structures are those of resources/emulator/runtime/trace.h, streams.h and lanes.h.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from plugins.emulator.access.flow import Edge, Flow
from workbench.plugin_api import Failure, Fault, message

MOST_EDGES = 1 << 18
ROOM_SLACK = 32 << 20
"""Bytes of room beyond the budget, so that the block that goes over it still fits."""
DYNAMIC_SHARED = 1 << 20
"""Where dynamic shared memory begins in the addresses of requests (kDynamicShared)."""
SHARED, LOCAL = 1, 2
"""`space` of a request; 0 is any other memory."""

REQUEST = np.dtype(
    [
        ("first_address", np.uint64), ("block", np.uint32), ("function", np.uint32), ("code", np.uint32), ("context", np.uint32),
        ("mask", np.uint32), ("run", np.uint32), ("parting", np.uint32), ("warp", np.uint16), ("bytes", np.uint16),
        ("access", np.uint8), ("space", np.uint8), ("reserved", np.uint16), ("end", np.uint32),
    ]
)  # fmt: skip
"""LedgerRequest."""


class TracedBlock(ctypes.Structure):
    """LedgerTracedBlock."""

    _fields_ = [
        ("events", ctypes.c_void_p),
        ("words", ctypes.c_uint64),
        ("static_shared", ctypes.c_uint64),
        ("static_bytes", ctypes.c_uint64),
        ("dynamic_shared", ctypes.c_uint64),
        ("dynamic_bytes", ctypes.c_uint64),
        ("stacks", ctypes.c_uint64),
        ("stack_bytes", ctypes.c_uint64),
        ("complete", ctypes.c_uint64),
    ]


class _Trace(ctypes.Structure):
    _fields_ = [
        ("order", ctypes.POINTER(ctypes.c_uint64)),
        ("order_count", ctypes.c_uint64),
        ("budget", ctypes.c_uint64),
        ("blocks", ctypes.POINTER(TracedBlock)),
        ("used", ctypes.c_uint64),
        ("module_begin", ctypes.c_uint64),
        ("rooms", ctypes.c_void_p * 64),
        ("room_bytes", ctypes.c_uint64),
        ("room_count", ctypes.c_uint64),
    ]


class _Edge(ctypes.Structure):
    _fields_ = [
        ("function", ctypes.c_uint32),
        ("source", ctypes.c_uint32),
        ("target", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("count", ctypes.c_uint64),
    ]


class _Graph(ctypes.Structure):
    _fields_ = [
        ("places", ctypes.c_uint64),
        ("function", ctypes.c_void_p),
        ("code", ctypes.c_void_p),
        ("loop", ctypes.c_void_p),
        ("ways", ctypes.c_void_p),
        ("way_loop", ctypes.c_void_p),
        ("way_meet", ctypes.c_void_p),
        ("parent", ctypes.c_void_p),
    ]


class _Requests(ctypes.Structure):
    _fields_ = [
        ("requests", ctypes.c_void_p),
        ("request_count", ctypes.c_uint64),
        ("addresses", ctypes.c_void_p),
        ("address_count", ctypes.c_uint64),
    ]


class Trace:
    """The events of one launch. `order` are the blocks to run; after the launch the first `complete` of them are kept whole."""

    def __init__(self, runtime: ctypes.CDLL, order: Sequence[int], threads: int, budget: int) -> None:
        self._runtime = runtime
        self.order = list(order)
        self.threads = threads
        self._order = (ctypes.c_uint64 * len(order))(*order)
        self._blocks = (TracedBlock * len(order))()
        self.raw = _Trace(self._order, len(order), budget, self._blocks, room_bytes=budget + ROOM_SLACK)
        self._release = weakref.finalize(self, runtime.ledger_trace_release, ctypes.pointer(self.raw))

    @property
    def address(self) -> int:
        """What a launch's request points to."""
        return ctypes.addressof(self.raw)

    @property
    def complete(self) -> int:
        """How many blocks from the first on were kept within the budget: the same number at every launch."""
        words = 0
        for index, block in enumerate(self._blocks):
            words += block.words
            if not block.complete or (index and words * 4 > self.raw.budget):
                return index
        return len(self._blocks)

    def words(self, index: int) -> int:
        """Return how many words of events a kept block has."""
        return int(self._blocks[index].words)

    def close(self) -> None:
        """Give the memory back."""
        self._release()

    def edges(self, blocks: int | None = None) -> list[Edge]:
        """Return every edge of the control flow that the kept blocks took, or the first of them."""
        first = self.complete if blocks is None else blocks
        room = (_Edge * MOST_EDGES)()
        count = self._runtime.ledger_trace_edges(self._blocks, ctypes.c_uint64(first), self.threads, room, MOST_EDGES)
        if count < 0 or count > MOST_EDGES:
            raise _no_memory()
        return [Edge(edge.function, edge.source, edge.target, edge.kind, edge.count) for edge in room[:count]]

    def requests(self, flow: Flow, begin: int, end: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint64]]:
        """Return the requests of kept blocks [begin, end) (REQUEST) and their addresses, one for each active lane in order."""
        columns = _columns(flow)
        graph = _Graph(len(flow.places), *(column.ctypes.data for column in columns))
        answer = _Requests()
        done = self._runtime.ledger_trace_requests(
            self._blocks, ctypes.c_uint64(begin), ctypes.c_uint64(end), self.threads, ctypes.byref(graph), ctypes.byref(answer)
        )
        if not done:
            raise _no_memory()
        return _copied(answer.requests, answer.request_count, REQUEST), _copied(
            answer.addresses, answer.address_count, np.dtype(np.uint64)
        )


def _no_memory() -> Fault:
    return Fault(
        Failure("Crashed", message("There is no memory left for the access analysis; trace fewer blocks or smaller sizes."))
    )


def _copied(address: int | None, count: int, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    if not count or not address:
        return np.empty(0, kind)
    memory = (ctypes.c_ubyte * (count * kind.itemsize)).from_address(address)
    return np.frombuffer(memoryview(memory).cast("B"), kind).copy()


def _columns(flow: Flow) -> list[npt.NDArray[Any]]:
    rows = [row for ways in flow.ways for row in ways]
    begins = np.cumsum([0, *(len(ways) for ways in flow.ways)])
    return [
        np.array([function for function, _ in flow.places], np.uint32),
        np.array([code for _, code in flow.places], np.uint32),
        np.array(flow.loop, np.int32),
        begins.astype(np.uint32),
        np.array([loop for loop, _ in rows], np.int32),
        np.array([meet for _, meet in rows], np.int32),
        np.array(flow.parent, np.int32),
    ]
