"""Timed rounds as deviations from their own median, ready to be drawn. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.analysis.standing import timed_runs
from workbench.analysis.stats import median_time, samples
from workbench.model.ledger import Estimate
from workbench.model.run import Run, TimingData
from workbench.model.version import Version

Floats = npt.NDArray[np.float64]
_GRID = 96


class Cloud(NamedTuple):
    """One version's rounds: `deviation` is (t − median)/median, `lift` −1 to 1 spreads points where they are dense.

    `edge` is (deviations, half widths 0 to 1) of the outline; `low`, `high` the median's 95 % interval as deviations.
    """

    name: str
    median: Estimate
    deviation: Floats
    lift: Floats
    edge: tuple[Floats, Floats]
    low: float | None
    high: float | None


def timing_of(runs: Sequence[Run], version: str, device: str) -> TimingData | None:
    """Return the newest correct timing of a version on a device."""
    return next((timing for _, timing in timed_runs(runs, version, device)), None)


def pair_clouds(runs: Sequence[Run], a: Version, b: Version, device: str) -> tuple[Cloud | None, Cloud | None]:
    """Return the rounds of A and B: both sides of the run that timed them against each other, else each its own newest."""
    for later, earlier, turned in ((b, a, False), (a, b, True)):
        timings = (timing for _, timing in timed_runs(runs, later.hash, device) if timing.a_hash == earlier.hash)
        timing = next(timings, None)
        if timing is not None:
            clouds = cloud_of(earlier.name, timing, "a"), cloud_of(later.name, timing, "b")
            return (clouds[1], clouds[0]) if turned else clouds
    first, second = (timing_of(runs, version.hash, device) for version in (a, b))
    return cloud_of(a.name, first) if first else None, cloud_of(b.name, second) if second else None


def cloud_of(name: str, timing: TimingData, side: str = "b") -> Cloud | None:
    """Return the rounds of one side of a timing (a version's own is "b"), None when there are fewer than 3."""
    times = np.asarray(samples(timing, side), dtype=np.float64)
    median = median_time(timing, side)
    if len(times) < 3 or not median.value:
        return None
    deviation = times / median.value - 1.0
    grid, density = outline(deviation)
    heights = np.interp(deviation, grid, density)
    # Golden-ratio steps spread neighbours evenly and are the same every time the page is drawn.
    lift = heights * (2.0 * np.modf(np.argsort(np.argsort(deviation)) * 0.618034)[0] - 1.0)
    ends = [None if end is None else end / median.value - 1.0 for end in (median.low, median.high)]
    return Cloud(name, median, deviation, lift, (grid, density), ends[0], ends[1])


def outline(values: Floats) -> tuple[Floats, Floats]:
    """Return a density over the values' range, scaled to 1: Gaussian kernels of Silverman's width (1986, eq. 3.31)."""
    spread = min(float(np.std(values)), float(np.subtract(*np.percentile(values, [75, 25]))) / 1.34) or float(np.std(values))
    width = max(0.9 * spread * len(values) ** -0.2, 1e-9)
    grid = np.linspace(values.min() - 2 * width, values.max() + 2 * width, _GRID)
    density = np.exp(-0.5 * ((grid[:, None] - values[None, :]) / width) ** 2).sum(axis=1)
    return grid, density / density.max()


def reach(clouds: Sequence[Cloud], margin: float) -> float:
    """Return how far the axis goes on both sides: 99 % of the rounds and twice the margin; the rest is at the edge."""
    far = [float(np.quantile(np.abs(cloud.deviation), 0.99)) for cloud in clouds]
    return 1.15 * max([*far, 2 * margin, 1e-4])
