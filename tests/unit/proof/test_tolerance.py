"""The numeric gate accuses what is wrong, locates it, and leaves honest kernels alone."""

from __future__ import annotations

import math
import tracemalloc
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from workbench.model.project import Tolerance
from workbench.proof import dtypes
from workbench.proof.tolerance import (
    CHUNK,
    ArrayComparison,
    compare_arrays,
    float64_error,
    nan_count,
    precision_lowered,
)

Array = npt.NDArray[Any]
DEFAULT = Tolerance()
FLOATS = ("float16", "bfloat16", "float32", "float64")


def compare(candidate: Array, reference: Array, dtype: str = "float32", tolerance: Tolerance = DEFAULT) -> ArrayComparison:
    return compare_arrays(candidate, reference, dtype, tolerance, output="dst")


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_correctly_rounded_answer_passes_exactly(dtype: str) -> None:
    reference = np.random.default_rng(1).standard_normal((64, 64))
    result = compare(dtypes.encode(reference, dtype), reference, dtype)
    assert result.passed
    assert result.worst is not None
    assert result.worst.error == 0


def test_a_float32_matrix_product_summed_in_float32_is_not_accused() -> None:
    """K = 4096: elements near zero have a relative error above 1e-4 by cancellation alone (method section 3)."""
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((64, 4096)), rng.standard_normal((4096, 64))
    exact = a.astype(np.float32).astype(np.float64) @ b.astype(np.float32).astype(np.float64)
    answer = a.astype(np.float32) @ b.astype(np.float32)
    assert compare(answer, exact).passed
    with np.errstate(divide="ignore"):
        assert np.max(np.abs(answer - exact) / np.abs(exact)) > 1e-5


def test_the_worst_element_is_located_with_its_bound() -> None:
    reference = np.ones((3, 5, 7))
    candidate = reference.astype(np.float32)
    candidate[1, 2, 3], candidate[2, 4, 6] = 1.5, 1.001
    result = compare(candidate, reference)
    assert result.wrong == 2
    assert result.worst is not None
    assert result.worst.index == (1, 2, 3)
    assert result.worst.candidate == 1.5
    assert result.worst.reference == 1.0
    assert result.worst.error == 0.5
    assert result.worst.allowed == pytest.approx(2e-4)
    assert result.worst.relative_error == pytest.approx(0.25)
    assert result.worst.output == "dst"


def test_a_single_wrong_element_behind_many_chunks_is_found() -> None:
    reference = np.zeros(3 * CHUNK + 5) + 1.0
    candidate = reference.astype(np.float32)
    candidate[-1] = 0.0
    result = compare(candidate, reference)
    assert result.wrong == 1
    assert result.worst is not None
    assert result.worst.index == (3 * CHUNK + 4,)


@pytest.mark.parametrize(
    ("candidate", "reference", "wrong"),
    [
        (np.nan, np.nan, 0),
        (np.inf, np.inf, 0),
        (-np.inf, np.inf, 1),
        (np.nan, 1.0, 1),
        (1.0, np.nan, 1),
        (3e38, np.inf, 1),
        (np.inf, 3e38, 1),
        (-0.0, 0.0, 0),
    ],
)
def test_nan_and_inf_match_in_kind_and_sign(candidate: float, reference: float, wrong: int) -> None:
    result = compare(np.array([candidate, 1.0], np.float32), np.array([reference, 1.0]))
    assert result.wrong == wrong
    if wrong:
        assert result.worst is not None
        assert result.worst.index == (0,)
        assert math.isinf(result.worst.error)


def test_a_reference_beyond_the_output_type_becomes_infinite_before_comparing() -> None:
    assert compare(np.array([np.inf], np.float16), np.array([1e6]), "float16").passed
    assert compare(dtypes.to_bfloat16(np.array([np.inf])), np.array([1e39]), "bfloat16").passed


def test_integers_are_exact_at_any_size() -> None:
    big = np.array([2**63 - 1, -(2**63), 2**53 + 1], np.int64)
    assert compare(big, big, "int64").passed
    assert compare(big - np.array([0, 0, 1]), big, "int64").wrong == 1
    unsigned = np.array([2**64 - 1], np.uint64)
    assert compare(unsigned, unsigned, "uint64").passed


def test_a_real_reference_for_integers_is_rounded_to_the_nearest() -> None:
    assert compare(np.array([42, 0], np.uint8), np.array([41.9999999, 0.0]), "uint8").passed


@pytest.mark.parametrize("value", [256.0, -1.0, np.nan, np.inf])
def test_a_reference_that_the_integer_type_cannot_hold_proves_nothing(value: float) -> None:
    result = compare(np.array([0], np.uint8), np.array([value]), "uint8")
    assert not result.passed
    assert result.invalid_reference == 1
    assert result.wrong == 0


def test_2_to_the_63_does_not_fit_int64() -> None:
    assert compare(np.array([2**63 - 1], np.int64), np.array([2.0**63]), "int64").invalid_reference == 1


def test_a_bool_output_is_compared_exactly() -> None:
    assert compare(np.array([True, False]), np.array([1.0, 0.0]), "bool").passed
    assert compare(np.array([True, False]), np.array([True, True]), "bool").wrong == 1


def test_a_flushed_subnormal_number_is_no_fault() -> None:
    tiny = np.full(8, 1e-39)
    assert compare(np.zeros(8, np.float32), tiny).passed
    assert not compare(np.zeros(8, np.float16), np.full(8, 2e-6), "float16").passed


def test_the_sum_of_terms_replaces_the_rms_where_it_is_given() -> None:
    reference, candidate = np.array([1e-3, 1.0]), np.array([2e-3, 1.0], np.float32)
    terms = np.array([100.0, 1.0])
    assert not compare(candidate, reference).passed
    assert compare_arrays(candidate, reference, "float32", DEFAULT, output="dst", terms=terms).passed


def test_the_projects_tolerance_is_used() -> None:
    reference, candidate = np.ones(4), np.full(4, 1.01, np.float32)
    assert not compare(candidate, reference).passed
    assert compare(candidate, reference, tolerance=Tolerance(relative=0.01)).passed
    assert compare(candidate, reference, tolerance=Tolerance(absolute=0.02)).passed


def test_huge_values_do_not_overflow_the_scale() -> None:
    reference = np.full(10, 1e300)
    result = compare(reference.copy(), reference, "float64")
    assert result.passed
    assert result.scale == pytest.approx(1e300)


def test_empty_and_zero_dimensional_outputs() -> None:
    assert compare(np.zeros((0, 3), np.float32), np.zeros((0, 3))).worst is None
    assert compare(np.array(1.0, np.float32), np.array(2.0)).worst is not None


def test_unlike_shapes_are_a_bug_of_the_caller() -> None:
    with pytest.raises(ValueError, match="shapes"):
        compare(np.zeros(3, np.float32), np.zeros(4))


def test_comparing_takes_less_than_twice_the_memory_of_the_output() -> None:
    candidate = np.ones(1 << 23, np.float32)
    reference = np.ones(1 << 23)
    tracemalloc.start()
    try:
        compare(candidate, reference)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2 * candidate.nbytes


def test_lowered_precision_is_flagged_above_twice_the_baselines_error() -> None:
    exact = np.random.default_rng(3).standard_normal(10000)
    single = float64_error(exact.astype(np.float32), exact, "float32")
    half = float64_error(exact.astype(np.float16).astype(np.float32), exact, "float32")
    assert 1e-8 < single < 1e-7
    assert precision_lowered(half, single, 1e-4)
    assert not precision_lowered(single, single, 1e-4)
    assert not precision_lowered(5e-8, 1e-8, 1e-4)


def test_the_error_of_an_all_zero_reference() -> None:
    zero = np.zeros(3)
    assert float64_error(np.zeros(3, np.float32), zero, "float32") == 0
    assert float64_error(np.ones(3, np.float32), zero, "float32") == math.inf


def test_nan_elements_are_counted_in_floats_only() -> None:
    assert nan_count(np.array([np.nan, 1.0]), "float64") == 1
    assert nan_count(dtypes.to_bfloat16(np.array([np.nan, np.inf])), "bfloat16") == 1
    assert nan_count(np.array([1, 2]), "int32") == 0


arrays = hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=6), elements=st.floats(-1e6, 1e6))


@given(arrays, st.sampled_from(FLOATS))
def test_every_array_equals_itself_in_every_type(values: Array, dtype: str) -> None:
    assert compare(dtypes.encode(values, dtype), values, dtype).passed


@given(arrays, st.sampled_from(FLOATS), st.data())
def test_an_element_moved_beyond_its_bound_is_found_where_it_is(values: Array, dtype: str, data: st.DataObject) -> None:
    place = tuple(data.draw(st.integers(0, side - 1)) for side in values.shape)
    candidate = dtypes.encode(values, dtype).copy()
    moved = np.max(np.abs(values)) * 2 + 10
    candidate[place] = dtypes.encode(np.array([moved]), dtype)[0]
    result = compare(candidate, values, dtype)
    if dtype == "float16" and moved > 60000:
        return
    assert result.wrong == 1
    assert result.worst is not None
    assert result.worst.index == place


@given(arrays, st.floats(1e-6, 1e-2))
def test_a_wider_tolerance_accuses_no_more(values: Array, relative: float) -> None:
    candidate = (values * (1 + 1e-3)).astype(np.float32)
    narrow = compare(candidate, values, tolerance=Tolerance(relative))
    wide = compare(candidate, values, tolerance=Tolerance(2 * relative))
    assert wide.wrong <= narrow.wrong
