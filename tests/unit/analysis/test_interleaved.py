"""The ratio of interleaved walls while the host drifts: shown by simulation beside the quotient of the two medians."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from workbench.analysis.interleaved import interleaved_ratio, shown_pair
from workbench.analysis.stats import t_quantile

TRUTH = 1.10
H200_HOST = (
    80.4, 60.7, 57.3, 79.8, 68.1, 56.3, 60.3, 66.7, 71.5, 54.4, 48.5, 61.1, 65.2, 55.1, 54.0, 68.3, 69.0, 56.1, 49.7, 54.6,
    58.6, 44.8, 49.6, 57.8, 59.9, 50.9, 47.2, 57.4, 60.1, 50.4, 48.6, 61.0, 56.7, 45.0, 45.9, 57.6, 57.3, 46.4, 44.7, 56.4,
)  # fmt: skip
"""Milliseconds, in the order they ran: the 40 untraced walls A B B A ... of the image demo's tile version on an H200's host."""
SAME_A = (
    77.4, 62.7, 62.6, 64.7, 64.6, 57.5, 57.6, 60.8, 59.6, 63.4, 61.1, 69.7, 66.7, 58.5, 65.6, 70.1, 68.5, 68.1, 70.0, 69.8,
)  # fmt: skip
SAME_B = (
    76.8, 70.1, 61.7, 61.1, 65.4, 58.1, 58.1, 66.8, 59.2, 60.1, 63.9, 68.8, 67.7, 64.3, 63.4, 71.1, 66.7, 68.3, 68.6, 69.3,
)  # fmt: skip
"""Milliseconds: the same demo's baseline against itself there, so that the truth is 1."""
ORDER = np.tile([True, False, False, True], 10)
"""Where A stands."""

Floats = npt.NDArray[np.float64]


def walls(rng: np.random.Generator, drift: Floats) -> tuple[list[float], list[float]]:
    """Return A's and B's walls over one course of the host (log), with 1 % noise and a spike in every twelfth repeat."""
    spikes = np.where(rng.random(40) < 1 / 12, 0.15 * rng.exponential(size=40), 0.0)
    seconds = 0.06 * np.exp(drift + 0.01 * rng.normal(size=40) + spikes)
    return (TRUTH * seconds[ORDER]).tolist(), seconds[~ORDER].tolist()


def slow_drift(rng: np.random.Generator) -> Floats:
    """Return a course that wanders by 10 % over about ten pairs and falls by up to 30 % over the run."""
    course = np.zeros(40)
    for index in range(1, 40):
        course[index] = 0.95 * course[index - 1] + math.sqrt(1 - 0.95**2) * rng.normal()
    return 0.10 * course - np.linspace(0, 0.3 * rng.random(), 40)


def test_the_pairs_of_a_drifting_host_give_their_own_ratio_not_the_quotient_of_the_medians() -> None:
    recorded = np.array(H200_HOST)
    a, b = recorded[ORDER], recorded[~ORDER]
    ratio = interleaved_ratio(a.tolist(), b.tolist())
    assert ratio is not None
    assert math.exp(ratio.center) == pytest.approx(1.23, abs=0.005)
    assert np.median(a) / np.median(b) == pytest.approx(1.209, abs=0.001)


def test_over_slow_drift_and_spikes_the_interval_of_pairs_holds_the_truth_and_errs_less() -> None:
    rng = np.random.default_rng(20)
    paired, quotient, held, held_as_quotient = [], [], 0, 0
    for _ in range(800):
        a, b = walls(rng, slow_drift(rng))
        ratio = interleaved_ratio(a, b)
        assert ratio is not None
        paired.append(ratio.center - math.log(TRUTH))
        quotient.append(math.log(np.median(a) / np.median(b)) - math.log(TRUTH))
        held += abs(paired[-1]) <= ratio.half
        held_as_quotient += abs(quotient[-1]) <= ratio.half
    assert abs(np.mean(paired)) < 0.001
    assert np.std(paired) < 0.7 * np.std(quotient)
    assert 0.93 <= held / 800 <= 0.98
    assert held_as_quotient / 800 < 0.90


def test_a_baseline_against_itself_on_a_drifting_host_is_nearer_to_one_by_pairs() -> None:
    first, second = np.array(SAME_A), np.array(SAME_B)
    ratio = interleaved_ratio(first.tolist(), second.tolist())
    assert ratio is not None
    assert ratio.low < 0.0 < ratio.high
    assert abs(math.exp(ratio.center) - 1) < 0.01
    assert abs(np.median(first) / np.median(second) - 1) > 0.02


def test_linear_drift_cancels_exactly_within_quads() -> None:
    seconds = 0.06 * np.exp(-0.01 * np.arange(40))
    ratio = interleaved_ratio((1.25 * seconds[ORDER]).tolist(), seconds[~ORDER].tolist())
    assert ratio is not None
    assert math.exp(ratio.center) == pytest.approx(1.25, rel=1e-12)
    assert ratio.half < 1e-12


def test_one_spike_moves_nothing_where_there_are_five_quads() -> None:
    rng = np.random.default_rng(22)
    a, b = walls(rng, np.zeros(40))
    before = interleaved_ratio(a, b)
    a[int(np.argmax(np.array(a) / np.array(b)))] *= 40
    after = interleaved_ratio(a, b)
    assert before is not None
    assert after is not None
    assert after.center == pytest.approx(before.center, abs=0.02)


def test_few_repeats_are_not_trimmed_and_one_pair_gives_no_interval() -> None:
    ratio = interleaved_ratio([2.0, 2.2, 2.0, 2.4], [1.0, 1.0, 1.0, 1.0])
    assert ratio is not None
    values = np.log([2.0 * 2.2, 2.0 * 2.4]) / 2
    assert ratio.center == pytest.approx(values.mean())
    assert ratio.half == pytest.approx(t_quantile(1) * values.std(ddof=1) / math.sqrt(2))
    single = interleaved_ratio([0.352], [0.281])
    assert single is not None
    assert math.exp(single.center) == pytest.approx(0.352 / 0.281)
    assert single.freedom == 0
    assert interleaved_ratio([], [1.0]) is None


def test_a_last_pair_that_makes_no_quad_is_left_out() -> None:
    whole, odd = interleaved_ratio([1.0, 1.1], [0.5, 0.5]), interleaved_ratio([1.0, 1.1, 9.0], [0.5, 0.5, 0.5])
    assert whole == odd


def test_the_pair_shown_is_of_one_moment_and_of_the_usual_ratio() -> None:
    drift = [80.0, 75.0, 70.0, 65.0, 60.0, 55.0]
    a, b = drift, [0.8 * wall for wall in drift]
    pair = shown_pair(a, b)
    assert pair is not None
    assert a[pair] / b[pair] == pytest.approx(1.25)
    assert a[pair] in (70.0, 65.0)


def test_a_preempted_repeat_is_not_the_pair_shown() -> None:
    assert shown_pair([10.0, 10.0, 40.0], [8.0, 8.0, 8.0]) in (0, 1)


def test_without_a_pair_nothing_is_shown() -> None:
    assert shown_pair([], [1.0]) is None
