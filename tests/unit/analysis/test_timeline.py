"""Each instant of a trace has one owner."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.analysis.timeline import owner_intervals, stage_sums
from workbench.model.events import KINDS, Trace

Event = tuple[str, str, int, int]
"""Kind, name, start, duration."""


def trace_of(events: list[Event], wall: int) -> Trace:
    names = tuple(dict.fromkeys(name for _, name, _, _ in events))
    return Trace(
        start=np.array([event[2] for event in events], dtype=np.int64),
        duration=np.array([event[3] for event in events], dtype=np.int64),
        kind=np.array([KINDS.index(event[0]) for event in events], dtype=np.uint8),
        lane=np.zeros(len(events), dtype=np.uint16),
        name=np.array([names.index(event[1]) for event in events], dtype=np.uint32),
        names=names,
        lanes=("host",),
        wall=wall,
    )


def test_device_work_owns_the_wait_for_it() -> None:
    trace = trace_of([("cpu", "frame", 0, 100), ("sync", "wait", 10, 50), ("kernel", "k", 20, 30)], 120)
    assert stage_sums(trace) == {"kernel": 30, "sync": 20, "cpu:frame": 50}


def test_a_planted_overlap_counts_once() -> None:
    trace = trace_of([("kernel", "k", 0, 100), ("h2d", "copy", 50, 100), ("d2h", "copy", 120, 50), ("other", "o", 90, 20)], 200)
    assert stage_sums(trace) == {"kernel": 100, "other": 10, "h2d": 40, "d2h": 20}


def test_a_planted_sleep_stays_in_the_remainder() -> None:
    trace = trace_of([("cpu", "resize", 0, 1_000_000), ("kernel", "k", 6_000_000, 2_000_000)], 8_000_000)
    assert trace.wall - sum(stage_sums(trace).values()) == 5_000_000


def test_the_innermost_host_stage_owns_its_time() -> None:
    trace = trace_of([("cpu", "outer", 0, 100), ("cpu", "inner", 20, 30), ("cpu", "deepest", 30, 5)], 100)
    assert stage_sums(trace) == {"cpu:outer": 70, "cpu:inner": 25, "cpu:deepest": 5}


def test_api_calls_own_nothing() -> None:
    assert stage_sums(trace_of([("api", "cudaLaunchKernel", 0, 50)], 50)) == {}


def test_events_are_cut_at_the_repeat_and_nonsense_durations_count_as_none() -> None:
    trace = trace_of([("kernel", "k", -50, 80), ("h2d", "late", 90, 80), ("sync", "negative", 40, -10)], 100)
    assert stage_sums(trace) == {"kernel": 30, "h2d": 10, "sync": 0}


def test_an_empty_trace_and_one_of_instants_own_nothing() -> None:
    assert stage_sums(trace_of([], 10)) == {}
    assert stage_sums(trace_of([("kernel", "k", 5, 0), ("cpu", "c", 3, 0)], 10)) == {"kernel": 0, "cpu:c": 0}


def test_very_long_traces_stay_exact() -> None:
    """Above 2**53 a float64 could no longer hold a nanosecond."""
    wall = 2**60 + 1
    trace = trace_of([("kernel", "k", 1, wall - 1)], wall)
    assert stage_sums(trace) == {"kernel": wall - 1}


events = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from("abc"), st.integers(-20, 220), st.integers(0, 120)),
    max_size=25,
)


def slow_owner(event_list: list[Event], instant: int) -> str | None:
    """The owner of one nanosecond, by the rule's words."""
    here = [event for event in event_list if event[2] <= instant < event[2] + event[3]]
    for kind in ("kernel", "other", "h2d", "d2h", "sync", "alloc"):
        if any(event[0] == kind for event in here):
            return kind
    host = sorted((-max(event[2], 0), min(event[2] + event[3], 200), event[1]) for event in here if event[0] == "cpu")
    return "cpu:" + host[0][2] if host else None


@given(events)
def test_every_nanosecond_has_the_owner_that_the_rule_names(event_list: list[Event]) -> None:
    expected: dict[str, int] = {}
    for instant in range(200):
        owner = slow_owner(event_list, instant)
        if owner:
            expected[owner] = expected.get(owner, 0) + 1
    assert {key: value for key, value in stage_sums(trace_of(event_list, 200)).items() if value} == expected


@given(events, st.randoms(use_true_random=False))
def test_sums_and_remainder_are_the_wall_in_any_order(event_list: list[Event], shuffler: random.Random) -> None:
    sums = stage_sums(trace_of(event_list, 200))
    assert all(value >= 0 for value in sums.values())
    assert 0 <= sum(sums.values()) <= 200
    shuffled = list(event_list)
    shuffler.shuffle(shuffled)
    assert stage_sums(trace_of(shuffled, 200)) == sums


@given(events)
def test_intervals_are_disjoint_ordered_and_joined(event_list: list[Event]) -> None:
    owners = owner_intervals(trace_of(event_list, 200))
    ends = owners.start + owners.duration
    assert np.all(owners.duration > 0)
    assert np.all(owners.start[1:] >= ends[:-1])
    touching = owners.start[1:] == ends[:-1]
    assert np.all(owners.owner[1:][touching] != owners.owner[:-1][touching])
