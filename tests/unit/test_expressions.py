"""Sizes and grids are exact arithmetic over the project's names, and nothing else."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WrongInput
from workbench.expressions import evaluate, evaluate_whole

SIZES = {"width": 1920, "height": 1080, "batch": 8}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("ceil(width / 16)", 120),
        ("ceil(height / 16)", 68),
        ("floor(height / 16)", 67),
        ("batch * width * height * 15", 248832000),
        ("min(width, 100) + max(1, 2, 3)", 103),
        ("-width % 7", 5),
        ("width // 7 - 1", 273),
        ("2 ** 10", 1024),
        ("2 ** -1 * 4", 2),
        (" width ", 1920),
        (7, 7),
    ],
)
def test_what_a_project_may_write(expression: str | int, value: int) -> None:
    assert evaluate_whole(expression, SIZES) == value


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('true')",
        "width.bit_length()",
        "[1][0]",
        "(lambda: 1)()",
        "width if 1 else 2",
        "width < 3",
        "True",
        "'text'",
        "ceil",
        "ceil()",
        "ceil(1, 2)",
        "abs(-1)",
        "min(x=1)",
        "1 / 0",
        "1 // 0",
        "1 % 0",
        "2 ** 65",
        "2 ** 0.5",
        "10 ** 20 * 10 ** 20",
        "9 ** 9 ** 9",
        "depth + 1",
        "width +",
        "",
        "1 + 2j",
        "x" * 501,
        "(" * 400 + "1" + ")" * 400,
        "1e400",
    ],
)
def test_everything_else_is_refused_in_one_sentence(expression: str) -> None:
    with pytest.raises(WrongInput) as caught:
        evaluate(expression, SIZES)
    assert str(caught.value).startswith("The expression “")
    assert str(caught.value).endswith(".")


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(WrongInput, match="depth is not one of the sizes \\(batch, height, width\\)"):
        evaluate("depth", SIZES)


def test_a_fraction_is_no_number_of_blocks() -> None:
    with pytest.raises(WrongInput, match=r"120\.5, but a whole number is needed"):
        evaluate_whole("1928 / 16", {})


def test_a_real_constant_keeps_its_value() -> None:
    assert float(evaluate(0.1, {})) == 0.1
    assert float(evaluate("0.1", {})) == 0.1


@given(st.integers(0, 10**6), st.integers(1, 10**4))
def test_division_is_exact_where_floats_are_not(number: int, divisor: int) -> None:
    names = {"n": number, "d": divisor}
    assert evaluate_whole("ceil(n / d)", names) == -(-number // divisor)
    assert evaluate("n / d * d", names) == number


@given(st.recursive(st.integers(0, 99).map(str), lambda e: st.tuples(e, st.sampled_from("+-*"), e).map(" ".join), max_leaves=8))
def test_sums_and_products_are_pythons(expression: str) -> None:
    expected = eval(expression)
    assert evaluate(expression, {}) == Fraction(expected)
    assert math.ceil(evaluate(expression, {})) == expected


@given(st.text(max_size=60))
def test_any_text_gives_a_number_or_one_sentence(text: str) -> None:
    sentence = ""
    try:
        assert isinstance(evaluate(text, SIZES), Fraction)
    except WrongInput as error:
        sentence = str(error)
    assert sentence == "" or sentence.endswith(".")
