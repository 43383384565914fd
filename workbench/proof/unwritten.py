"""Which output elements a kernel never wrote: run it twice over complementary poisons (method section 3)."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
POISONS = (0xFF, 0x00)
"""Byte patterns of the two runs, each other's complement. 0xFF is a NaN in every floating type and −1 in signed integers, so
that a kernel that adds to its output, or reads it, is seen in the comparison too."""
CHUNK = 1 << 16


_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


class Unwritten(msgspec.Struct, frozen=True):
    """How many elements kept the poison in both runs, and where the first of them is."""

    count: int
    first: tuple[int, ...] | None


def find_unwritten(first: Array, second: Array, *, poisons: tuple[int, int] = POISONS) -> Unwritten:
    """Return the elements whose every byte is `poisons[0]` after the first run and `poisons[1]` after the second.

    Both arrays are the same output in its memory form, C order, equal shapes. A written element that happens to equal one
    poison cannot equal both, so nothing written is ever accused, of integers neither.
    """
    if first.shape != second.shape or first.dtype != second.dtype:
        raise ValueError("the two runs of an output must have one shape and type")
    count, place = 0, None
    flat = first.reshape(-1), second.reshape(-1)
    for begin in range(0, first.size, CHUNK):
        both = _all_bytes(flat[0][begin : begin + CHUNK], poisons[0])
        if both.any():
            both &= _all_bytes(flat[1][begin : begin + CHUNK], poisons[1])
        found = int(np.count_nonzero(both))
        if found and place is None:
            place = tuple(int(i) for i in np.unravel_index(begin + int(np.argmax(both)), first.shape)) if first.shape else ()
        count += found
    return Unwritten(count, place)


def poisoned(shape: tuple[int, ...], dtype: str, poison: int) -> Array:
    """Return an array of a numpy dtype whose every byte is `poison`."""
    array = np.empty(shape, dtype=dtype)
    array.reshape(-1).view(np.uint8)[...] = poison
    return array


def _all_bytes(values: Array, poison: int) -> npt.NDArray[np.bool_]:
    width = values.dtype.itemsize
    bits = np.ascontiguousarray(values).view(_UNSIGNED[width])
    kept: npt.NDArray[np.bool_] = bits == int.from_bytes(bytes([poison]) * width, "little")
    return kept
