"""Trivial answers must fail; a candidate must follow its inputs."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.model.project import Tolerance
from workbench.proof import dtypes
from workbench.proof.controls import input_sensitivity, try_controls

RNG = np.random.default_rng(5)
LOOSE = Tolerance(relative=5.0)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64", "int32", "uint8"])
def test_trivial_answers_are_refused_in_every_type(dtype: str) -> None:
    reference = RNG.uniform(1, 100, (8, 8)).round()
    inputs = {"x": dtypes.encode(RNG.uniform(1, 100, (8, 8)), dtype), "other": np.zeros(3)}
    previous = {"dst": dtypes.encode(RNG.uniform(1, 100, (8, 8)), dtype)}
    results = try_controls("dst", reference, dtype, Tolerance(), {"inputs": inputs, "previous": previous})
    assert [result.kind for result in results] == ["zeros", "constant", "copy of an input", "previous output"]
    assert {result.result for result in results} == {"refused"}


def test_a_tolerance_that_accepts_zeros_is_shown() -> None:
    results = try_controls("dst", RNG.standard_normal(100), "float32", LOOSE, {})
    assert ("zeros", "accepted") in [(result.kind, result.result) for result in results]


def test_a_trivial_answer_that_is_the_right_one_is_no_control() -> None:
    """An identity kernel: the copy of the input is the answer."""
    values = RNG.standard_normal(100)
    inputs = {"x": values.astype(np.float32)}
    results = try_controls("dst", values.astype(np.float32).astype(np.float64), "float32", Tolerance(), {"inputs": inputs})
    assert [result.result for result in results] == ["refused", "refused", "no control"]


def test_negative_zeros_and_nan_count_as_equal_values() -> None:
    results = try_controls("dst", np.array([-0.0, -0.0]), "float32", Tolerance(), {})
    assert {result.result for result in results} == {"no control"}
    nan = np.array([np.nan, np.nan])
    assert try_controls("dst", nan, "float32", Tolerance(), {})[1].result == "no control"


def test_an_empty_output_has_no_constant() -> None:
    assert [result.kind for result in try_controls("dst", np.zeros(0), "float32", Tolerance(), {})] == ["zeros"]


def relu(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.maximum(values, 0.0)


def test_a_relu_that_follows_its_inputs_passes_although_half_its_elements_stay() -> None:
    references = relu(RNG.standard_normal(1000)), relu(RNG.standard_normal(1000))
    candidates = references[0].astype(np.float32), references[1].astype(np.float32)
    seen = input_sensitivity(candidates, references, "float32", Tolerance(), output="dst")
    assert 600 < seen.changed < 900
    assert seen.ignored == 0


def test_an_answer_replayed_from_a_cache_is_seen() -> None:
    references = RNG.standard_normal(1000), RNG.standard_normal(1000)
    replayed = references[0].astype(np.float32)
    seen = input_sensitivity((replayed, replayed.copy()), references, "float32", Tolerance(), output="dst")
    assert seen.ignored == seen.changed > 990


def test_a_reference_that_does_not_change_asks_for_nothing() -> None:
    same = np.arange(10.0)
    seen = input_sensitivity((same, same), (same, same), "float64", Tolerance(), output="dst")
    assert (seen.changed, seen.ignored) == (0, 0)
