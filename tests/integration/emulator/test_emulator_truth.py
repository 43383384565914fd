"""The emulator's numbers against those of an H200, case by case (tests/data/semantics/measure.py made the truth)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from tests.helpers.readme_table import ROOT
from tests.helpers.semantics_cases import Group
from tests.helpers.semantics_results import apart, emulated, fetched, multiplied, results_each, truth, unlike
from tests.helpers.semantics_table import BEGIN, END, PAGE, names_and_counts
from tests.helpers.semantics_textures import Fetch, fetches
from tests.helpers.semantics_tiles import Tile, tiles
from tests.helpers.semantics_truth import groups, kept


def shared_out(items: Sequence[Group | Tile | Fetch]) -> list[ParameterSet]:
    """Return parameters of which each fourth runs in `make test` and the others in `make full`."""
    return [
        pytest.param(item, id=item.name, marks=() if place % 4 == 0 else pytest.mark.full) for place, item in enumerate(items)
    ]


def shown(group: Group, row: int, place: int, ours: int, theirs: int) -> str:
    """Return one difference as a sentence."""
    at = row * results_each(group) + place if group.between else place
    given = ", ".join(f"{name} = {int(array[at]):#x}" for name, array in zip("abc", group.arrays(), strict=False))
    return f"{group.expressions[row]} with {given}: {ours:#x} here, {theirs:#x} on the GPU"


@pytest.mark.parametrize("group", shared_out([group for group in groups() if group.exact]))
def test_results_equal_the_gpus_bit_for_bit(group: Group) -> None:
    ours, theirs = emulated(group), truth()[f"{group.name}|kept"]
    places = kept(ours.shape[1])
    differences = [
        shown(group, row, int(places[spot]), int(ours[row, places[spot]]), int(theirs[row, spot]))
        for row in range(len(group.expressions))
        for spot in np.flatnonzero(ours[row, places] != theirs[row])[:2]
    ]
    assert differences == []
    assert unlike(group, ours) == []


@pytest.mark.parametrize("group", shared_out([group for group in groups() if not group.exact]))
def test_results_are_as_near_to_the_gpus_as_both_are_promised_to_be(group: Group) -> None:
    farthest = apart(group, emulated(group)).max(axis=1)
    cases = zip(group.expressions, farthest, group.steps, strict=True)
    assert {text: (far, allowed) for text, far, allowed in cases if far > allowed} == {}


@pytest.mark.parametrize("tile", shared_out(tiles()))
def test_tiles_of_tensor_cores_are_equal_where_every_sum_is_exact(tile: Tile) -> None:
    ours, theirs = multiplied(tile), truth()[f"{tile.name}|kept"]
    assert ours.size == theirs.size
    assert np.flatnonzero(ours != theirs).tolist() == []


@pytest.mark.parametrize("fetch", shared_out(fetches()))
def test_textures_are_read_as_on_the_gpu(fetch: Fetch) -> None:
    ours, theirs = fetched(fetch), truth()[f"{fetch.name}|kept"]
    if fetch.linear and fetch.dtype == "float32":  # a GPU adds up with digits that depend on the largest term
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=np.spacing(np.abs(fetch.data()).max()))
    else:
        assert np.flatnonzero((ours != theirs).any(axis=1)).tolist() == []


def test_the_page_and_readme_name_all_that_is_held_here() -> None:
    page, exact = PAGE.read_text(encoding="utf-8"), list(names_and_counts())
    assert [name for name, count, results in exact if f"| {name} | {count} | {results} | all | 0 |" not in page] == []
    bounded = [(group, text) for group in groups() if not group.exact for text in group.expressions]
    assert [text for group, text in bounded if f"| {group.name} | `{text}` |" not in page] == []
    line = (ROOT / "README.md").read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert f"Numbers: {sum(count for _, count, _ in exact)} expressions equal the GPU bit for bit" in line
    assert str(truth()["about"]) in page
