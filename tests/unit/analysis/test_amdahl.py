"""The account: the running example to the digit, and the arithmetic of any pipeline."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.analysis.account_sentences import drift_note, kernel_check, pairs_note
from workbench.analysis.amdahl import account_from_stages, amdahl_curve, build_account, waterfall
from workbench.model.ledger import MISSING, Account, Estimate, KernelCheck, Ledger
from workbench.model.run import PipelineData, PipelineRepeat
from workbench.units import milliseconds, percent, ratio

BEFORE = {"kernel": 0.108, "cpu:pre": 0.038, "h2d": 0.042, "other": 0.118, "sync": 0.026, "d2h": 0.020}
AFTER = {"kernel": 0.0164, "cpu:pre": 0.038, "h2d": 0.046, "other": 0.118, "sync": 0.025, "d2h": 0.022}


@pytest.fixture
def example() -> Account:
    """The image pre-processing chain of the requirements."""
    return account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")


def test_the_running_example_gives_exactly_its_published_account(example: Account) -> None:
    assert percent(example.share_before) == "30.7 %"
    assert percent(example.share_after) == "5.8 %"
    assert ratio(example.ceiling) == "1.44×"
    assert percent(example.ceiling_share, 0) == "66 %"
    assert ratio(example.speedup.value) == "1.25×"
    assert ratio(example.predicted_speedup) == "1.35×"
    assert ratio(example.kernel_speedup.value) == "6.59×"
    assert example.remainder_before == 0.0
    assert example.remainder_after == 0.0156
    assert milliseconds(sum(AFTER.values())) == "265.4"


def test_the_next_stage_is_the_one_with_the_highest_ceiling(example: Account) -> None:
    names = [stage.name for stage in example.next_stages]
    assert names == ["other", "h2d", "cpu:pre", "sync", "d2h", "kernel"]
    assert ratio(example.next_stages[0].ceiling) == "1.72×"
    assert ratio(example.next_stages[-1].ceiling) == "1.06×"
    assert example.go_on is True


def test_the_loop_stops_when_no_stage_is_worth_going_on() -> None:
    account = account_from_stages({"kernel": 0.5}, {"kernel": 0.02}, (1.0, 1.0), kernel="kernel", stop_below=0.03)
    assert account.go_on is False


def test_the_waterfall_leads_from_one_wall_to_the_other(example: Account) -> None:
    steps = waterfall(example)
    assert steps[0].start == 0.352
    assert steps[-1].end == 0.281
    assert steps[-1].name == "remainder"
    assert all(left.end == right.start for left, right in itertools.pairwise(steps))


def test_the_curve_passes_through_the_prediction_and_below_the_ceiling(example: Account) -> None:
    assert example.share_before is not None
    curve = amdahl_curve(example.share_before, np.array([1.0, 108 / 16.4, 1e9]))
    assert curve[0] == 1.0
    assert curve[1] == pytest.approx(example.predicted_speedup)
    assert curve[2] == pytest.approx(example.ceiling)


def repeats_of(walls: list[tuple[float, float]], traced: list[tuple[float, float]]) -> tuple[PipelineRepeat, ...]:
    made = []
    for a, b in walls:
        made += [PipelineRepeat("a", False, a), PipelineRepeat("b", False, b)]
    for a, b in traced:
        made += [PipelineRepeat("a", True, a, {"kernel": a / 2, "cpu:x": a / 4})]
        made += [PipelineRepeat("b", True, b, {"kernel": b / 2, "cpu:x": b / 4})]
    return tuple(made)


def test_stages_come_from_the_traced_pair_of_the_usual_ratio() -> None:
    pipeline = PipelineData("A", "B", repeats_of([(1.0, 0.5)] * 4, [(9.0, 3.0), (1.2, 0.6), (1.1, 0.5)]))
    account = build_account(pipeline, MISSING, {}, books_gain=True, stop_below=0.03)
    assert account.traced_wall_before == 1.1
    assert account.traced_wall_after == 0.5
    assert account.tracing_factor == pytest.approx(1.8 / 1.5)
    assert account.repeats == 4


def test_the_end_to_end_ratio_has_an_interval_that_holds_it_and_a_verdict() -> None:
    walls = [(1.0 + 0.01 * (i % 3), 0.8 + 0.01 * (i % 2)) for i in range(20)]
    pipeline = PipelineData("A", "B", repeats_of(walls, [(1.0, 0.8)]))
    account = build_account(
        pipeline, Estimate(2.0, 1.9, 2.1, "measured"), {"A": "base", "B": "new"}, books_gain=True, stop_below=0.03
    )
    low, value, high = account.speedup.low, account.speedup.value, account.speedup.high
    assert low is not None
    assert value is not None
    assert high is not None
    assert low <= value <= high
    assert account.verdict == "FASTER"
    assert (account.before_name, account.after_name) == ("base", "new")


def test_on_a_drifting_host_ratio_time_saved_and_share_of_the_ceiling_are_one_claim() -> None:
    drift = [0.080, 0.070, 0.060, 0.057, 0.057, 0.057]
    walls = [(1.14 * seconds, seconds) for seconds in drift]
    pipeline = PipelineData("A", "B", repeats_of(walls, [(0.070, 0.060)]))
    account = build_account(pipeline, MISSING, {}, books_gain=True, stop_below=0.03)
    assert account.speedup.value == pytest.approx(1.14)
    assert account.wall_before.value is not None
    assert account.time_saved.value == pytest.approx(account.wall_before.value * (1 - 1 / 1.14))
    assert account.ceiling is not None
    assert account.ceiling_share == pytest.approx((1 - 1 / 1.14) / (1 - 1 / account.ceiling))


def test_the_running_example_saves_71_of_the_108_ms(example: Account) -> None:
    assert milliseconds(example.time_saved.value) == "71.0"


def test_before_and_after_are_of_one_pair_as_the_traces_kept_for_the_timeline_are() -> None:
    pipeline = PipelineData("A", "B", repeats_of([(1.0, 0.5)] * 4, [(1.3, 0.6), (1.2, 0.7)]))
    account = build_account(pipeline, MISSING, {}, books_gain=True, stop_below=0.03)
    assert (account.traced_wall_before, account.traced_wall_after) in ((1.3, 0.6), (1.2, 0.7))


def test_a_baseline_against_itself_has_one_side_a_ceiling_and_no_gain() -> None:
    pipeline = PipelineData("A", "A", repeats_of([(1.0, 1.1)] * 4, [(1.0, 0.9)]))
    account = build_account(pipeline, Estimate(1.0, evidence="measured"), {"A": "base"}, books_gain=True, stop_below=0.03)
    assert account.alone
    assert account.wall_before.value == account.wall.value == 1.05
    assert account.repeats == 8
    assert account.wall_after == account.speedup == account.kernel_speedup == account.time_saved == MISSING
    assert account.traced_wall_after is account.remainder_after is account.share_after is account.ceiling_share is None
    assert account.predicted_speedup is None
    assert account.verdict is None
    assert all(stage.after is None for stage in account.stages)
    assert account.ceiling == 2.0
    assert [stage.seconds for stage in account.next_stages] == [0.5, 0.25]
    assert account.go_on is True
    assert waterfall(account) == ()


def checked(calls: int, clock: tuple[float, float]) -> Account:
    traced = (
        PipelineRepeat("a", True, 0.06, {"kernel": 0.01372}, calls),
        PipelineRepeat("b", True, 0.05, {"kernel": 0.00238}, calls),
    )
    pipeline = PipelineData("A", "B", traced)
    both = (Estimate(clock[0], evidence="measured"), Estimate(clock[1], evidence="measured"))
    return build_account(pipeline, MISSING, {}, books_gain=True, stop_below=0.03, clock=both)


def test_the_traced_kernel_stands_beside_the_honest_clock() -> None:
    account = checked(4, (3.967e-3, 655.2e-6))
    assert account.check_before is not None
    assert account.check_before.calls == 4
    assert account.check_before.traced == pytest.approx(3.43e-3)
    assert account.check_before.difference == pytest.approx(-0.135, abs=0.001)
    assert str(kernel_check(account)) == (
        "The traced kernel took 3.430 ms → 595.0 µs a call; the clock says 3.967 ms → 655.2 µs on the declared inputs "
        "(−14 %, −9 %): other inputs, other caches."
    )


def test_where_both_clocks_agree_nothing_is_explained() -> None:
    assert "differ." not in str(kernel_check(checked(4, (3.43e-3, 595e-6))))


def test_without_counted_calls_or_without_a_timing_there_is_no_check() -> None:
    assert checked(0, (3.967e-3, 655.2e-6)).check_before is None
    assert kernel_check(account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")) is None


def test_the_note_on_pairs_stands_only_where_the_walls_do_not_divide_to_the_ratio(example: Account) -> None:
    assert pairs_note(example) is None
    drifted = msgspec.structs.replace(example, speedup=Estimate(1.14, 1.1, 1.18, "measured"))
    assert "interleaved pairs" in str(pairs_note(drifted))
    assert "1.25×" in str(pairs_note(drifted))


def test_cpu_time_books_no_gain_but_keeps_its_stages() -> None:
    pipeline = PipelineData("A", "B", repeats_of([(1.0, 0.5)] * 4, [(1.0, 0.5)]))
    account = build_account(pipeline, Estimate(2.0, evidence="measured"), {}, books_gain=False, stop_below=0.03)
    assert account.speedup == account.kernel_speedup == MISSING
    assert account.ceiling is account.predicted_speedup is account.ceiling_share is None
    assert account.go_on is None
    assert account.verdict is None
    assert account.next_stages == ()
    assert account.stages[0].before == 0.5
    assert account.wall_after.evidence == "measured"


def test_a_pipeline_that_was_never_traced_has_walls_and_no_stages() -> None:
    pipeline = PipelineData("A", "B", repeats_of([(1.0, 0.5)] * 4, []))
    account = build_account(pipeline, MISSING, {}, books_gain=True, stop_below=0.03)
    assert account.stages == ()
    assert account.remainder_before is account.ceiling is account.share_after is account.tracing_factor is None
    assert account.speedup.value == 2.0
    assert waterfall(account) == ()


def test_a_pipeline_that_is_only_kernel_has_no_finite_ceiling() -> None:
    account = account_from_stages({"kernel": 1.0}, {"kernel": 0.5}, (1.0, 0.5), kernel="kernel")
    assert account.ceiling is None
    assert account.next_stages == ()
    assert account.go_on is None


nanoseconds = st.integers(0, 10**12)


@given(st.dictionaries(st.sampled_from(["kernel", "h2d", "cpu:a", "cpu:b", "sync"]), nanoseconds), nanoseconds)
def test_parts_and_remainder_are_the_wall_to_the_nanosecond(parts: dict[str, int], extra: int) -> None:
    wall = (sum(parts.values()) + extra) / 1e9
    repeat = PipelineRepeat("b", True, wall, {name: value / 1e9 for name, value in parts.items()})
    account = build_account(PipelineData("A", "B", (repeat,)), MISSING, {}, books_gain=True, stop_below=0.03)
    assert account.remainder_after is not None
    counted = sum(round((stage.after or 0.0) * 1e9) for stage in account.stages)
    assert counted + round(account.remainder_after * 1e9) == round(wall * 1e9)
    assert account.remainder_before is None


def test_baselines_of_two_runs_that_differ_are_said_to_drift() -> None:
    slow = build_account(
        PipelineData("A", "B", repeats_of([(1.2, 0.6)] * 4, [(1.2, 0.6)])), MISSING, {}, books_gain=True, stop_below=0.03
    )
    fast = build_account(
        PipelineData("A", "C", repeats_of([(1.0, 0.5)] * 4, [(1.0, 0.5)])), MISSING, {}, books_gain=True, stop_below=0.03
    )
    ledger = Ledger("p", "", "cuda:0", "GPU", True, (), None, {"B": slow, "C": fast})
    said = drift_note(ledger)
    assert said is not None
    assert "1.000 s to 1.200 s" in str(said)
    assert str(drift_note(msgspec.structs.replace(ledger, books_gains=False, device="emulator"))) == str(said)
    assert drift_note(msgspec.structs.replace(ledger, accounts={"B": slow})) is None


def test_a_baseline_whose_kernel_alone_took_longer_in_another_run_is_said_to_drift() -> None:
    walls = build_account(
        PipelineData("A", "B", repeats_of([(1.0, 0.5)] * 4, [(1.0, 0.5)])), MISSING, {}, books_gain=False, stop_below=0.03
    )
    accounts = {
        name: msgspec.structs.replace(walls, check_before=KernelCheck(4, 0.1, clock))
        for name, clock in (("B", 0.068), ("C", 0.0978))
    }
    ledger = Ledger("p", "", "emulator", "CPU", False, (), None, accounts)
    assert "baseline's kernel took 68.00 ms to 97.80 ms" in str(drift_note(ledger))
    both = msgspec.structs.replace(accounts["C"], wall_before=Estimate(1.2, None, None, "measured"))
    assert "1.000 s to 1.200 s, its kernel 68.00 ms" in str(
        drift_note(msgspec.structs.replace(ledger, accounts=accounts | {"C": both}))
    )
    calm = msgspec.structs.replace(walls, check_before=KernelCheck(4, 0.1, 0.0685))
    assert drift_note(msgspec.structs.replace(ledger, accounts={"B": accounts["B"], "C": calm})) is None
