"""The four answers, and the way two versions are compared that were never timed together."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.sample_session import emulator_runs, gpu_runs, sample_versions
from tests.helpers.timing_rounds import make_timing
from workbench.analysis.stats import from_values
from workbench.analysis.verdict import compare_timing, compare_versions, decide, margin_of
from workbench.model.ledger import MISSING, Comparison
from workbench.model.run import Run

NAMES = {"A": "baseline", "B": "tile prefetch"}
BASELINE, VECTOR, TILE, WRONG = sample_versions()
VERSION_NAMES = {version.hash: version.name for version in sample_versions()}


def compare(runs: tuple[Run, ...], a: str, b: str, *, device: str = "cuda:0", books_gain: bool = True) -> Comparison:
    return compare_versions(runs, a, b, device=device, books_gain=books_gain, names=VERSION_NAMES)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([0.10, 0.11, 0.12], "FASTER"),
        ([-0.10, -0.11, -0.12], "SLOWER"),
        ([0.000, 0.001, -0.001], "SAME"),
        ([0.00, 0.02, -0.02], "AMBIGUOUS"),
        ([0.5], "AMBIGUOUS"),
    ],
)
def test_the_interval_against_the_margin_gives_one_of_four_answers(values: list[float], verdict: str) -> None:
    assert decide(from_values(np.array(values), quads=30), 0.005) == verdict


@given(st.lists(st.floats(-0.2, 0.2), min_size=2, max_size=8), st.floats(0.005, 0.1))
def test_swapped_versions_get_the_opposite_answer(values: list[float], margin: float) -> None:
    opposite = {"FASTER": "SLOWER", "SLOWER": "FASTER", "SAME": "SAME", "AMBIGUOUS": "AMBIGUOUS"}
    ratio = from_values(np.array(values), quads=30)
    assert decide(ratio.inverted(), margin) == opposite[decide(ratio, margin)]


@given(st.lists(st.floats(-0.2, 0.2), min_size=2, max_size=8), st.floats(0.005, 0.1))
def test_a_wider_margin_never_turns_an_undecided_pair_into_a_gain(values: list[float], margin: float) -> None:
    ratio = from_values(np.array(values), quads=30)
    if decide(ratio, margin) != "FASTER":
        assert decide(ratio, 2 * margin) != "FASTER"


def test_the_margin_is_the_largest_of_half_a_percent_the_floor_and_a_tick() -> None:
    assert margin_of(None, 0.0, 1e-3) == 0.005
    assert margin_of(0.012, 0.0, 1e-3) == 0.012
    assert margin_of(0.012, 32e-9, 1e-3, 1e-6) == pytest.approx(0.032)
    assert margin_of(None, 32e-9, None) == 0.005


def test_a_faster_version_is_named_with_its_ratio_and_margin() -> None:
    timing = make_timing(np.random.default_rng(1), slower=1 / 6.6 - 1.0, placement=0.0, noise=0.001)
    comparison = compare_timing(timing, 0.009, True, NAMES)
    assert comparison.verdict == "FASTER"
    assert str(comparison.sentence) == "tile prefetch is 6.60× faster than baseline; its interval clears the margin of 0.9 %."
    assert comparison.rounds == 250
    assert comparison.groups == 5
    assert comparison.noise_floor == comparison.margin == 0.009


def test_a_slower_version_is_named_with_the_turned_ratio() -> None:
    comparison = compare_timing(make_timing(np.random.default_rng(1), slower=0.25, noise=0.001), None, True, NAMES)
    assert comparison.verdict == "SLOWER"
    assert str(comparison.sentence).startswith("tile prefetch is 1.25× slower than baseline")


def test_an_undecided_pair_says_what_change_would_show() -> None:
    timing = make_timing(np.random.default_rng(2), slower=0.01, placement=0.01)
    comparison = compare_timing(timing, 0.009, True, NAMES)
    assert comparison.verdict == "AMBIGUOUS"
    assert comparison.smallest_change is not None
    assert comparison.smallest_change > comparison.margin
    assert "More rounds may decide" in str(comparison.sentence)


def test_rounds_of_one_process_never_decide() -> None:
    comparison = compare_timing(make_timing(np.random.default_rng(2), slower=1.0, groups=1), None, True, NAMES)
    assert comparison.verdict == "AMBIGUOUS"
    assert "5 processes" in str(comparison.sentence)
    assert comparison.smallest_change is None


def test_a_gap_of_less_than_one_tick_is_no_gain() -> None:
    """1.00 against 1.02 µs on a clock of 32 ns."""
    timing = make_timing(np.random.default_rng(3), slower=-0.02, placement=0.0, noise=0.0005, time=1e-6, tick=32e-9)
    assert compare_timing(timing, None, True, NAMES).verdict in ("SAME", "AMBIGUOUS")


def test_cpu_time_has_no_verdict_and_no_speed_up_but_keeps_its_times() -> None:
    comparison = compare_timing(make_timing(np.random.default_rng(1), slower=1.0), None, False, NAMES)
    assert comparison.verdict is None
    assert comparison.speedup == MISSING
    assert comparison.b.evidence == "measured"
    assert "no evidence of a gain" in str(comparison.sentence)


def test_a_wrong_round_makes_the_time_no_claim() -> None:
    timing = msgspec.structs.replace(make_timing(np.random.default_rng(1), slower=-0.5), checked_rounds=100, wrong_rounds=1)
    comparison = compare_timing(timing, None, True, NAMES)
    assert comparison.verdict == "WRONG ANSWER"
    assert comparison.speedup == MISSING


def test_a_version_timed_against_the_other_is_compared_in_pairs() -> None:
    comparison = compare(gpu_runs(), BASELINE.hash, TILE.hash)
    assert comparison.route == "paired"
    assert comparison.verdict == "FASTER"
    assert comparison.noise_floor is not None
    assert comparison.regime == "cold"


def test_the_other_direction_is_the_same_pair_turned() -> None:
    there, back = compare(gpu_runs(), BASELINE.hash, TILE.hash), compare(gpu_runs(), TILE.hash, BASELINE.hash)
    assert back.verdict == "SLOWER"
    assert there.speedup.value is not None
    assert back.speedup.value == pytest.approx(1 / there.speedup.value)
    assert (back.a, back.b) == (there.b, there.a)


def test_two_candidates_meet_through_their_baseline_with_added_variances() -> None:
    through = compare(gpu_runs(), VECTOR.hash, TILE.hash)
    assert through.route == "through the baseline"
    assert through.verdict == "FASTER"
    to_vector = compare(gpu_runs(), BASELINE.hash, VECTOR.hash).speedup
    to_tile = compare(gpu_runs(), BASELINE.hash, TILE.hash).speedup
    assert through.speedup.value is not None
    assert to_tile.value is not None
    assert to_vector.value is not None
    assert through.speedup.value == pytest.approx(to_tile.value / to_vector.value)
    width = [math.log((part.high or 0) / (part.low or 1)) for part in (through.speedup, to_tile, to_vector)]
    assert width[0] > min(width[1:])


def test_other_sizes_or_another_clock_are_no_common_baseline() -> None:
    runs = list(gpu_runs(confirmed=False))
    timing = runs[3].passes[2].time
    assert timing is not None
    other = msgspec.structs.replace(timing, sizes={"width": 640})
    passes = tuple(msgspec.structs.replace(p, time=other) if p.name == "time" else p for p in runs[3].passes)
    runs[3] = msgspec.structs.replace(runs[3], passes=passes)
    comparison = compare(tuple(runs), VECTOR.hash, TILE.hash)
    assert comparison.route == "none"
    assert comparison.verdict is None
    assert comparison.speedup == MISSING
    assert comparison.a.value is not None
    assert "were not timed together" in str(comparison.sentence)


def test_a_wrong_answer_is_a_verdict_and_a_wrong_base_gives_none() -> None:
    wrong = compare(gpu_runs(), BASELINE.hash, WRONG.hash)
    assert wrong.verdict == "WRONG ANSWER"
    assert str(wrong.sentence) == "fast math gives a wrong answer, so its time is no claim."
    base = compare(gpu_runs(), WRONG.hash, TILE.hash)
    assert base.verdict is None
    assert str(base.sentence) == "fast math gives a wrong answer, so tile prefetch is not compared with it."


def test_runs_on_another_device_are_not_looked_at() -> None:
    assert compare(gpu_runs(), BASELINE.hash, TILE.hash, device="cuda:1").route == "none"
    emulated = compare(emulator_runs(), BASELINE.hash, TILE.hash, device="emulator", books_gain=False)
    assert emulated.route == "paired"
    assert emulated.verdict is None
    assert emulated.speedup == MISSING
