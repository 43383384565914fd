"""Device memory of the emulator and the array work that the contract asks of a device."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from workbench.plugin_api import Array, Buffer, ValueSpec

CHUNK = 1 << 20
"""Elements worked on at once where a temporary in float64 is needed."""


@dataclass(eq=False)
class EmulatorBuffer:
    """Bytes between guard areas; `slot` is the runtime's name for them."""

    nbytes: int
    address: int
    slot: int

    def view(self, dtype: str = "uint8", offset: int = 0, count: int | None = None) -> Array:
        """Return the live memory as a one-dimensional array (bfloat16 as uint16)."""
        kind = numpy_dtype(dtype)
        most = (self.nbytes - offset) // kind.itemsize
        size = most if count is None else count
        if size == 0:
            return np.empty(0, kind)
        memory = (ctypes.c_ubyte * (size * kind.itemsize)).from_address(self.address + offset)
        view: Array = np.frombuffer(memoryview(memory).cast("B"), kind)
        return view


def own(buffer: Buffer) -> EmulatorBuffer:
    """Return the buffer as this device's. A buffer of another device is a bug and raises TypeError."""
    if not isinstance(buffer, EmulatorBuffer):
        raise TypeError(f"{type(buffer).__name__} is not memory of the emulator")
    return buffer


def numpy_dtype(dtype: str) -> np.dtype[np.generic]:
    """Return how numpy carries a declared dtype; bfloat16 as uint16."""
    return np.dtype("uint16" if dtype == "bfloat16" else dtype)


def to_bfloat16(values: Array) -> Array:
    """Round float values to bfloat16, nearest even, as uint16 bits."""
    words = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((words + 0x7FFF + ((words >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FFF), rounded).astype(np.uint16)


def from_bfloat16(bits: Array) -> Array:
    """Return the float32 values of bfloat16 bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def as_double(values: Array, dtype: str) -> Array:
    """Return values of a declared dtype in float64."""
    return (from_bfloat16(values) if dtype == "bfloat16" else values).astype(np.float64)


def draw(count: int, dtype: str, values: ValueSpec, seed: int) -> Array:
    """Return `count` values of a distribution; the same seed gives the same values. Integers wrap like a C cast."""
    rng = np.random.Generator(np.random.PCG64(seed))
    if values.kind == "arange":
        drawn: Array = np.arange(count)
    elif values.kind in ("zeros", "ones"):
        drawn = np.full(count, 1 if values.kind == "ones" else 0)
    elif values.kind == "integers":
        drawn = rng.integers(int(values.low), int(values.high), count, dtype=np.int64)
    elif values.kind == "uniform":
        drawn = rng.uniform(values.low, values.high, count)
    else:
        drawn = rng.standard_normal(count)
    return cast(drawn, dtype)


def cast(values: Array, dtype: str) -> Array:
    """Return values in a declared dtype."""
    if dtype == "bfloat16":
        return to_bfloat16(values.astype(np.float32))
    kind = numpy_dtype(dtype)
    if kind.kind in "iu" and values.dtype.kind == "f":
        values = np.rint(values).astype(np.int64)
    with np.errstate(over="ignore"):
        return values.astype(kind)


def _chunks(count: int) -> Iterator[slice]:
    for begin in range(0, count, CHUNK):
        yield slice(begin, min(begin + CHUNK, count))


def differing(a: Array, b: Array, dtype: str, relative: float, absolute: float) -> int:
    """Return how many elements differ by more than relative·(|a| + RMS(a)) + absolute; NaN equals NaN, equal infinities agree.

    RMS is over the finite elements of `a`.
    """
    squares, finite_count = 0.0, 0
    for part in _chunks(a.size):
        values = as_double(a[part], dtype)
        finite = values[np.isfinite(values)]
        squares += float(finite @ finite)
        finite_count += finite.size
    rms = float(np.sqrt(squares / finite_count)) if finite_count else 0.0
    wrong = 0
    for part in _chunks(a.size):
        x, y = as_double(a[part], dtype), as_double(b[part], dtype)
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(x - y) <= relative * (np.abs(x) + rms) + absolute
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        wrong += int(np.count_nonzero(~(same | (near & np.isfinite(x) & np.isfinite(y)))))
    return wrong
