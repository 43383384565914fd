"""Lanes and view of the timeline, in whole nanoseconds."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ui.timeline.lanes import bars, differences, event_at, rows_of
from ui.timeline.view import MIN_SPAN, View, whole
from workbench.model.events import KINDS, Trace

EVENTS = st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**7)), min_size=1, max_size=60)


def trace_of(events: list[tuple[int, int]], kind: str = "kernel", name: str = "scale") -> Trace:
    n = len(events)
    return Trace(
        start=np.array([start for start, _ in events], np.int64),
        duration=np.array([duration for _, duration in events], np.int64),
        kind=np.full(n, KINDS.index(kind), np.uint8),
        lane=np.zeros(n, np.uint16),
        name=np.zeros(n, np.uint32),
        names=(name,),
        lanes=("stream 7", "never used"),
        wall=max((start + duration for start, duration in events), default=0),
    )


@given(EVENTS)
def test_no_two_events_of_a_row_overlap_and_none_is_lost(events: list[tuple[int, int]]) -> None:
    rows = rows_of(trace_of(events))
    assert sorted(int(event) for row in rows for event in row.events) == list(range(len(events)))
    for row in rows:
        assert (row.start[1:] >= row.end[:-1]).all()


@given(EVENTS, st.integers(0, 10**9), st.integers(MIN_SPAN, 10**9), st.integers(1, 2000))
def test_a_row_draws_at_most_one_rectangle_per_pixel(events: list[tuple[int, int]], start: int, span: int, width: int) -> None:
    view = View(start, span, width)
    for row in rows_of(trace_of(events)):
        drawn = bars(row, view)
        assert len({bar.left for bar in drawn}) == len(drawn)
        assert all(0 <= bar.left < bar.right <= width + 1 for bar in drawn)


def test_of_events_in_one_pixel_the_longest_is_drawn() -> None:
    row = rows_of(trace_of([(0, 10), (20, 500), (600, 5)]))[0]
    assert [bar.event for bar in bars(row, View(0, 10_000, 1))] == [1]


def test_an_event_is_found_under_the_pointer_and_a_thin_one_within_reach() -> None:
    row = rows_of(trace_of([(1000, 10), (5000, 500)]))[0]
    assert event_at(row, 5200, 0) == 1
    assert event_at(row, 990, 20) == 0
    assert event_at(row, 3000, 20) is None


@given(st.integers(1, 10**12), st.integers(1, 4000), st.floats(0.1, 10), st.integers(0, 4000))
def test_zooming_stays_within_what_is_there(total: int, width: int, factor: float, pixel: int) -> None:
    full = whole(total, width)
    view = full.zoomed(factor, min(pixel, width), total)
    assert view.span <= full.span
    assert full.start <= view.start
    assert view.start + view.span <= full.start + full.span


def test_zooming_keeps_the_time_under_the_pointer() -> None:
    view = whole(10**9, 1000).zoomed(0.5, 500, 10**9)
    assert abs(view.time(500) - whole(10**9, 1000).time(500)) <= view.span // 1000 + 1


def test_panning_ends_at_the_edges() -> None:
    view = whole(10**9, 1000).zoomed(0.1, 0, 10**9)
    assert view.panned(-(10**6), 10**9).start == whole(10**9, 1000).start
    assert view.panned(10**6, 10**9).start + view.span == 10**9 + 10**7


def test_ticks_are_round_and_apart() -> None:
    ticks = View(0, 352_000_000, 1000).ticks(80)
    assert [tick.time for tick in ticks][:3] == [0, 50_000_000, 100_000_000]
    assert all(b.pixel - a.pixel >= 80 for a, b in itertools.pairwise(ticks))


def test_differences_name_what_appeared_vanished_grew_and_shrank() -> None:
    before = trace_of([(0, 100), (200, 100)])
    after = trace_of([(0, 50)])
    other = trace_of([(0, 50)], kind="h2d", name="upload")
    assert [(d.change, d.before, d.after, d.calls_before) for d in differences(before, after)] == [("shrank", 200, 50, 2)]
    assert {(d.name, d.change) for d in differences(before, other)} == {("scale", "vanished"), ("upload", "appeared")}


def test_an_empty_trace_has_no_rows() -> None:
    assert rows_of(trace_of([])) == []
