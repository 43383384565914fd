"""The launches of tests/data/access: read by the tests and, on the GPU's machine, by measure.py. Needs NumPy alone."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "data" / "access"
LANES = 32
ELEMENTS = 1024
"""What a probe's memory holds, of 16 bytes at most."""
_RANDOM = np.random.default_rng(11)
PATTERNS: Mapping[str, Callable[[int], int]] = {
    "linear": lambda lane: lane,
    "reversed": lambda lane: 31 - lane,
    "same": lambda lane: 0,
    "two": lambda lane: lane // 16,
    "pairs": lambda lane: lane // 2,
    "halves": lambda lane: lane % 16,
    "quarters": lambda lane: lane % 8,
    "stride 2": lambda lane: 2 * lane,
    "stride 4": lambda lane: 4 * lane,
    "stride 32": lambda lane: 32 * lane,
    "stride 33": lambda lane: 33 * lane,
    "swapped halves": lambda lane: lane ^ 16,
    "spread": lambda lane: (lane * 7) % 32,
    "even lanes": lambda lane: lane if lane % 2 == 0 else -1,
    "first eight": lambda lane: lane if lane < 8 else -1,
    "one of each quarter": lambda lane: lane if lane % 8 == 0 else -1,
    "last lane": lambda lane: 5 if lane == 31 else -1,
    "one of each half, one bank": lambda lane: 32 * lane if lane % 16 == 0 else -1,
}
"""Which element each lane of a probe's warp touches; a negative one switches the lane off."""
SCATTERED = tuple(tuple(int(k) for k in _RANDOM.integers(0, ELEMENTS, LANES)) for _ in range(3))
"""Three more patterns: elements drawn at random."""


@dataclass(frozen=True)
class KernelLaunch:
    """One launch. `arguments` are names of arrays and sizes; `pattern` names a probe's map."""

    file: str
    entry: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[str, ...]
    pattern: str = ""
    shared_bytes: int = 0

    @property
    def name(self) -> str:
        """What the figures are kept under."""
        return f"{self.entry}, {self.pattern}" if self.pattern else self.entry


def read_launches() -> tuple[KernelLaunch, ...]:
    """Return the kernels' launches."""
    content = tomllib.loads((FOLDER / "launches.toml").read_text(encoding="utf-8"))
    return tuple(
        KernelLaunch(one["file"], one["entry"], tuple(one["grid"]), tuple(one["block"]), tuple(one["arguments"]))
        for one in content["kernel"]
    )


def probe_maps() -> dict[str, np.ndarray[Any, np.dtype[np.int32]]]:
    """Return each pattern's map of one warp."""
    maps = {name: np.array([pattern(lane) for lane in range(LANES)], np.int32) for name, pattern in PATTERNS.items()}
    return maps | {f"scattered {number}": np.array(row, np.int32) for number, row in enumerate(SCATTERED)}


def probe_launches() -> tuple[KernelLaunch, ...]:
    """Return the launches of one warp with known addresses."""
    entries = [f"{space}_{kind}_{width}" for space in ("shared", "global") for kind in ("read", "write") for width in (4, 8, 16)]
    arguments = ("map", "probed", "y")
    return tuple(
        KernelLaunch("probes.cu", entry, (1,), (LANES,), arguments, name, ELEMENTS * 16 if entry.startswith("shared") else 0)
        for entry in entries
        for name in probe_maps()
    )


def draw_arrays() -> tuple[dict[str, np.ndarray[Any, np.dtype[Any]]], dict[str, int]]:
    """Return the arrays by name, in the order in which they are drawn, and the sizes."""
    content = tomllib.loads((FOLDER / "launches.toml").read_text(encoding="utf-8"))
    rng, arrays = np.random.default_rng(7), {}
    for one in content["array"]:
        arrays[one["name"]] = _draw(rng, one["draw"], np.dtype(one["dtype"]), one["count"])
    arrays["probed"] = np.zeros(ELEMENTS * 4, np.float32)
    return arrays, content["sizes"]


def _draw(rng: np.random.Generator, how: str, kind: np.dtype[Any], count: int) -> np.ndarray[Any, np.dtype[Any]]:
    if how == "normal":
        return rng.standard_normal(count).astype(kind)
    if how == "bytes":
        return rng.integers(0, 256, count, dtype=np.uint8)
    if how == "indices":
        return rng.integers(0, count, count, dtype=np.int32)
    return np.zeros(count, kind)


def three(extents: tuple[int, ...]) -> tuple[int, int, int]:
    """Return a grid or block with three extents."""
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z
