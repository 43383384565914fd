"""Device work of a pipeline on the emulator: done at once, timed with the host's own clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from plugins.emulator.memory import numpy_dtype, own
from workbench.plugin_api import Argument, Array, Buffer, Loaded, ResolvedLaunch, WorkerDevice

Span = tuple[float, float]


class EmulatorTracer:
    """Synchronous `DeviceTracer`: a ticket's span is known as soon as it is given out. Streams run in the order of calls."""

    def __init__(self, device: WorkerDevice) -> None:
        self._device = device
        self._spans: list[Span] = []

    def begin(self) -> None:
        """Forget earlier tickets; host and device share one clock."""
        self._spans.clear()

    def allocate(self, nbytes: int) -> Buffer:
        """Allocate memory."""
        return self._device.allocate(nbytes)

    def free(self, buffer: Buffer) -> None:
        """Free memory."""
        self._device.free(buffer)

    def host_array(self, shape: tuple[int, ...], dtype: str, *, pinned: bool) -> Array:
        """Return ordinary host memory; there is nothing to pin."""
        return np.empty(shape, numpy_dtype(dtype))

    def upload(self, buffer: Buffer, array: Array, stream: int, traced: bool) -> int:
        """Copy host to device."""
        return self._timed(lambda: self._device.write(buffer, array))

    def download(self, array: Array, buffer: Buffer, stream: int, traced: bool) -> int:
        """Copy device to host into `array`, which must be contiguous."""
        return self._timed(lambda: _read_into(array, buffer))

    def launch(self, kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument], stream: int, traced: bool) -> int:
        """Run a kernel."""
        return self._timed(lambda: self._device.launch(kernel, launch, arguments))

    def record(self, stream: int) -> int:
        """Return a mark; all earlier work is done already."""
        return 0

    def wait(self, stream: int, mark: int) -> None:
        """Nothing waits: all work is done."""

    def synchronize(self, stream: int | None = None) -> None:
        """Nothing waits: all work is done."""

    def resolve(self, ticket: int) -> Span:
        """Return when the ticket's work ran, in seconds of `time.perf_counter`."""
        return self._spans[ticket]

    def _timed(self, work: Callable[[], None]) -> int:
        start = time.perf_counter()
        work()
        self._spans.append((start, time.perf_counter()))
        return len(self._spans) - 1


def _read_into(array: Array, buffer: Buffer) -> None:
    if not array.flags.c_contiguous:
        raise ValueError("download needs a contiguous array")
    array.reshape(-1).view(np.uint8)[:] = own(buffer).view(count=array.nbytes)
