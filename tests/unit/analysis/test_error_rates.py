"""How often the verdict is wrong, on rounds whose truth is known; the whole study is `full`, a share runs always."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from tests.helpers.timing_rounds import make_timing
from workbench.analysis.stats import log_ratio, noise_floor, quad_log_ratios
from workbench.analysis.verdict import compare_timing
from workbench.model.run import TimingData

SEED = 20261129


def clopper_pearson_upper(wrong: int, tries: int, confidence: float = 0.95) -> float:
    """The upper bound of a rate of which `wrong` of `tries` were seen: where so few or fewer have probability 1 − confidence."""
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        fewer = sum(math.comb(tries, k) * rate**k * (1 - rate) ** (tries - k) for k in range(wrong + 1))
        low, high = (rate, high) if fewer > 1 - confidence else (low, rate)
    return high


def verdicts(pairs: int, *, slower: float, seed: int, placement: float = 0.003, groups: int = 5) -> Counter[str | None]:
    """Verdicts of pairs, each judged with the A/A floor that its own baseline showed."""
    rng, seen = np.random.default_rng(seed), Counter[str | None]()
    for _ in range(pairs):
        floor = noise_floor(make_timing(rng, placement=placement, groups=groups, versions=("A", "A")))
        timing = make_timing(rng, slower=slower, placement=placement, groups=groups)
        seen[compare_timing(timing, floor, books_gain=True).verdict] += 1
    return seen


def pooled_bootstrap_decides(timing: TimingData, rng: np.random.Generator) -> bool:
    """The trap: an interval from resampling pooled quads, as if their process did not matter."""
    pooled = np.concatenate([quad_log_ratios(group) for group in timing.groups])
    means = pooled[rng.integers(0, len(pooled), (400, len(pooled)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return bool(low > 0 or high < 0)


def coverage(pairs: int, groups: int, seed: int) -> int:
    rng, held = np.random.default_rng(seed), 0
    for _ in range(pairs):
        ratio = log_ratio(make_timing(rng, slower=0.05, groups=groups))
        assert ratio is not None
        held += ratio.low <= -np.log1p(0.05) <= ratio.high
    return held


def test_identical_versions_are_hardly_ever_called_faster_or_slower() -> None:
    seen = verdicts(300, slower=0.0, seed=SEED)
    assert clopper_pearson_upper(seen["FASTER"] + seen["SLOWER"], 300) < 0.02


def test_a_clear_slowdown_is_seen_and_never_called_faster() -> None:
    seen = verdicts(100, slower=0.05, seed=SEED)
    assert seen["SLOWER"] >= 98
    assert seen["FASTER"] == seen["SAME"] == 0


def test_the_interval_over_processes_holds_the_truth_as_often_as_it_says() -> None:
    assert 0.92 <= coverage(400, 5, SEED) / 400 <= 0.98


def test_pooling_rounds_would_make_a_placement_offset_a_result() -> None:
    """Why the unit is the process: on the same identical pairs the pooled bootstrap decides most of the time."""
    rng = np.random.default_rng(SEED)
    timings = [make_timing(rng) for _ in range(60)]
    assert sum(pooled_bootstrap_decides(timing, rng) for timing in timings) > 0.4 * 60
    decided = sum(ratio.low > 0 or ratio.high < 0 for timing in timings if (ratio := log_ratio(timing)))
    assert decided < 0.15 * 60


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("placement", [0.0, 0.001, 0.003, 0.01])
@pytest.mark.parametrize("groups", [3, 5, 8])
def test_false_verdicts_on_2000_identical_pairs_stay_below_2_percent(placement: float, groups: int) -> None:
    seen = verdicts(2000, slower=0.0, seed=SEED + groups, placement=placement, groups=groups)
    assert clopper_pearson_upper(seen["FASTER"] + seen["SLOWER"], 2000) < 0.02


@pytest.mark.full
@pytest.mark.parametrize("slower", [0.005, 0.01, 0.02, 0.05])
def test_of_300_slowed_pairs_none_is_called_faster_and_few_the_same(slower: float) -> None:
    """A slowdown equal to the least margin may still be SAME (the margin says so); above it, hardly ever."""
    seen = verdicts(300, slower=slower, seed=SEED)
    assert seen["FASTER"] == 0
    if slower >= 0.02:
        assert clopper_pearson_upper(seen["SAME"], 300) < 0.02


@pytest.mark.full
@pytest.mark.parametrize("groups", [2, 3, 5, 8])
def test_coverage_of_2000_intervals_is_95_percent(groups: int) -> None:
    assert 0.935 <= coverage(2000, groups, SEED + groups) / 2000 <= 0.965
