"""An element is unwritten where both poisons survive."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.proof.unwritten import POISONS, find_unwritten, poisoned

DTYPES = ["uint8", "int32", "uint16", "float16", "float32", "float64", "int64", "bool"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_element_that_no_run_wrote_is_found_where_it_is(dtype: str) -> None:
    runs = [poisoned((4, 5), dtype, poison) for poison in POISONS]
    for run in runs:
        run[...] = 1
        run.view(np.uint8).reshape(4, 5, -1)[2, 3] = POISONS[0] if run is runs[0] else POISONS[1]
    found = find_unwritten(*runs)
    assert (found.count, found.first) == (1, (2, 3))


def test_an_integer_written_with_the_value_of_a_poison_is_not_accused() -> None:
    for value in (-1, 0):
        runs = [np.full(10, value, np.int32) for _ in POISONS]
        assert find_unwritten(*runs).count == 0


def test_an_output_that_nothing_wrote_is_wholly_unwritten() -> None:
    found = find_unwritten(poisoned((3, 3), "float32", POISONS[0]), poisoned((3, 3), "float32", POISONS[1]))
    assert (found.count, found.first) == (9, (0, 0))


def test_an_element_of_which_one_byte_was_written_counts_as_written() -> None:
    runs = [poisoned((2,), "float32", poison) for poison in POISONS]
    for run in runs:
        run.view(np.uint8)[0] = 7
    assert find_unwritten(*runs).count == 1


def test_a_scalar_output_and_an_empty_one() -> None:
    assert find_unwritten(poisoned((), "int32", 0xFF), poisoned((), "int32", 0)).first == ()
    assert find_unwritten(np.zeros((0, 2)), np.zeros((0, 2))).count == 0


def test_runs_of_unlike_shape_are_a_bug_of_the_caller() -> None:
    with pytest.raises(ValueError, match="one shape"):
        find_unwritten(np.zeros(2), np.zeros(3))


@given(st.sets(st.integers(0, 49)), st.sampled_from(DTYPES), st.integers(0, 255))
def test_exactly_the_unwritten_elements_are_counted(left: set[int], dtype: str, value: int) -> None:
    runs = [poisoned((50,), dtype, poison) for poison in POISONS]
    written = np.array([index not in left for index in range(50)])
    for run in runs:
        run[written] = np.array(value).astype(dtype)
    assert find_unwritten(*runs).count == len(left)
