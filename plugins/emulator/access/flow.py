"""Where lanes that part meet again: loops and post-dominators of the control flow that all traced threads took.

A place is a code address in the frames of one function. At the function's level and inside each loop the lanes that stay there
meet at the nearest place that all ways inside lead to (the immediate post-dominator of that part of the graph). Ways that leave
the loop do not count, unless a place has no other: on a GPU the lanes that take them leave the convergence barrier (BREAK).
The same holds for ways on which a thread of the kernel touches no memory any more: it has as good as returned. On the way there
lanes meet wherever some of the ways join that parted here (the places whose immediate dominator this one is), as in the SASS of
`a && b || c`, where BSSY and BSYNC stand around each join.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

ENTRY, EXIT = 0, (1 << 30) - 1
"""kEntry and kExit of streams.h."""
PLAIN, USEFUL, CALLS = 0, 1, 2
"""What an edge's `kind` says of where it leads."""
FUNCTION = -1
"""The outermost level: no loop."""
END = -1
"""Meeting at the end of the function."""

Place = tuple[int, int]
Ways = Mapping[int, Sequence[int]]


@dataclass(frozen=True)
class Edge:
    """Control went `count` times from one code address to the next in frames of a function (streams.h)."""

    function: int
    source: int
    target: int
    kind: int
    count: int


@dataclass(frozen=True)
class Loop:
    """Code addresses that reach each other; `parent` is the loop around, FUNCTION for none."""

    header: int
    members: frozenset[int]
    parent: int


@dataclass
class Flow:
    """The rows that the replay needs (LedgerGraph of lanes.h), places sorted."""

    places: list[Place] = field(default_factory=list)
    loop: list[int] = field(default_factory=list)
    ways: list[list[tuple[int, int]]] = field(default_factory=list)
    """For each place, innermost loop first: the loop and the place where lanes meet that stay in it (END: the function's end)."""
    parent: list[int] = field(default_factory=list)
    headers: list[Place] = field(default_factory=list)
    """The header of each loop."""
    visits: dict[Place, int] = field(default_factory=dict)
    """How often threads came to each place."""
    farewells: set[Place] = field(default_factory=set)
    """Places on the way from a loop to where those who leave it meet: lanes that leave it in different turns come apart."""

    def depth(self, place: Place) -> int:
        """Return how many loops of its function are around a place."""
        return len(self.chain(place))

    def chain(self, place: Place) -> list[int]:
        """Return the loops around a place, innermost first."""
        index = self._index.get(place)
        found, loop = [], FUNCTION if index is None else self.loop[index]
        while loop != FUNCTION:
            found.append(loop)
            loop = self.parent[loop]
        return found

    def finish(self) -> None:
        """Number the places; call once they are all there."""
        self._index = {place: number for number, place in enumerate(self.places)}


def find_flow(edges: Iterable[Edge]) -> Flow:
    """Return where lanes meet again in every function."""
    by_function: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        by_function[edge.function].append(edge)
    kernels = {edge.target for edge in by_function.get(0, ()) if edge.kind == CALLS}
    flow = Flow()
    for function in sorted(by_function):
        _add(flow, function, by_function[function], is_kernel=function in kernels or function == 0)
    flow.finish()
    return flow


def _add(flow: Flow, function: int, edges: Sequence[Edge], *, is_kernel: bool) -> None:
    ways: dict[int, list[int]] = defaultdict(list)
    for edge in edges:
        if edge.kind == CALLS:
            continue
        if edge.target != EXIT:
            place = (function, edge.target)
            flow.visits[place] = flow.visits.get(place, 0) + edge.count
        ways[edge.source].append(edge.target)
    places = sorted({code for source, targets in ways.items() for code in (source, *targets)} - {ENTRY, EXIT})
    taken = _without_idle(ways, edges) if is_kernel else ways
    loops = list(find_loops(taken, taken.get(ENTRY, ()), len(flow.parent)))
    first = len(flow.places)
    number = {code: first + index for index, code in enumerate(places)}
    innermost = dict.fromkeys(places, FUNCTION)
    for loop in loops:  # outer loops come first
        flow.parent.append(loop.parent)
        flow.headers.append((function, loop.header))
        innermost.update(dict.fromkeys(loop.members, len(flow.parent) - 1))
    meets = _meets(taken, places, loops, first_loop=len(flow.parent) - len(loops))
    joins = _joins(taken, innermost, loops)
    flow.farewells.update((function, code) for loop in loops for code in _farewells(taken, loop, meets[loop.parent]))
    for code in places:
        flow.places.append((function, code))
        flow.loop.append(innermost[code])
        levels = (*_chain(innermost[code], flow.parent), FUNCTION) if len(set(ways.get(code, ()))) > 1 else ()
        rows = [(loop, number.get(meets[loop].get(code, END), END)) for loop in levels]
        inner = [(innermost[code], number[join]) for join in joins.get(code, ()) if (innermost[code], number[join]) not in rows]
        flow.ways.append([*inner, *rows] if rows else [])


def _chain(loop: int, parent: Sequence[int]) -> Iterator[int]:
    while loop != FUNCTION:
        yield loop
        loop = parent[loop]


def _without_idle(ways: Ways, edges: Sequence[Edge]) -> dict[int, list[int]]:
    """Return the ways without places from which no useful one is reached; what led only there leads to the end."""
    useful = {edge.target for edge in edges if edge.kind == USEFUL} | {edge.source for edge in edges if edge.kind == CALLS}
    before: dict[int, list[int]] = defaultdict(list)
    for source, targets in ways.items():
        for target in targets:
            before[target].append(source)
    waiting = list(useful)
    while waiting:
        for source in before[waiting.pop()]:
            if source not in useful:
                useful.add(source)
                waiting.append(source)
    kept = {source: [target for target in targets if target in useful] for source, targets in ways.items() if source in useful}
    return {source: targets or [EXIT] for source, targets in kept.items()}


def find_loops(ways: Ways, entries: Iterable[int], number: int) -> Iterator[Loop]:
    """Yield loops, each before those inside it; loops are counted from `number` in the order in which they are yielded."""
    waiting: list[tuple[dict[int, list[int]], list[int], int]] = [
        ({s: list(t) for s, t in ways.items()}, list(entries), FUNCTION)
    ]
    while waiting:
        graph, starts, parent = waiting.pop(0)
        for members in _strong(graph, starts):
            inside = frozenset(members)
            if len(inside) == 1 and members[0] not in graph.get(members[0], ()):
                continue
            header = _header(graph, inside, starts)
            yield Loop(header, inside, parent)
            inner = {code: [target for target in graph.get(code, ()) if target in inside and target != header] for code in inside}
            waiting.append((inner, [header], number))
            number += 1


def _header(graph: Ways, inside: frozenset[int], starts: Sequence[int]) -> int:
    """Return where control comes into a loop; of several places (a jump into a loop) the first that is found."""
    for code in starts:
        if code in inside:
            return code
    entered = [target for source, targets in graph.items() if source not in inside for target in targets if target in inside]
    return min(entered, default=min(inside))


def _strong(graph: Ways, starts: Iterable[int]) -> Iterator[list[int]]:
    """Yield the strongly connected parts that are reached (Tarjan 1972, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for start in starts:
        work = [(start, iter(graph.get(start, ())))] if start not in index else []
        if work:
            index[start] = low[start] = len(index)
            stack.append(start)
            on_stack.add(start)
        while work:
            code, targets = work[-1]
            target = next((target for target in targets if target not in index or target in on_stack), None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[code])
                if low[code] == index[code]:
                    part = stack[stack.index(code) :]
                    del stack[stack.index(code) :]
                    on_stack.difference_update(part)
                    yield part
            elif target in index:
                low[code] = min(low[code], index[target])
            else:
                index[target] = low[target] = len(index)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter(graph.get(target, ()))))


def _meets(ways: Ways, places: Sequence[int], loops: Sequence[Loop], first_loop: int) -> dict[int, dict[int, int]]:
    """Return for each level (loop number, or FUNCTION) where the lanes that part at a place meet; END at the function's end."""
    levels = {FUNCTION: _post_dominators({code: list(ways.get(code, (EXIT,))) for code in places})}
    for index, loop in enumerate(loops):
        inside: dict[int, list[int]] = {}
        for code in loop.members:
            targets = [EXIT if target == loop.header else target for target in ways.get(code, ()) if target in loop.members]
            inside[code] = targets or [EXIT]
        found = _post_dominators(inside)
        levels[first_loop + index] = {code: loop.header if meet == END else meet for code, meet in found.items()}
    return levels


def _farewells(ways: Ways, loop: Loop, meets: Mapping[int, int]) -> Iterator[int]:
    """Yield the places between a loop's exits and where the lanes meet that part there; `meets` are those around the loop."""
    for source in loop.members:
        waiting = [target for target in ways.get(source, ()) if target not in loop.members]
        seen = {*loop.members, meets.get(source, END), EXIT}
        while waiting:
            code = waiting.pop()
            if code not in seen:
                seen.add(code)
                yield code
                waiting += ways.get(code, ())


def _joins(ways: Ways, innermost: Mapping[int, int], loops: Sequence[Loop]) -> dict[int, list[int]]:
    """Return for each place those of its own loop where ways join that all come through it, nearest first."""
    before: dict[int, set[int]] = defaultdict(set)
    for source, targets in ways.items():
        for target in targets:
            back = any(loop.header == target and source in loop.members for loop in loops)
            if target != EXIT and not back:
                before[target].add(source)
    order, _ = _postorder(ways, ENTRY)
    found = _dominators(before, order)
    joins: dict[int, list[int]] = defaultdict(list)
    for code in reversed(order):
        over = found.get(code)
        if len(before[code]) > 1 and over not in (None, ENTRY) and innermost.get(over or 0) == innermost.get(code):
            joins[over or 0].append(code)
    return joins


def _dominators(before: Mapping[int, set[int]], order: Sequence[int]) -> dict[int, int]:
    """Return each place's immediate dominator (Cooper, Harvey and Kennedy 2001); `order` is the postorder from the entry."""
    number = {code: index for index, code in enumerate(order)}
    found: dict[int, int] = {ENTRY: ENTRY}
    changed = True
    while changed:
        changed = False
        for code in reversed(order[:-1]):
            over = None
            for source in before.get(code, ()):
                if source in found:
                    over = source if over is None else _common(found, number, over, source)
            if over is not None and found.get(code) != over:
                found[code] = over
                changed = True
    return found


def _post_dominators(ways: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Return each place's immediate post-dominator, END for the end (Cooper, Harvey and Kennedy 2001, on the reversed graph)."""
    before: dict[int, list[int]] = defaultdict(list)
    for source, targets in ways.items():
        for target in targets:
            before[target if target in ways else EXIT].append(source)
    order, seen = _postorder(before, EXIT)
    found: dict[int, int] = {EXIT: EXIT}
    changed = True
    while changed:
        changed = False
        for code in reversed(order[:-1]):
            meet = None
            for target in ways[code]:
                target = target if target in ways else EXIT
                if target in found:
                    meet = target if meet is None else _common(found, seen, meet, target)
            if meet is not None and found.get(code) != meet:
                found[code] = meet
                changed = True
    return {code: END if found.get(code, EXIT) == EXIT else found[code] for code in ways}


def _postorder(before: Mapping[int, Sequence[int]], start: int) -> tuple[list[int], dict[int, int]]:
    order: list[int] = []
    visited = {start}
    work = [(start, iter(before.get(start, ())))]
    while work:
        code, sources = work[-1]
        source = next((source for source in sources if source not in visited), None)
        if source is None:
            order.append(code)
            work.pop()
        else:
            visited.add(source)
            work.append((source, iter(before.get(source, ()))))
    return order, {code: number for number, code in enumerate(order)}


def _common(found: Mapping[int, int], number: Mapping[int, int], one: int, other: int) -> int:
    while one != other:
        while number[one] < number[other]:
            one = found[one]
        while number[other] < number[one]:
            other = found[other]
    return one
