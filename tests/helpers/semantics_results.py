"""The emulator's results of the cases of the semantics, beside what the GPU gave."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from plugins.emulator.textures import EmulatorTexture, Sampling
from tests.helpers.emulator_bench import compile_kernel, launch
from tests.helpers.semantics_cases import Group
from tests.helpers.semantics_inputs import WIDTH, Array
from tests.helpers.semantics_textures import Fetch
from tests.helpers.semantics_tiles import Tile
from tests.helpers.semantics_truth import digest, kept, one_nan, steps_apart

TRUTH = Path(__file__).parents[1] / "data" / "semantics" / "truth.npz"


@functools.cache
def truth() -> Mapping[str, Array]:
    """Return what the GPU gave, and `about` it."""
    with np.load(TRUTH) as stored:
        return {name: stored[name] for name in stored.files}


def emulated(group: Group) -> Array:
    """Return a row of result words for each expression."""
    arrays = group.arrays()
    room = np.zeros((len(group.expressions), results_each(group)), f"u{WIDTH[group.gives]}")
    kernel = compile_kernel(group.source(), options=group.options)
    count = room.shape[1]
    result = launch(kernel, [room, *arrays, np.int32(count)], grid=(count + 255) // 256, block=256).arrays[0]
    return one_nan(group.gives, result)


def results_each(group: Group) -> int:
    """Return how many inputs each expression is computed for."""
    size = group.arrays()[0].size
    return size // len(group.expressions) if group.between else size


def multiplied(tile: Tile) -> Array:
    """Return the product in memory, then the three counts of elements."""
    return launch(compile_kernel(tile.source()), [tile.results(), *tile.memory()], block=32).arrays[0]


def fetched(fetch: Fetch) -> Array:
    """Return what the texture gives at every place, channels last."""
    how = Sampling(fetch.address, fetch.linear, fetch.normalised_coordinates, fetch.normalised_values)
    texture = EmulatorTexture(fetch.data(), len(fetch.shape), how)
    places = fetch.places()
    count = places.shape[1]
    room = np.zeros((count, fetch.channels), fetch.gives)
    given = [room, texture.handle, *places, np.int32(count)]
    return launch(compile_kernel(fetch.source()), given, grid=(count + 255) // 256, block=256).arrays[0]


def unlike(group: Group, ours: Array) -> list[str]:
    """Return the expressions of an exact group of which any result, kept in the truth or not, differs from the GPU's."""
    digests = truth()[f"{group.name}|digest"]
    return [text for text, row, known in zip(group.expressions, ours, digests, strict=True) if digest(row) != known]


def apart(group: Group, ours: Array) -> Array:
    """Return the steps between the emulator's results and the GPU's that the truth keeps, a row for each expression."""
    return steps_apart(group.gives, ours[:, kept(ours.shape[1])], truth()[f"{group.name}|kept"])
