"""Inputs for the tables of semantics: edges first, then random bits; the same bytes on every machine and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

WIDTH = {"half": 2, "bf16": 2, "fp8": 1, "float": 4, "double": 8, "int": 4, "uint": 4, "ll": 8, "ull": 8, "short": 2}
"""Bytes of an element, by the names used in the cases."""

_EDGES = {
    "half": [0, 1, 2, 0x3FF, 0x400, 0x3BFF, 0x3C00, 0x3C01, 0x3800, 0x4000, 0x4248, 0x7BFF, 0x7C00, 0x7E00, 0x7FFF, 0x5BFF],
    "bf16": [0, 1, 2, 0x7F, 0x80, 0x3F7F, 0x3F80, 0x3F81, 0x4000, 0x4049, 0x4EFF, 0x4F00, 0x5F00, 0x7F7F, 0x7F80, 0x7FC0, 0x7FFF],
    "float": [
        0, 1, 0x7FFFFF, 0x800000, 0x3F000000, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40200000, 0x40600000, 0x42FE0000, 0x42FF0000,
        0x437F0000, 0x47FFE000, 0x477FDFFF, 0x477FE000, 0x477FF000, 0x33000000, 0x33800000, 0x33000001, 0x4EFFFFFF, 0x4F000000,
        0x4F7FFFFF, 0x4F800000, 0x5EFFFFFF, 0x5F000000, 0x5F800000, 0x43E80000, 0x47700000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000,
        0x7FFFFFFF, 0x7F000000, 0x00400000, 0x3E9A209B, 0x40490FDB,
    ],
    "double": [
        0, 1, 0xFFFFFFFFFFFFF, 0x10000000000000, 0x3FE0000000000000, 0x3FF0000000000000, 0x3FF0000000000001, 0x3FF8000000000000,
        0x4004000000000000, 0x40EFFE0000000000, 0x3E60000000000000, 0x41DFFFFFFFC00000, 0x41E0000000000000, 0x41EFFFFFFFE00000,
        0x43DFFFFFFFFFFFFF, 0x43E0000000000000, 0x43F0000000000000, 0x47EFFFFFE0000000, 0x47EFFFFFF0000000, 0x36A0000000000000,
        0x3690000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FFFFFFFFFFFFFFF, 0x4340000000000000,
    ],
    "uint": [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x00FF00FF, 0x80808080,
             0x7F7F7F7F, 0x80008000, 0x7FFF7FFF, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x01000001],
    "ull": [0, 1, 2, 31, 32, 33, 63, 64, 65, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x1000001000000, 0x20000000000001,
            0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0x8000000000000001, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF],
}  # fmt: skip
_EDGES_OF = {"int": "uint", "ll": "ull", "short": "uint", "fp8": "uint"}
_SIGN = {"half": 0x8000, "bf16": 0x8000, "float": 0x80000000, "double": 1 << 63}


def random_words(count: int, seed: int) -> npt.NDArray[np.uint64]:
    """Return 64-bit words by the splitmix64 recurrence (Steele, Lea and Flood 2014), which no library may change."""
    with np.errstate(over="ignore"):
        z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(
            seed * 0x5851F42D4C957F2D % 2**64
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def edges(kind: str) -> Array:
    """Return the edge values of a kind as unsigned words of its width, with both signs of floating ones."""
    words = [np.uint64(word) for word in _EDGES[_EDGES_OF.get(kind, kind)]]
    both = [*words, *(word | np.uint64(_SIGN[kind]) for word in words)] if kind in _SIGN else words
    return np.array(both, np.uint64).astype(f"u{WIDTH[kind]}")


def inputs(kinds: tuple[str, ...], count: int, seed: int, near: bool) -> list[Array]:
    """Return one array of unsigned words per kind: every pair of edges, then random words.

    `near` keeps the exponents of floating values close together, so that sums and products cancel and round.
    """
    every = [edges(kind) for kind in kinds]
    grids = np.meshgrid(*every[:2], indexing="ij") if len(every) > 1 else [every[0]]
    made = []
    for position, kind in enumerate(kinds):
        edge = grids[position].reshape(-1) if position < 2 else np.resize(every[position][::-1], grids[0].size)
        words = random_words(count, seed * 16 + position)
        drawn = words.astype(f"u{WIDTH[kind]}") if not near or kind not in _SIGN else _near(kind, words)
        few = edge if edge.size < count else edge[:: edge.size // (count // 2) + 1]
        made.append(np.concatenate([few, drawn])[:count])
    return made


def _near(kind: str, words: npt.NDArray[np.uint64]) -> Array:
    bits = WIDTH[kind] * 8
    fraction = {"half": 10, "bf16": 7, "float": 23, "double": 52}[kind]
    one = {"half": 15, "bf16": 127, "float": 127, "double": 1023}[kind]
    exponent = (words >> np.uint64(56)) % np.uint64(12) + np.uint64(one - 6)
    sign = (words >> np.uint64(55)) & np.uint64(1)
    rest = words & np.uint64((1 << fraction) - 1)
    made: Array = (sign << np.uint64(bits - 1) | exponent << np.uint64(fraction) | rest).astype(f"u{bits // 8}")
    return made


def within(low: float, high: float, kind: str, count: int, seed: int) -> Array:
    """Return values drawn evenly from [low, high] as words of a float or double, `low`, `high` and 0 first where inside."""
    share = (random_words(count, seed) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    values = low + share * (high - low)
    values[:2] = (low, high)
    if low <= 0 <= high:
        values[2:4] = (0.0, -0.0)
    return values.astype("f4" if kind == "float" else "f8").view("u4" if kind == "float" else "u8")
