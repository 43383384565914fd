"""A pipeline's device work on numbered streams, each piece between two events whose common zero is tied to the host's clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from cupy.cuda import alloc_pinned_memory, runtime

from plugins.cuda.faults import driver_faults
from plugins.cuda.launch import Launcher, own_kernel, pack
from plugins.cuda.memory import TO_DEVICE, TO_HOST, CudaBuffer, own
from workbench.plugin_api import Argument, Array, Buffer, Loaded, ResolvedLaunch

_TIES = 9
"""Tries to tie the base event to the host's clock; the one with the narrowest bracket counts."""
_NOT_TRACED = -1


@dataclass(frozen=True)
class _Piece:
    start: int
    end: int


class CudaTracer:
    """Stream 0 is the default stream, the others are ordinary (blocking) streams, as a plain program has them.

    A span runs from when the stream reached the piece to when it was done with it: for a kernel that includes the events'
    own constant, a few microseconds. Times come as float32 milliseconds since `begin`, so they are exact to 10 ns within a
    tenth of a second and to 1 us within ten.
    """

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._streams: dict[int, int] = {0: 0}
        self._pieces: list[_Piece] = []
        self._idle_events: list[int] = []
        self._marks: list[int] = []
        self._base = 0
        self._base_time = math.nan
        self._buffers: set[int] = set()

    def begin(self) -> None:
        """Set the common zero: the middle of the narrowest host bracket around an event on the idle device."""
        with driver_faults():
            runtime.deviceSynchronize()
            for piece in self._pieces:
                self._idle_events += [piece.start, piece.end]
            self._pieces.clear()
            self._idle_events += self._marks
            self._marks.clear()
            narrowest = math.inf
            for _ in range(_TIES):
                event = self._event()
                before = time.perf_counter()
                runtime.eventRecord(event, 0)
                runtime.eventSynchronize(event)
                after = time.perf_counter()
                if after - before < narrowest:
                    narrowest = after - before
                    if self._base:
                        self._idle_events.append(self._base)
                    self._base, self._base_time = event, (before + after) / 2
                else:
                    self._idle_events.append(event)

    def _event(self) -> int:
        return self._idle_events.pop() if self._idle_events else runtime.eventCreate()

    def _stream(self, number: int) -> int:
        if number not in self._streams:
            self._streams[number] = runtime.streamCreate()
        return self._streams[number]

    def _queue(self, stream: int, traced: bool, work: Callable[[int], None]) -> int:
        """Queue `work` on a stream, between two events when `traced`, and return its ticket."""
        with driver_faults():
            handle = self._stream(stream)
            if not traced:
                work(handle)
                return _NOT_TRACED
            piece = _Piece(self._event(), self._event())
            runtime.eventRecord(piece.start, handle)
            work(handle)
            runtime.eventRecord(piece.end, handle)
        self._pieces.append(piece)
        return len(self._pieces) - 1

    def allocate(self, nbytes: int) -> CudaBuffer:
        """Allocate with cudaMalloc, without guards."""
        with driver_faults():
            address = runtime.malloc(max(1, nbytes))
        self._buffers.add(address)
        return CudaBuffer(nbytes, address, address, nbytes, 0)

    def free(self, buffer: Buffer) -> None:
        """Free with cudaFree, which waits for the device."""
        base = own(buffer).base
        self._buffers.discard(base)
        with driver_faults():
            runtime.free(base)

    def host_array(self, shape: tuple[int, ...], dtype: str, *, pinned: bool) -> Array:
        """Return host memory; the page-locked kind lives as long as the array."""
        kind = np.dtype("uint16" if dtype == "bfloat16" else dtype)
        if not pinned:
            return np.empty(shape, kind)
        with driver_faults():
            memory = alloc_pinned_memory(max(1, math.prod(shape) * kind.itemsize))
        array: Array = np.frombuffer(memoryview(memory), kind, math.prod(shape)).reshape(shape)
        return array

    def upload(self, buffer: Buffer, array: Array, stream: int, traced: bool) -> int:
        """Copy to the device; the driver itself waits for pageable memory."""
        address, source = own(buffer).address, np.ascontiguousarray(array)

        def work(handle: int) -> None:
            runtime.memcpyAsync(address, source.ctypes.data, source.nbytes, TO_DEVICE, handle)
            if source is not array:
                runtime.streamSynchronize(handle)

        return self._queue(stream, traced, work)

    def download(self, array: Array, buffer: Buffer, stream: int, traced: bool) -> int:
        """Copy into a contiguous host array; the driver itself waits for pageable memory."""
        if not array.flags.c_contiguous:
            raise ValueError("download needs a C-contiguous array")
        address = own(buffer).address

        def work(handle: int) -> None:
            runtime.memcpyAsync(array.ctypes.data, address, array.nbytes, TO_HOST, handle)

        return self._queue(stream, traced, work)

    def launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], stream: int, traced: bool) -> int:
        """Queue a kernel."""
        mine, packed = own_kernel(kernel), pack(arguments)
        self._launcher.check(mine, launch, arguments)

        def work(handle: int) -> None:
            self._launcher.launch_packed(mine, launch, packed, handle)

        return self._queue(stream, traced, work)

    def record(self, stream: int) -> int:
        """Record an event on a stream and return its handle; it is reused after the next `begin`."""
        with driver_faults():
            event = self._event()
            runtime.eventRecord(event, self._stream(stream))
        self._marks.append(event)
        return event

    def wait(self, stream: int, mark: int) -> None:
        """Let a stream wait for an event."""
        with driver_faults():
            runtime.streamWaitEvent(self._stream(stream), mark)

    def synchronize(self, stream: int | None = None) -> None:
        """Wait for one stream or for all."""
        with driver_faults():
            if stream is None:
                runtime.deviceSynchronize()
            else:
                runtime.streamSynchronize(self._stream(stream))

    def resolve(self, ticket: int) -> tuple[float, float]:
        """Return a piece's start and end on the `time.perf_counter` axis, in seconds."""
        if not 0 <= ticket < len(self._pieces):
            raise ValueError(f"ticket {ticket} belongs to no traced work since begin()")
        piece = self._pieces[ticket]
        with driver_faults():
            start = runtime.eventElapsedTime(self._base, piece.start)
            end = runtime.eventElapsedTime(self._base, piece.end)
        return self._base_time + start * 1e-3, self._base_time + end * 1e-3

    def close(self) -> None:
        """Give events, streams and memory back."""
        for piece in self._pieces:
            self._idle_events += [piece.start, piece.end]
        for event in [*self._idle_events, *self._marks, *([self._base] if self._base else [])]:
            runtime.eventDestroy(event)
        for number, handle in self._streams.items():
            if number:
                runtime.streamDestroy(handle)
        for address in self._buffers:
            runtime.free(address)
