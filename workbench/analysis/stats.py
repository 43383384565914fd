"""Statistics of timed rounds: medians, log ratios of whole quads, and intervals over fresh processes (method section 2).

The unit is the quad A B B A; quads of one process share that process's placement in memory, so only the spread *between*
processes says how far a ratio would move on the next start. Intervals are therefore Student's t over one value per
process (G processes, G − 1 degrees of freedom). A bootstrap over pooled rounds treats them as independent and calls a
0.3 % placement offset a result most of the time; a bootstrap over five processes has only 126 distinct resamples and is
too narrow. `tests/unit/analysis/test_error_rates.py` shows both.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.model.ledger import MISSING, Estimate
from workbench.model.run import Group, TimingData

Floats = npt.NDArray[np.float64]
SMALLEST_TIME = 1e-12
"""Seconds; what a clock gives below this (its constant taken off) is no time. Keeps logarithms finite."""


class LogRatio(msgspec.Struct, frozen=True):
    """ln(time A / time B): its centre, standard error and degrees of freedom; 0 of them means no interval can be given."""

    center: float
    error: float
    freedom: int
    groups: int
    quads: int
    least_half: float = 0.0
    """Half a tick of the clock relative to the shorter time: the interval is never narrower."""

    @property
    def half(self) -> float:
        """Half width of the 95 % interval; infinite when there is none."""
        return max(t_quantile(self.freedom) * self.error, self.least_half) if self.freedom else math.inf

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.center - self.half

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.center + self.half

    def estimate(self) -> Estimate:
        """Return the ratio A/B itself (above 1: B is faster) as measured."""
        if not self.freedom:
            return Estimate(math.exp(self.center), None, None, "measured")
        return Estimate(math.exp(self.center), math.exp(self.low), math.exp(self.high), "measured")

    def inverted(self) -> LogRatio:
        """Return ln(B / A)."""
        return msgspec.structs.replace(self, center=-self.center)


@functools.cache
def t_quantile(freedom: int, probability: float = 0.975) -> float:
    """Return Student's t quantile for whole degrees of freedom and a probability above one half.

    Bisects the closed form of the distribution, Abramowitz & Stegun 26.7.3 and 26.7.4; agrees with scipy to 1e-9.
    """
    central = 2 * probability - 1
    low, high = 0.0, math.pi / 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _central_t(middle, freedom) < central else (low, middle)
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _central_t(theta: float, freedom: int) -> float:
    """P(|T| < √freedom · tan θ)."""
    cosine, odd = math.cos(theta), freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for step in range(freedom // 2):
        total += term
        top = 2 * step + 1 + odd
        term *= cosine * cosine * top / (top + 1)
    total *= math.sin(theta)
    return (theta + total) * 2 / math.pi if odd else total


def kept(samples: Sequence[float]) -> list[float]:
    """Return the samples without one minimum and one maximum (requirement A3), sorted; all of them when fewer than 3.

    This changes mean and spread, never the median.
    """
    values = sorted(samples)
    return values[1:-1] if len(values) > 2 else values


def median(samples: Sequence[float]) -> float | None:
    """Return the median of the kept samples, None when there are none."""
    values = kept(samples)
    middle = len(values) // 2
    if not values:
        return None
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def dispersion(samples: Sequence[float]) -> float | None:
    """Return the interquartile range of the kept samples relative to their median; None for fewer than 4."""
    if len(samples) < 4:
        return None
    low, middle, high = np.quantile(kept(samples), [0.25, 0.5, 0.75])
    return float((high - low) / middle) if middle > 0 else None


def midmean(values: Floats) -> float:
    """Return the mean of the middle half: one preempted round does not move it, and it does not jump by clock ticks."""
    ordered = sorted(values.tolist())
    cut = len(ordered) // 4
    middle = ordered[cut : len(ordered) - cut]
    return math.fsum(middle) / len(middle)


def quad_log_ratios(group: Group) -> Floats:
    """Return ln(A/B) of each whole quad A B B A of one process: linear drift within a quad cancels."""
    rounds = min(len(group.a), len(group.b)) // 2 * 2
    a = np.log(np.maximum(np.array(group.a[:rounds], dtype=np.float64), SMALLEST_TIME))
    b = np.log(np.maximum(np.array(group.b[:rounds], dtype=np.float64), SMALLEST_TIME))
    ratios: Floats = (a[0::2] + a[1::2] - b[0::2] - b[1::2]) / 2
    return ratios


def log_ratio(timing: TimingData) -> LogRatio | None:
    """Return ln(A/B) of a paired timing with its spread over processes; None when no quad was timed."""
    return _log_ratio(timing.groups, timing.clock.tick)


@functools.lru_cache(maxsize=2048)
def _log_ratio(groups: tuple[Group, ...], clock_tick: float) -> LogRatio | None:
    """A ledger asks for the ratio of the same rounds several times: against baseline and parent, for floor and account."""
    ratios = [ratios for ratios in map(quad_log_ratios, groups) if len(ratios)]
    if not ratios:
        return None
    times = [value for side in ("a", "b") if (value := median(_samples(groups, side)))]
    tick = clock_tick / min(times) if times else 0.0
    values = np.array([midmean(group) for group in ratios])
    quads = sum(map(len, ratios))
    return from_values(values, quads=quads, least_half=tick / 2)


def from_values(values: Floats, *, quads: int, least_half: float = 0.0) -> LogRatio:
    """Return the log ratio whose independent observations are `values` (one per process, or per quad of repeats)."""
    count = len(values)
    center = math.fsum(values) / count
    return LogRatio(center, _standard_error(values.tolist()), count - 1, count, quads, least_half)


def _standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of independent values, 0 for fewer than two."""
    count = len(values)
    if count < 2:
        return 0.0
    center = math.fsum(values) / count
    return math.sqrt(math.fsum((value - center) ** 2 for value in values) / (count - 1) / count)


def difference(first: LogRatio, second: LogRatio) -> LogRatio:
    """Return first − second for independent measurements: variances add, degrees of freedom by Welch and Satterthwaite."""
    variances = first.error**2, second.error**2
    error = math.sqrt(sum(variances))
    if not first.freedom or not second.freedom:
        freedom = 0
    elif error == 0:
        freedom = min(first.freedom, second.freedom)
    else:
        freedom = max(1, int(error**4 / (variances[0] ** 2 / first.freedom + variances[1] ** 2 / second.freedom)))
    groups, quads = min(first.groups, second.groups), min(first.quads, second.quads)
    return LogRatio(first.center - second.center, error, freedom, groups, quads, first.least_half + second.least_half)


def samples(timing: TimingData, side: str) -> list[float]:
    """Return all timed rounds of side "a" or "b" in seconds, process after process."""
    return _samples(timing.groups, side)


def _samples(groups: Sequence[Group], side: str) -> list[float]:
    return [value for group in groups for value in (group.a if side == "a" else group.b)]


def median_time(timing: TimingData, side: str) -> Estimate:
    """Return the median round of one side with its 95 % interval.

    Over processes where there are two or more (t over the medians of each); within the one process by order statistics.
    """
    everything = samples(timing, side)
    value = median(everything)
    if value is None:
        return MISSING
    medians = [m for group in timing.groups if (m := median(group.a if side == "a" else group.b)) is not None]
    if len(medians) < 2:
        low, high = median_interval(everything) or (None, None)
        return Estimate(value, low, high, "measured")
    half = max(t_quantile(len(medians) - 1) * _standard_error(medians), timing.clock.tick / 2)
    return Estimate(value, max(0.0, value - half), value + half, "measured")


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return a distribution-free interval of at least 95 % for the median, None for fewer than 6 values.

    Order statistics k and n + 1 − k with 2·P(Binomial(n, ½) < k) <= 5 % (the sign test turned round).
    """
    count = len(values)
    ordered = sorted(values)
    rank, tail = 0, 0.0
    while rank < count // 2 and (tail := tail + math.comb(count, rank) / 2**count) <= 0.025:
        rank += 1
    return (ordered[rank - 1], ordered[count - rank]) if rank else None


def noise_floor(timing: TimingData) -> float | None:
    """Return the A/A floor as a fraction: the largest difference that this version against itself is consistent with.

    The far end of the 95 % interval of an A/A timing. None when it was not A/A or ran in fewer than two processes.
    """
    if timing.a_hash != timing.b_hash:
        return None
    ratio = log_ratio(timing)
    if ratio is None or not ratio.freedom:
        return None
    return math.expm1(max(abs(ratio.low), abs(ratio.high)))
