"""How close two results of an agreement kernel are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from tests.helpers.agreement.index import Argument, Entry
from tests.helpers.agreement.inputs import as_real

Array = npt.NDArray[Any]
_REAL = {"float16", "bfloat16", "float32", "float64"}


class Closeness(msgspec.Struct, frozen=True):
    """The worst deviation of a candidate from a reference over all results.

    `bits` says that all are equal bit for bit. `worst` is max |c - r| / (|r| + RMS(r)) over floating results, `steps` the
    greatest difference of an integer, `where` the first result outside the bounds with its place, empty when all agree.
    """

    bits: bool
    worst: float
    steps: int
    where: str = ""

    @property
    def agrees(self) -> bool:
        """Whether every element is within the bounds."""
        return not self.where


def compare(
    entry: Entry, candidate: Mapping[str, Array], reference: Mapping[str, Array], *, relative: float | None = None
) -> Closeness:
    """Return how close `candidate` is to `reference`, both by result name. `relative` replaces the entry's own bound."""
    bound = entry.relative if relative is None else relative
    bits, worst, steps, where = True, 0.0, 0, ""
    for argument in entry.arguments:
        if argument.name not in reference:
            continue
        mine, theirs = candidate[argument.name], reference[argument.name]
        bits = bits and mine.dtype == theirs.dtype and mine.tobytes() == theirs.tobytes()
        if argument.dtype in _REAL:
            deviation, outside = _real(argument, mine, theirs, entry.closer.get(argument.name, bound), entry.absolute)
            worst = max(worst, deviation)
        else:
            difference = np.abs(mine.astype(object) - theirs.astype(object)) if mine.size else np.zeros(0, object)
            steps = max(steps, int(difference.max(initial=0)))
            outside = (difference > entry.steps).astype(bool)
        if outside.any() and not where:
            where = _place(argument, mine, theirs, outside)
    return Closeness(bits, worst, steps, where)


def _real(argument: Argument, mine: Array, theirs: Array, relative: float, absolute: float) -> tuple[float, Array]:
    c = as_real(mine, argument.dtype)
    r = theirs if theirs.dtype == np.float64 else as_real(theirs, argument.dtype)
    finite = np.isfinite(r)
    scale = np.abs(r) + (np.sqrt(np.mean(r[finite] ** 2)) if finite.any() else 0.0)
    same = (c == r) | (np.isnan(c) & np.isnan(r))
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.abs(c - r)
        deviation = np.where(same, 0.0, distance / scale)
        outside = ~(same | (distance <= relative * scale + absolute))
    return float(deviation.max(initial=0.0)), outside


def _place(argument: Argument, mine: Array, theirs: Array, outside: Array) -> str:
    index = tuple(int(part) for part in np.argwhere(outside)[0])
    count = int(np.count_nonzero(outside))
    return f"{argument.name}{list(index)}: {mine[index]!r} for {theirs[index]!r} ({count} of {mine.size} elements outside)"
