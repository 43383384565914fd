"""Where lanes meet again, found in the control flow that was taken. Places are letters, `^` the entry and `$` the exit."""

from __future__ import annotations

from plugins.emulator.access.flow import CALLS, END, ENTRY, EXIT, FUNCTION, PLAIN, USEFUL, Edge, Flow, find_flow

KERNEL = 7


def _code(letter: str) -> int:
    return {"^": ENTRY, "$": EXIT}.get(letter, ord(letter))


def _flow(*ways: str, idle: str = "", function: int = KERNEL) -> Flow:
    """Return the flow of one kernel from ways like "ab"; places in `idle` touch no memory."""
    edges = [
        Edge(function, _code(way[0]), _code(way[1]), PLAIN if way[1] in idle or way[1] == "$" else USEFUL, 1) for way in ways
    ]
    return find_flow([Edge(0, ENTRY, KERNEL, CALLS, 1), *edges])


def _meets(flow: Flow, letter: str) -> list[tuple[int, str]]:
    """Return where lanes meet that part at a place: the loop, and the place's letter."""
    index = flow.places.index((KERNEL, _code(letter)))
    return [(loop, "$" if meet == END else chr(flow.places[meet][1])) for loop, meet in flow.ways[index]]


def test_two_sides_meet_where_they_join() -> None:
    flow = _flow("^a", "ab", "ac", "bd", "cd", "d$")
    assert _meets(flow, "a") == [(FUNCTION, "d")]
    assert _meets(flow, "b") == []


def test_an_if_inside_a_loop_meets_inside_the_loop() -> None:
    flow = _flow("^h", "ha", "ab", "ac", "bc", "ch", "cx", "x$")
    assert _meets(flow, "a") == [(0, "c"), (FUNCTION, "c")]
    assert _meets(flow, "c") == [(0, "h"), (FUNCTION, "x")]
    assert flow.depth((KERNEL, _code("a"))) == 1
    assert flow.depth((KERNEL, _code("x"))) == 0


def test_a_break_does_not_keep_the_others_from_meeting_in_the_loop() -> None:
    flow = _flow("^a", "ab", "ac", "bc", "be", "ca", "cx", "ex", "x$")
    assert _meets(flow, "a") == [(0, "c"), (FUNCTION, "x")]
    assert _meets(flow, "b") == [(0, "c"), (FUNCTION, "x")]


def test_a_continue_meets_at_the_next_turn() -> None:
    flow = _flow("^h", "hb", "ha", "ah", "bh", "hx", "x$")
    assert _meets(flow, "h") == [(0, "h"), (FUNCTION, "x")]


def test_a_return_does_not_keep_the_others_apart_where_nothing_follows_it() -> None:
    flow = _flow("^a", "ab", "ay", "br", "bc", "cy", "y$", "r$", idle="r")
    assert _meets(flow, "a") == [(FUNCTION, "y")]


def test_a_condition_of_several_parts_has_a_meeting_at_every_join() -> None:
    # a && b || c ? then : else
    flow = _flow("^a", "ab", "ac", "bt", "bc", "ct", "ce", "tj", "ej", "j$")
    assert _meets(flow, "a") == [(FUNCTION, "c"), (FUNCTION, "t"), (FUNCTION, "j")]


def test_loops_inside_loops_know_their_parents() -> None:
    flow = _flow("^o", "oi", "ii", "io", "ox", "x$")
    inner, outer = flow.loop[flow.places.index((KERNEL, _code("i")))], flow.loop[flow.places.index((KERNEL, _code("o")))]
    assert flow.parent[inner] == outer
    assert flow.parent[outer] == FUNCTION
    assert flow.chain((KERNEL, _code("i"))) == [inner, outer]


def test_an_endless_loop_has_no_meeting_behind_it() -> None:
    assert _meets(_flow("^a", "ab", "ac", "ba", "ca"), "a") == [(0, "a"), (FUNCTION, "$")]


def _farewells(flow: Flow) -> str:
    return "".join(sorted(chr(code) for _, code in flow.farewells))


def test_work_before_a_break_is_a_farewell_and_what_follows_the_loop_is_none() -> None:
    assert _farewells(_flow("^a", "ab", "ac", "be", "ca", "cx", "ex", "x$")) == "be"
    assert _farewells(_flow("^a", "ab", "ac", "bc", "be", "ca", "cx", "ex", "x$")) == "e"
    assert _farewells(_flow("^h", "ha", "ah", "hx", "x$")) == ""


def test_a_farewell_may_have_several_places_and_ends_in_the_loop_around() -> None:
    flow = _flow("^o", "oh", "ha", "ah", "ae", "ef", "eg", "fm", "gm", "hm", "mo", "mx", "x$")
    assert _farewells(flow) == "efg"
