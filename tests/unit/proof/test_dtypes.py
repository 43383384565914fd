"""bfloat16 by its bits, and the way into and out of every type."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.proof.dtypes import encode, from_bfloat16, integer_bounds, largest, rounded, smallest_normal, storage, to_bfloat16


def test_every_bfloat16_survives_the_way_to_float32_and_back() -> None:
    bits = np.arange(2**16, dtype=np.uint16)
    values = from_bfloat16(bits)
    back = to_bfloat16(values)
    numbers = ~np.isnan(values)
    assert np.array_equal(back[numbers], bits[numbers])
    assert np.all(np.isnan(from_bfloat16(back[~numbers])))


def nearest_bfloat16(value: float) -> float:
    """The bfloat16 nearest to a real number, ties to the even bit, by exact fractions."""
    finite = [0x7F7F if value > 0 else 0xFF7F]
    around = int(to_bfloat16(np.array([value], np.float32))[0])
    candidates = {bits & 0xFFFF for bits in (around - 1, around, around + 1, *finite)}
    usable = [b for b in candidates if math.isfinite(float(from_bfloat16(np.array([b], np.uint16))[0]))]

    def distance(bits: int) -> tuple[Fraction, int]:
        return abs(Fraction(float(from_bfloat16(np.array([bits], np.uint16))[0])) - Fraction(value)), bits & 1

    return float(from_bfloat16(np.array([min(usable, key=distance)], np.uint16))[0])


@given(st.floats(-1e38, 1e38))
def test_a_float64_is_rounded_once_to_the_nearest_even(value: float) -> None:
    assert float(from_bfloat16(to_bfloat16(np.array([value])))[0]) == nearest_bfloat16(value)


@pytest.mark.parametrize("above", [2.0**-30, -(2.0**-30), 0.0])
def test_a_value_beside_a_tie_is_not_rounded_twice(above: float) -> None:
    """1 + 2**-8 is half way between two bfloat16; 2**-30 beside it vanishes in float32 but decides."""
    expected = 1.0 + 2.0**-7 if above > 0 else 1.0
    assert float(from_bfloat16(to_bfloat16(np.array([1.0 + 2.0**-8 + above])))[0]) == expected
    assert float(from_bfloat16(to_bfloat16(np.array([-1.0 - 2.0**-8 - above])))[0]) == -expected


def test_overflow_becomes_infinite_with_its_sign() -> None:
    values = from_bfloat16(to_bfloat16(np.array([1e39, -1e300, np.inf, 3.3895e38])))
    assert values.tolist() == [math.inf, -math.inf, math.inf, largest("bfloat16")]


def test_a_scalar_array_keeps_its_shape() -> None:
    assert to_bfloat16(np.array(1.0)).shape == ()
    assert from_bfloat16(np.array(0x3F80, np.uint16)).shape == ()


def test_integers_are_clipped_to_their_type() -> None:
    assert encode(np.array([-5, 300]), "uint8").tolist() == [0, 255]
    assert encode(np.array([-5.6, 300.0]), "int8").tolist() == [-6, 127]
    assert encode(np.array([0, 2]), "bool").tolist() == [False, True]


def test_the_limits_of_the_types() -> None:
    assert integer_bounds("int64") == (-(2**63), 2**63 - 1)
    assert integer_bounds("bool") == (0, 1)
    assert largest("float16") == 65504
    assert smallest_normal("bfloat16") == 2.0**-126
    assert storage("bfloat16") == np.dtype("uint16")
    assert storage("float32") == np.dtype("float32")


def test_rounding_to_a_type_gives_its_values_in_float64() -> None:
    assert rounded(np.array([0.1]), "float16")[0] == float(np.float16(0.1))
    assert rounded(np.array([0.1]), "float64")[0] == 0.1
    assert rounded(np.array([1e6]), "float16")[0] == math.inf
