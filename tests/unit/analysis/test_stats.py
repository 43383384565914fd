"""Medians, quads and intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.timing_rounds import make_timing
from workbench.analysis.stats import (
    difference,
    dispersion,
    from_values,
    kept,
    log_ratio,
    median,
    median_interval,
    median_time,
    midmean,
    noise_floor,
    quad_log_ratios,
    t_quantile,
)
from workbench.model.ledger import MISSING
from workbench.model.run import Clock, Group, TimingData

times = st.floats(1e-7, 10.0)


def timing_of(*groups: Group, tick: float = 0.0, versions: tuple[str, str] = ("A", "B")) -> TimingData:
    return TimingData(*versions, groups, "cold", Clock("test clock", tick=tick), 10, {}, "fresh each round")


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 10, 29, 99, 250])
@pytest.mark.parametrize("probability", [0.9, 0.975, 0.995])
def test_the_t_quantile_agrees_with_scipy(freedom: int, probability: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert t_quantile(freedom, probability) == pytest.approx(float(stats.t.ppf(probability, freedom)), rel=1e-9)


@given(st.lists(times, min_size=1, max_size=60))
def test_dropping_minimum_and_maximum_never_moves_the_median(samples: list[float]) -> None:
    assert median(samples) == pytest.approx(float(np.median(samples)))
    assert len(kept(samples)) == (len(samples) - 2 if len(samples) > 2 else len(samples))


def test_nothing_timed_is_missing_and_not_zero() -> None:
    assert median([]) is None
    assert dispersion([1.0, 2.0]) is None
    assert log_ratio(timing_of()) is None
    assert log_ratio(timing_of(Group((), ()))) is None
    assert median_time(timing_of(), "a") == MISSING
    assert noise_floor(timing_of(versions=("A", "A"))) is None


def test_a_linear_drift_cancels_within_a_quad() -> None:
    """A B B A at times 0, 1, 2, 3 with a drift of 1 % a round: B is as fast as A, and the ratio says so to second order."""
    slow = [1.0, 1.01, 1.02, 1.03]
    ratios = quad_log_ratios(Group((slow[0], slow[3]), (slow[1], slow[2])))
    assert abs(ratios[0]) < 2e-4


def test_half_a_quad_is_left_out() -> None:
    assert len(quad_log_ratios(Group((1.0, 1.0, 9.0), (1.0, 1.0, 1.0)))) == 1


def test_one_preempted_round_does_not_move_the_ratio() -> None:
    quiet = np.full(40, 0.1)
    loud = quiet.copy()
    loud[7] = 5.0
    assert midmean(loud) == pytest.approx(midmean(quiet))


def test_one_process_gives_a_ratio_without_an_interval() -> None:
    ratio = log_ratio(timing_of(Group((2.0,) * 8, (1.0,) * 8)))
    assert ratio is not None
    assert ratio.half == math.inf
    estimate = ratio.estimate()
    assert (estimate.low, estimate.high) == (None, None)
    assert estimate.value == pytest.approx(2.0)


def test_an_interval_is_never_narrower_than_one_tick() -> None:
    group = Group((1e-5,) * 8, (1e-5,) * 8)
    ratio = log_ratio(timing_of(group, group, group, tick=32e-9))
    assert ratio is not None
    assert ratio.high - ratio.low == pytest.approx(32e-9 / 1e-5)
    time = median_time(timing_of(group, group, group, tick=32e-9), "a")
    assert time.high is not None
    assert time.low is not None
    assert time.high - time.low == pytest.approx(32e-9)


def test_a_time_at_or_below_the_clock_constant_stays_finite() -> None:
    ratio = log_ratio(timing_of(*[Group((0.0, 1e-6), (-1e-9, 1e-6))] * 3))
    assert ratio is not None
    assert math.isfinite(ratio.center)


@given(st.integers(0, 2**32 - 1))
def test_swapping_the_sides_inverts_the_ratio(seed: int) -> None:
    timing = make_timing(np.random.default_rng(seed), slower=0.1, quads=3, groups=3)
    swapped = timing_of(*(Group(group.b, group.a) for group in timing.groups))
    ratio, other = log_ratio(timing), log_ratio(swapped)
    assert ratio is not None
    assert other is not None
    assert other.center == pytest.approx(-ratio.center)
    assert other.half == pytest.approx(ratio.half)
    assert ratio.inverted().center == -ratio.center


@given(st.integers(0, 2**32 - 1))
def test_the_order_of_the_processes_does_not_matter(seed: int) -> None:
    timing = make_timing(np.random.default_rng(seed), quads=3)
    turned = timing_of(*reversed(timing.groups))
    ratio, other = log_ratio(timing), log_ratio(turned)
    assert ratio is not None
    assert other is not None
    assert ratio.center == pytest.approx(other.center)
    assert ratio.error == pytest.approx(other.error)


def test_variances_add_through_a_baseline() -> None:
    first = from_values(np.array([0.5, 0.51, 0.49]), quads=30)
    second = from_values(np.array([0.2, 0.22, 0.18]), quads=30)
    both = difference(first, second)
    assert both.center == pytest.approx(0.3)
    assert both.error == pytest.approx(math.hypot(first.error, second.error))
    assert 2 <= both.freedom <= 4
    assert difference(first, from_values(np.array([0.2]), quads=1)).freedom == 0
    still = from_values(np.array([0.1, 0.1]), quads=2)
    assert difference(still, still).freedom == 1


def test_the_interval_of_a_median_by_order_statistics() -> None:
    """Known table of the sign test: for 20 values the 6th and the 15th hold the median with 95.9 %."""
    values = [float(value) for value in range(1, 21)]
    assert median_interval(values) == (6.0, 15.0)
    assert median_interval(values[:6]) == (1.0, 6.0)
    assert median_interval(values[:5]) is None


def test_the_noise_floor_is_the_far_end_of_an_a_a_interval() -> None:
    rng = np.random.default_rng(7)
    timing = make_timing(rng, versions=("A", "A"))
    ratio = log_ratio(timing)
    assert ratio is not None
    assert noise_floor(timing) == pytest.approx(math.expm1(max(-ratio.low, ratio.high)))
    assert noise_floor(make_timing(rng)) is None
    assert noise_floor(make_timing(rng, versions=("A", "A"), groups=1)) is None


def test_the_spread_of_the_rounds_is_relative() -> None:
    assert dispersion([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]) == pytest.approx(2.0 / 4.0)
