"""Array work of the emulator: comparing outputs, drawing values, bfloat16."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from plugins.emulator.memory import cast, differing, draw, from_bfloat16, to_bfloat16
from workbench.plugin_api import ValueSpec


def test_equal_arrays_with_nan_and_infinity_do_not_differ() -> None:
    a = np.array([1, np.nan, np.inf, -np.inf, 0], np.float32)
    assert differing(a, a.copy(), "float32", 0.0, 0.0) == 0


def test_nan_infinity_and_their_signs_must_match() -> None:
    a = np.array([1, np.nan, np.inf, 2], np.float32)
    b = np.array([np.nan, 1, -np.inf, np.inf], np.float32)
    assert differing(a, b, "float32", 1e-4, 1e-4) == 4


def test_the_tolerance_is_relative_to_the_value_and_the_rms() -> None:
    a = np.array([100.0, 0.0, 0.0, 0.0], np.float64)  # RMS 50
    assert differing(a, a + 0.49, "float64", 0.01, 0.0) == 0
    assert differing(a, a + np.array([1.6, 0.6, 0.4, 0.4]), "float64", 0.01, 0.0) == 2


def test_integers_are_exact_and_bfloat16_is_decoded() -> None:
    a = np.array([1, 2, 2**62, 4], np.int64)
    assert differing(a, a + np.array([0, 1, 0, 0]), "int64", 0.0, 0.0) == 1
    x = to_bfloat16(np.array([1.0, 2.0], np.float32))
    y = to_bfloat16(np.array([1.0078125, 2.0], np.float32))
    assert differing(x, y, "bfloat16", 1.6e-2, 0.0) == 0
    assert differing(x, y, "bfloat16", 1e-3, 0.0) == 1


@given(arrays.arrays(np.uint16, 50, elements=st.integers(0, 0xFFFF)))
def test_bfloat16_values_survive_the_way_through_float(bits: np.ndarray[tuple[int], np.dtype[np.uint16]]) -> None:
    values = from_bfloat16(bits)
    numbers = ~np.isnan(values)
    assert (to_bfloat16(values)[numbers] == bits[numbers]).all()


def test_every_distribution_fits_its_range() -> None:
    assert draw(5, "int32", ValueSpec("arange"), 1).tolist() == [0, 1, 2, 3, 4]
    assert draw(3, "float16", ValueSpec("ones"), 1).tolist() == [1, 1, 1]
    assert draw(3, "uint8", ValueSpec("zeros"), 1).tolist() == [0, 0, 0]
    whole = draw(1000, "float32", ValueSpec("integers", -3, 4), 1)
    assert (whole.min(), whole.max()) == (-3, 3)
    real = draw(1000, "float64", ValueSpec("uniform", 2, 5), 1)
    assert 2 <= real.min() < real.max() < 5
    normal = draw(100000, "float32", ValueSpec("normal"), 1)
    assert abs(float(normal.mean())) < 0.02
    assert abs(float(normal.std()) - 1) < 0.02


def test_casting_to_a_small_type_overflows_like_the_type() -> None:
    assert np.isinf(cast(np.array([1e6]), "float16")).all()
    assert cast(np.array([300]), "uint8").tolist() == [44]
    assert cast(np.array([2.5, -1.2]), "int32").tolist() == [2, -1]
