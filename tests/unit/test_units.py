"""Numbers as text: always with a unit, a real minus sign, and a dash for what is missing."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import units


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0164, "16.40 ms"),
        (0.352, "352.0 ms"),
        (1.5, "1.500 s"),
        (2.1e-6, "2.100 µs"),
        (32e-9, "32.00 ns"),
        (3e-10, "0.3000 ns"),
        (-0.004, "−4.000 ms"),
        (0.0, "0 ms"),
        (None, "—"),
        (math.nan, "—"),
    ],
)
def test_a_time_takes_the_unit_that_fits(seconds: float | None, text: str) -> None:
    assert units.duration(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6.585, "6.58"),
        (123456.0, "123456"),
        (1e7, "1.0e7"),
        (8.1e-6, "8.1e-6"),
        (-8.1e-6, "−8.1e-6"),
        (0.0, "0"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "NaN"),
    ],
)
def test_significant_digits_without_an_exponent_in_the_middle_range(value: float, text: str) -> None:
    assert units.significant(value) == text


def test_an_infinite_error_has_a_text_too() -> None:
    assert units.scientific(math.inf) == "∞"
    assert units.scientific(math.nan) == "NaN"
    assert units.scientific(8.14e-6) == "8.1e-6"


def test_columns_of_milliseconds_and_their_changes() -> None:
    assert units.milliseconds(0.108) == "108.0"
    assert units.milliseconds(None) == "—"
    assert units.signed_milliseconds(0.004) == "+4.0"
    assert units.signed_milliseconds(-0.0916) == "−91.6"
    assert units.signed_milliseconds(0.00001) == "0.0"
    assert units.signed_milliseconds(None) == "—"


def test_ratios_and_percentages() -> None:
    assert units.ratio(108 / 16.4) == "6.59×"
    assert units.ratio(None) == "—"
    assert units.percent(108 / 352) == "30.7 %"
    assert units.percent(71 / 108, 0) == "66 %"
    assert units.signed_percent(-0.755) == "−75.5 %"
    assert units.signed_percent(0.0001) == "0.0 %"
    assert units.signed_percent(None) == units.percent(None) == "—"


def test_intervals_carry_their_unit_once() -> None:
    assert units.interval(6.55, 6.61) == "[6.55, 6.61]"
    assert units.interval(None, 6.61) == ""
    assert units.duration_interval(0.01636, 0.01647) == "[16.36, 16.47] ms"
    assert units.duration_interval(1e-10, 2e-10) == "[0.1000, 0.2000] ns"
    assert units.duration_interval(None, None) == ""


def test_sizes_counts_and_rates() -> None:
    assert units.size(0) == "0 B"
    assert units.size(4200) == "4.1 KiB"
    assert units.size(3 * 2**30) == "3.0 GiB"
    assert units.size(None) == units.count(None) == units.bandwidth(None) == "—"
    assert units.count(1234567) == "1\u202f234\u202f567"
    assert units.bandwidth(4.3e12) == "4.30 TB/s"
    assert units.bandwidth(12.0) == "12 B/s"
    assert units.short_hash("9f3c21e0aa") == "9f3c21e"


@given(st.floats(1e-12, 1e5))
def test_a_time_as_text_is_the_time_to_four_digits(seconds: float) -> None:
    number, unit = units.duration(seconds).split(" ")
    scale = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]
    assert float(number) * scale == pytest.approx(seconds, rel=1e-3 if "e" not in number else 0.06)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_number_is_written_with_a_hyphen_for_minus(value: float) -> None:
    text = units.significant(value)
    assert not text.startswith("-")
    assert re.fullmatch(r"−?[\d.]+(e-?\d+)?", text)
