"""From the slots of a case to device memory and launch arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from workbench.plugin_api import Argument, Buffer, Compiled, Loaded, WorkerDevice
from workbench.worker import arrays, protocol


@dataclass(frozen=True)
class Bound:
    """Launch arguments in order, and the buffers among them by their slot."""

    arguments: tuple[Argument, ...]
    buffers: dict[str, Buffer]

    @property
    def all_buffers(self) -> Sequence[Buffer]:
        """The buffers in argument order."""
        return tuple(self.buffers.values())


def scalar(dtype: str, value: float | int) -> np.generic[Any]:
    """Return a scalar of the declared dtype. bfloat16 scalars are their 16 bits."""
    if dtype == "bfloat16":
        bits = np.float32(value).view(np.uint32)
        return np.uint16((int(bits) + 0x7FFF + ((int(bits) >> 16) & 1)) >> 16)
    made: np.generic[Any] = np.dtype(dtype).type(value)
    return made


def slot_bytes(slot: protocol.Slot) -> int:
    """Return the bytes of an array slot."""
    return prod(slot.shape) * arrays.host_dtype(slot.dtype).itemsize


@contextmanager
def bound(device: WorkerDevice, slots: Sequence[protocol.Slot]) -> Iterator[Bound]:
    """Allocate every array slot at a fresh address and give all back at the end. Contents are not written."""
    arguments: list[Argument] = []
    buffers: dict[str, Buffer] = {}
    try:
        for slot in slots:
            if slot.value is not None:
                arguments.append(scalar(slot.dtype, slot.value))
            else:
                buffers[slot.name] = device.allocate(slot_bytes(slot))
                arguments.append(buffers[slot.name])
        yield Bound(tuple(arguments), buffers)
    finally:
        for buffer in buffers.values():
            device.free(buffer)


def load(device: WorkerDevice, binary: protocol.Binary) -> Loaded:
    """Load a compiled version afresh."""
    return device.load(Compiled(Path(binary.path), binary.symbol, binary.data), binary.constants)
