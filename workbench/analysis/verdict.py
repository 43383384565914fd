"""FASTER, SLOWER, SAME or AMBIGUOUS: from timed rounds to a comparison (method sections 1 and 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from workbench.analysis import sentences
from workbench.analysis.standing import deciding_run, standing, timed_runs
from workbench.analysis.stats import LogRatio, difference, log_ratio, median_time, noise_floor
from workbench.model.ledger import MISSING, Comparison, Estimate
from workbench.model.run import Run, TimingData, Verdict

LEAST_MARGIN = 0.005
"""0.5 %: a gap below this is never a gain (method section 2, as NVBench's clear gap)."""


class _Route(msgspec.Struct, frozen=True):
    """Where a comparison's numbers come from."""

    ratio: LogRatio | None
    a: Estimate
    b: Estimate
    tick: float
    timing: TimingData
    route: Literal["paired", "through the baseline"]


def decide(ratio: LogRatio, margin: float) -> Verdict:
    """Return the verdict of a log ratio's 95 % interval against ± margin (a fraction).

    FASTER and SLOWER when the interval lies outside on that side, SAME when it lies inside (an equivalence test), else AMBIGUOUS.
    One process alone gives no interval, so it never decides.
    """
    bound = math.log1p(margin)
    if ratio.low > bound:
        return "FASTER"
    if ratio.high < -bound:
        return "SLOWER"
    return "SAME" if -bound < ratio.low and ratio.high < bound else "AMBIGUOUS"


def margin_of(floor: float | None, tick: float, *times: float | None) -> float:
    """Return max(0.5 %, A/A floor, one clock tick relative to the shortest time) as a fraction."""
    shortest = min((time for time in times if time), default=math.inf)
    return max(LEAST_MARGIN, floor or 0.0, tick / shortest)


def smallest_change(ratio: LogRatio, margin: float) -> float | None:
    """Return the change that would clear the margin in 97.5 % of such timings: margin + two half widths of the interval."""
    return math.expm1(math.log1p(margin) + 2 * ratio.half) if ratio.freedom else None


def compare_timing(timing: TimingData, floor: float | None, books_gain: bool, names: Mapping[str, str] = {}) -> Comparison:
    """Compare the two sides of one paired timing.

    `floor` is the A/A noise floor as a fraction (None: missing), `names` gives a version's name for its hash.
    """
    bare = _finish(_paired(timing), floor, books_gain)
    if timing.wrong_rounds:
        bare = msgspec.structs.replace(bare, speedup=MISSING, verdict="WRONG ANSWER")
    return _said(bare, timing.a_hash, timing.b_hash, names)


def compare_versions(
    runs: Sequence[Run], a: str, b: str, *, device: str, books_gain: bool, names: Mapping[str, str]
) -> Comparison:
    """Compare version B with version A (hashes) from what was measured on `device` (an id; runs elsewhere are ignored).

    Paired where one was timed against the other, else through a shared baseline (the variances add), else route "none".
    """
    found = _find_route(runs, a, b, device)
    bare = _finish(found, _floor(runs, found, device), books_gain) if found else _nothing(runs, a, b, device, books_gain)
    if _is_wrong(runs, b, device):
        bare = msgspec.structs.replace(bare, speedup=MISSING, verdict="WRONG ANSWER", smallest_change=None)
    elif _is_wrong(runs, a, device):
        bare = msgspec.structs.replace(bare, speedup=MISSING, verdict=None, smallest_change=None)
        return msgspec.structs.replace(bare, sentence=sentences.wrong_base(names, a, b))
    return _said(bare, a, b, names)


def _is_wrong(runs: Sequence[Run], version: str, device: str) -> bool:
    run = deciding_run(runs, version, device)
    return run is not None and standing(run) == "wrong"


def _paired(timing: TimingData) -> _Route:
    a, b = median_time(timing, "a"), median_time(timing, "b")
    return _Route(log_ratio(timing), a, b, timing.clock.tick, timing, "paired")


def _inverted(route: _Route) -> _Route:
    ratio = route.ratio.inverted() if route.ratio else None
    return msgspec.structs.replace(route, ratio=ratio, a=route.b, b=route.a)


def _find_route(runs: Sequence[Run], a: str, b: str, device: str) -> _Route | None:
    """Return the newest direct timing of the two, else the newest two against the same baseline under the same protocol."""
    direct = next((timing for _, timing in timed_runs(runs, b, device) if timing.a_hash == a), None)
    if direct:
        return _paired(direct)
    reverse = next((timing for _, timing in timed_runs(runs, a, device) if timing.a_hash == b), None)
    if reverse:
        return _inverted(_paired(reverse))
    of_a = [timing for _, timing in timed_runs(runs, a, device)]
    pairs = ((left, right) for _, right in timed_runs(runs, b, device) for left in of_a if _comparable(left, right))
    left, right = next(pairs, (None, None))
    return _through(left, right) if left and right else None


def _comparable(left: TimingData, right: TimingData) -> bool:
    """True when two timings had the same baseline, cache regime, clock and sizes."""
    return (left.a_hash, left.regime, left.clock.name, dict(left.sizes)) == (
        right.a_hash,
        right.regime,
        right.clock.name,
        dict(right.sizes),
    )


def _through(left: TimingData, right: TimingData) -> _Route:
    first, second = log_ratio(right), log_ratio(left)
    ratio = difference(first, second) if first and second else None
    tick = max(left.clock.tick, right.clock.tick)
    return _Route(ratio, median_time(left, "b"), median_time(right, "b"), tick, right, "through the baseline")


def _floor(runs: Sequence[Run], route: _Route | None, device: str) -> float | None:
    """Return the newest A/A floor of this comparison's baseline under the same protocol."""
    if route is None:
        return None
    base = route.timing.a_hash
    candidates = (
        timing for _, timing in timed_runs(runs, base, device) if timing.b_hash == base and _comparable(timing, route.timing)
    )
    return next((floor for timing in candidates if (floor := noise_floor(timing)) is not None), None)


def _finish(route: _Route, floor: float | None, books_gain: bool) -> Comparison:
    margin = margin_of(floor, route.tick, route.a.value, route.b.value)
    ratio, timing = route.ratio, route.timing
    decides = books_gain and ratio is not None
    return Comparison(
        a=route.a,
        b=route.b,
        speedup=ratio.estimate() if ratio and decides else MISSING,
        verdict=decide(ratio, margin) if ratio and decides else None,
        margin=margin,
        noise_floor=floor,
        rounds=2 * ratio.quads if ratio else 0,
        groups=ratio.groups if ratio else 0,
        regime=timing.regime,
        clock=timing.clock,
        books_gain=books_gain,
        route=route.route,
        smallest_change=smallest_change(ratio, margin) if ratio and decides else None,
    )


def _nothing(runs: Sequence[Run], a: str, b: str, device: str, books_gain: bool) -> Comparison:
    """Two versions without a common timing: each keeps its own time, and nothing is concluded."""
    times = [next((median_time(timing, "b") for _, timing in timed_runs(runs, v, device)), MISSING) for v in (a, b)]
    return Comparison(
        a=times[0],
        b=times[1],
        speedup=MISSING,
        verdict=None,
        margin=LEAST_MARGIN,
        noise_floor=None,
        rounds=0,
        groups=0,
        regime=None,
        clock=None,
        books_gain=books_gain,
        route="none",
    )


def _said(comparison: Comparison, a: str, b: str, names: Mapping[str, str]) -> Comparison:
    return msgspec.structs.replace(comparison, sentence=sentences.of_comparison(comparison, names, a, b))
