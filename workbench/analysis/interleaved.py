"""The ratio of two pipelines' walls from interleaved repeats, while the host drifts (method sections 2 and 6).

Repeats come in pairs A B, B A, A B, ...: two pairs make the quad A B B A. A host drifts slowly (on an H200's host the same
baseline took 80 ms at the start of a run and 57 ms at its end), so the median of all A and the median of all B may be of
different moments and their quotient is then of the host, not of the versions: 1.18 where the pairs say 1.14. Within a pair
both sides see the same host, and within a quad what drifts linearly cancels. The unit is therefore the whole quad, its value
the mean log ratio of its two pairs. One preempted repeat moves its quad only, and quads are summed up by their trimmed mean
with Tukey and McLaughlin's interval: a fifth is cut off at either end, Student's t with h − 1 degrees of freedom for the h
quads kept, the standard error from the winsorised spread over all of them (Sankhyā A 25, 1963; Wilcox, Introduction to
Robust Estimation, 4.3). `tests/unit/analysis/test_interleaved.py` shows bias and coverage beside the quotient of medians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from workbench.analysis.stats import Floats, LogRatio, median

TRIM = 5
"""One part in TRIM of the quads is cut off at either end: two of ten, none of fewer than five."""


ALIKE = 1e-3
"""Pairs whose ratios differ by less than a thousandth are equally near to the median."""


def interleaved_ratio(a: Sequence[float], b: Sequence[float]) -> LogRatio | None:
    """Return ln(wall A / wall B) of repeats in the order they ran (seconds, a[i] beside b[i]); None without a pair.

    A last pair that makes no quad is left out, unless it is the only one: then there is a ratio and no interval.
    """
    pairs = min(len(a), len(b))
    if not pairs:
        return None
    logs = np.log(np.asarray(a[:pairs], dtype=np.float64)) - np.log(np.asarray(b[:pairs], dtype=np.float64))
    quads: Floats = logs[: pairs // 2 * 2].reshape(-1, 2).mean(axis=1) if pairs > 1 else logs
    return _trimmed(np.sort(quads), quads=pairs // 2)


def shown_pair(a: Sequence[float], b: Sequence[float]) -> int | None:
    """Return which pair of repeats (walls a[i] beside b[i], seconds) stands for all of them; None without a pair.

    Both sides are shown as one moment of the host had them: of the third of the pairs nearest to the median ratio, the one
    whose two walls together are nearest to the median. Two medians of different moments would show the host's drift as change.
    """
    pairs = min(len(a), len(b))
    if not pairs:
        return None
    logs = np.log(np.asarray(a[:pairs], dtype=np.float64)) - np.log(np.asarray(b[:pairs], dtype=np.float64))
    totals = np.asarray(a[:pairs], dtype=np.float64) + np.asarray(b[:pairs], dtype=np.float64)
    away = np.abs(logs - (median(logs.tolist()) or 0.0))
    nearest = np.flatnonzero(away <= np.sort(away)[-(-pairs // 3) - 1] + ALIKE)
    return int(nearest[np.argmin(np.abs(totals[nearest] - (median(totals.tolist()) or 0.0)))])


def _trimmed(ordered: Floats, *, quads: int) -> LogRatio:
    count = len(ordered)
    cut = count // TRIM
    kept = count - 2 * cut
    center = math.fsum(ordered[cut : count - cut].tolist()) / kept
    if kept < 2:
        return LogRatio(center, 0.0, 0, count, quads)
    winsorised = np.clip(ordered, ordered[cut], ordered[count - cut - 1])
    error = float(np.std(winsorised, ddof=1)) / (kept / count * math.sqrt(count))
    return LogRatio(center, error, kept - 1, count, quads)
