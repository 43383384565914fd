"""Truth files of the semantics: results of a GPU, kept short. Each exact case keeps a digest of all of its results."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from tests.helpers.semantics_approximate import approximate
from tests.helpers.semantics_cases import Group, exact
from tests.helpers.semantics_inputs import WIDTH, Array
from tests.helpers.semantics_textures import fetches
from tests.helpers.semantics_tiles import tiles

KEPT = 200
"""Results of a case that are kept as they are, spread over its inputs; the digest is over all."""
_INFINITY = {"half": 0x7C00, "bf16": 0x7F80, "float": 0x7F800000, "double": 0x7FF0000000000000}
_NAN = {"half": 0x7FFF, "bf16": 0x7FFF, "float": 0x7FFFFFFF, "double": 0x7FFFFFFFFFFFFFFF}


def groups() -> list[Group]:
    """Return every group, exact and approximate. Names are unique."""
    return [*exact(), *approximate()]


def one_nan(kind: str, words: Array) -> Array:
    """Return result words with every NaN replaced by CUDA's canonical one: payloads are not promised."""
    if kind not in _NAN:
        return words
    sign = 1 << (WIDTH[kind] * 8 - 1)
    isnan = (words & words.dtype.type(sign - 1)) > words.dtype.type(_INFINITY[kind])
    return np.where(isnan, words.dtype.type(_NAN[kind]), words)


def kept(count: int) -> Array:
    """Return the places of the kept results among `count`."""
    return np.unique(np.linspace(0, count - 1, min(KEPT, count)).astype(np.int64))


def digest(words: Array) -> str:
    """Return a short digest of a case's results."""
    return hashlib.sha256(words.tobytes()).hexdigest()[:16]


def steps_apart(kind: str, a: Array, b: Array) -> Array:
    """Return how many representable values lie between two arrays of words; NaN against a number is the largest there is."""
    ordered = []
    for words in (a, b):
        magnitude = (words & words.dtype.type((1 << (WIDTH[kind] * 8 - 1)) - 1)).astype(
            np.float64 if WIDTH[kind] < 8 else np.longdouble
        )
        ordered.append(np.where(words >> words.dtype.type(WIDTH[kind] * 8 - 1), -magnitude, magnitude))
    apart = np.abs(ordered[0] - ordered[1])
    nan = [one_nan(kind, words) == words.dtype.type(_NAN[kind]) for words in (a, b)]
    return np.where(nan[0] & nan[1], 0, np.where(nan[0] ^ nan[1], np.inf, apart)).astype(np.float64)


def write(folder: Path, results: dict[str, Array], about: str) -> None:
    """Write truth.npz: `about` the device, per group the kept results and, where exact, the digests."""
    content: dict[str, Array] = {"about": np.array(about)}
    for group in groups():
        if group.name not in results:
            continue
        words = one_nan(group.gives, results[group.name])
        content[f"{group.name}|kept"] = words[:, kept(words.shape[1])]
        if group.exact:
            content[f"{group.name}|digest"] = np.array([digest(row) for row in words])
    for name in (*(tile.name for tile in tiles()), *(fetch.name for fetch in fetches())):
        if name in results:
            content[f"{name}|kept"] = results[name]
    np.savez_compressed(folder / "truth.npz", allow_pickle=False, **content)
