"""The Amdahl account of a pipeline, before and after (method section 6, requirements A6 to A8).

Stages, remainder, shares, ceiling and prediction come from one traced repeat of each side, both of one interleaved pair
(`shown_pair`), so that the parts and the remainder are that repeat's wall to the nanosecond. Measured walls come from the
untraced repeats, each side's median. The speed-up is that of their interleaved pairs (`interleaved`), which a drifting host
does not move, so it need not be the quotient of the two walls shown. Time saved is wall before · (1 − 1/speed-up), a free
kernel's is wall before · share of the kernel; the share of the ceiling is their quotient, (1 − 1/speed-up) / share: both are
fractions of their own wall.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.analysis.interleaved import interleaved_ratio, shown_pair
from workbench.analysis.sentences import name_of
from workbench.analysis.stats import median, median_interval
from workbench.analysis.verdict import LEAST_MARGIN, decide
from workbench.model.ledger import MISSING, Account, Estimate, KernelCheck, NextStage, Stage
from workbench.model.run import PipelineData, PipelineRepeat

Floats = npt.NDArray[np.float64]
Side = Literal["a", "b"]

TITLES: Mapping[str, str] = {
    "kernel": "Target kernel",
    "other": "Other GPU kernels",
    "h2d": "Host to device copy",
    "d2h": "Device to host copy",
    "sync": "Synchronisation",
    "alloc": "Allocation",
}
"""Titles of the stages that no pipeline names itself."""
REMAINDER = "remainder"


class WaterfallStep(msgspec.Struct, frozen=True):
    """One step from the traced wall before to the one after: the stage moves the total from `start` to `end` (seconds)."""

    name: str
    title: str
    kind: str
    start: float
    end: float


def build_account(
    pipeline: PipelineData,
    kernel_speedup: Estimate,
    names: Mapping[str, str],
    *,
    books_gain: bool,
    stop_below: float,
    clock: tuple[Estimate, Estimate] = (MISSING, MISSING),
) -> Account:
    """Return the account of `pipeline.b_hash` against `pipeline.a_hash`; `names` gives a version's name for its hash.

    `kernel_speedup` is the honest clock's, `clock` its seconds of both sides. Where no gain is booked (`books_gain` False)
    speed-up, ceiling, prediction and next stages are missing. `stop_below` is the fraction of the wall under which the best
    remaining gain is not worth going on (A8). A version against itself gets an account of its own (`Account.alone`).
    """
    plain = _measured(pipeline, names, books_gain, clock)
    if not books_gain:
        return plain
    booked = _booked(plain, pipeline, stop_below)
    return booked if plain.alone else _gained(booked, pipeline, kernel_speedup)


def _measured(pipeline: PipelineData, names: Mapping[str, str], books_gain: bool, clock: tuple[Estimate, Estimate]) -> Account:
    """Return what was measured of both sides, or of the one: stages, remainder, walls, shares."""
    alone = pipeline.a_hash == pipeline.b_hash
    before, after = _shown(pipeline, "a"), None if alone else _shown(pipeline, "b")
    walls_a, walls_b = _walls(pipeline, "a", traced=False), _walls(pipeline, "b", traced=False)
    return Account(
        before_name=name_of(names, pipeline.a_hash),
        after_name=name_of(names, pipeline.b_hash),
        stages=_stages(pipeline, before, after),
        remainder_before=_remainder(before),
        remainder_after=_remainder(after),
        traced_wall_before=before.wall if before else None,
        traced_wall_after=after.wall if after else None,
        wall_before=_wall_estimate([*walls_a, *walls_b] if alone else walls_a),
        wall_after=_wall_estimate([] if alone else walls_b),
        tracing_factor=_tracing_factor(pipeline),
        kernel_speedup=MISSING,
        speedup=MISSING,
        predicted_speedup=None,
        ceiling=None,
        share_before=_share(_kernel_seconds(pipeline, before), before),
        share_after=_share(_kernel_seconds(pipeline, after), after),
        ceiling_share=None,
        next_stages=(),
        go_on=None,
        repeats=len(walls_a) + len(walls_b) if alone else min(len(walls_a), len(walls_b)),
        books_gain=books_gain,
        alone=alone,
        check_before=_check(pipeline, before, clock[0]),
        check_after=_check(pipeline, after, clock[1]),
    )


def _booked(plain: Account, pipeline: PipelineData, stop_below: float) -> Account:
    """Add what only a device that books gains may say of one version: the ceiling and what next."""
    before = _shown(pipeline, "a")
    latest = before if plain.alone else _shown(pipeline, "b")
    following = _next_stages(plain, latest)
    return msgspec.structs.replace(
        plain,
        ceiling=_amdahl(before, _kernel_seconds(pipeline, before), 0.0),
        next_stages=following,
        go_on=following[0].seconds / latest.wall >= stop_below if following and latest else None,
    )


def _gained(plain: Account, pipeline: PipelineData, kernel_speedup: Estimate) -> Account:
    """Add what two versions say: speed-up, prediction, time saved and its share of the ceiling."""
    before, after = _shown(pipeline, "a"), _shown(pipeline, "b")
    ratio = interleaved_ratio(_walls(pipeline, "a", traced=False), _walls(pipeline, "b", traced=False))
    gain = ratio.estimate() if ratio else MISSING
    return msgspec.structs.replace(
        plain,
        kernel_speedup=kernel_speedup,
        speedup=gain,
        time_saved=_time_saved(plain.wall_before, gain),
        predicted_speedup=_amdahl(before, _kernel_seconds(pipeline, before), _kernel_seconds(pipeline, after)),
        ceiling_share=_saved(gain.value) / plain.share_before if gain.value and plain.share_before else None,
        verdict=decide(ratio, LEAST_MARGIN) if ratio else None,
    )


def _check(pipeline: PipelineData, repeat: PipelineRepeat | None, clock: Estimate) -> KernelCheck | None:
    """Return the traced kernel's seconds a call beside the clock's; None where either is missing."""
    kernel = _kernel_seconds(pipeline, repeat)
    if repeat is None or not kernel or not repeat.kernel_calls or not clock.value:
        return None
    return KernelCheck(repeat.kernel_calls, kernel / repeat.kernel_calls, clock.value)


def account_from_stages(
    before: Mapping[str, float], after: Mapping[str, float], walls: tuple[float, float], *, kernel: str, stop_below: float = 0.03
) -> Account:
    """Return the account of a hand-given table: seconds by stage before and after, the two walls, the kernel stage's name."""
    repeats = (
        PipelineRepeat("a", True, walls[0], before),
        PipelineRepeat("b", True, walls[1], after),
        PipelineRepeat("a", False, walls[0]),
        PipelineRepeat("b", False, walls[1]),
    )
    pipeline = PipelineData("before", "after", repeats, stage_kinds={kernel: "kernel"})
    speedup = Estimate(before[kernel] / after[kernel], None, None, "imported")
    return build_account(pipeline, speedup, {"before": "before", "after": "after"}, books_gain=True, stop_below=stop_below)


def waterfall(account: Account) -> tuple[WaterfallStep, ...]:
    """Return the steps from the traced wall before to the one after, the remainder last; empty when a side is missing."""
    total = account.traced_wall_before
    if total is None or account.traced_wall_after is None:
        return ()
    rest = Stage(REMAINDER, REMAINDER, REMAINDER, account.remainder_before, account.remainder_after)
    steps = []
    for stage in (*account.stages, rest):
        following = _seconds(_nanoseconds(total) + _nanoseconds(stage.after or 0.0) - _nanoseconds(stage.before or 0.0))
        steps.append(WaterfallStep(stage.name, stage.title, stage.kind, total, following))
        total = following
    return tuple(steps)


def amdahl_curve(share: float, kernel_speedups: Floats) -> Floats:
    """Return the end-to-end speed-up 1 / (1 − share + share / s) for kernel speed-ups s; `share` is the kernel's of the wall."""
    curve: Floats = 1.0 / (1.0 - share + share / np.asarray(kernel_speedups, dtype=np.float64))
    return curve


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e9)


def _seconds(nanoseconds: int) -> float:
    return nanoseconds / 1e9


def _walls(pipeline: PipelineData, side: Side, *, traced: bool) -> list[float]:
    return [repeat.wall for repeat in pipeline.repeats if repeat.version == side and repeat.traced == traced]


@functools.lru_cache(maxsize=64)
def _pair(a: tuple[float, ...], b: tuple[float, ...]) -> int | None:
    """An account asks for the pair of the same repeats half a dozen times."""
    return shown_pair(a, b)


def _shown(pipeline: PipelineData, side: Side) -> PipelineRepeat | None:
    """Return the traced repeat that stands for a side: both sides' are of one pair, whose traces the worker keeps."""
    traced = [repeat for repeat in pipeline.repeats if repeat.version == side and repeat.traced]
    pair = _pair(tuple(_walls(pipeline, "a", traced=True)), tuple(_walls(pipeline, "b", traced=True)))
    if pair is None:
        return traced[0] if traced else None
    return traced[pair]


def _wall_estimate(walls: Sequence[float]) -> Estimate:
    if not walls:
        return MISSING
    low, high = median_interval(walls) or (None, None)
    return Estimate(median(walls), low, high, "measured")


def _kind(pipeline: PipelineData, name: str) -> str:
    return pipeline.stage_kinds.get(name) or name.partition(":")[0]


def _stages(pipeline: PipelineData, before: PipelineRepeat | None, after: PipelineRepeat | None) -> tuple[Stage, ...]:
    """Return the stages of both sides, in the order of the pipeline's titles, then as they came."""
    sides = [repeat.stages if repeat else None for repeat in (before, after)]
    names = dict.fromkeys(name for stages in sides if stages for name in stages)
    ordered = [*(name for name in pipeline.stage_titles if name in names), *(n for n in names if n not in pipeline.stage_titles)]
    return tuple(
        Stage(
            name,
            pipeline.stage_titles.get(name) or TITLES.get(name) or name.removeprefix("cpu:"),
            _kind(pipeline, name),
            None if sides[0] is None else sides[0].get(name, 0.0),
            None if sides[1] is None else sides[1].get(name, 0.0),
        )
        for name in ordered
    )


def _remainder(repeat: PipelineRepeat | None) -> float | None:
    if repeat is None:
        return None
    return _seconds(_nanoseconds(repeat.wall) - sum(map(_nanoseconds, repeat.stages.values())))


def _kernel_seconds(pipeline: PipelineData, repeat: PipelineRepeat | None) -> float | None:
    if repeat is None:
        return None
    return math.fsum(seconds for name, seconds in repeat.stages.items() if _kind(pipeline, name) == "kernel")


def _share(kernel: float | None, repeat: PipelineRepeat | None) -> float | None:
    return None if kernel is None or repeat is None or repeat.wall <= 0 else kernel / repeat.wall


def _amdahl(before: PipelineRepeat | None, kernel: float | None, becomes: float | None) -> float | None:
    """wall / (wall − kernel + what the kernel becomes), all else equal; None where nothing would be left."""
    if before is None or kernel is None or becomes is None:
        return None
    left = before.wall - kernel + becomes
    return before.wall / left if left > 0 else None


def _saved(speedup: float) -> float:
    """Return the fraction of the wall that a speed-up saves."""
    return 1.0 - 1.0 / speedup


def _time_saved(before: Estimate, speedup: Estimate) -> Estimate:
    """Return wall before · (1 − 1/speed-up), seconds; its interval is the speed-up's."""
    if before.value is None or speedup.value is None:
        return MISSING
    low, high = (before.value * _saved(end) if end else None for end in (speedup.low, speedup.high))
    return Estimate(before.value * _saved(speedup.value), low, high, "measured")


def _tracing_factor(pipeline: PipelineData) -> float | None:
    """Return how much longer the traced repeats took: the sides' median walls, traced over untraced."""
    medians = [
        (median(traced) or 0.0, median(plain) or 0.0)
        for side in ("a", "b")
        if (traced := _walls(pipeline, side, traced=True)) and (plain := _walls(pipeline, side, traced=False))
    ]
    below = math.fsum(plain for _, plain in medians)
    return math.fsum(traced for traced, _ in medians) / below if below > 0 else None


def _next_stages(account: Account, repeat: PipelineRepeat | None) -> tuple[NextStage, ...]:
    """Return the stages that still cost something, the highest ceiling first; what is all of the wall has no finite ceiling."""
    if repeat is None:
        return ()
    costs = [(stage, stage.before if account.alone else stage.after) for stage in account.stages]
    found = [
        NextStage(stage.name, stage.title, stage.kind, seconds, repeat.wall / (repeat.wall - seconds))
        for stage, seconds in costs
        if seconds and 0 < seconds < repeat.wall
    ]
    return tuple(sorted(found, key=lambda stage: -stage.ceiling))
