"""The numeric gate: |c − r| <= relative·(|r| + S) + absolute, chunked, dtype-aware (method section 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.model.project import Tolerance
from workbench.model.run import WorstElement
from workbench.proof import dtypes

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
CHUNK = 1 << 17
"""Elements compared at once: a chunk's float64 copies stay near 10 MiB, whatever the output's size."""


class ArrayComparison(msgspec.Struct, frozen=True):
    """How an output compares with the reference. `scale` is S, in the output's unit; `worst` None only when empty."""

    elements: int
    wrong: int
    worst: WorstElement | None
    scale: float
    invalid_reference: int = 0
    """Reference elements that the output's dtype cannot hold (integers); the case proves nothing then."""

    @property
    def passed(self) -> bool:
        """True when every element is within its tolerance."""
        return self.wrong == 0 and self.invalid_reference == 0


class _Rule(NamedTuple):
    dtype: str
    relative: float
    absolute: float
    scale: float


class _Part(NamedTuple):
    """One chunk, decided: `excess` is error / allowed, infinite where nothing was allowed or a NaN or Inf differs."""

    candidate: Floats
    reference: Floats
    error: Floats
    allowed: Floats
    weight: Floats
    excess: Floats


def compare_arrays(
    candidate: Array, reference: Array, dtype: str, tolerance: Tolerance, *, output: str, terms: Array | None = None
) -> ArrayComparison:
    """Compare an output (its declared `dtype`; bfloat16 as uint16 bits) with the reference of any dtype and the same shape.

    `terms` is the reference's sum of |terms| per element where it gives one; else S is RMS(r). The reference is rounded to the
    output's dtype first; a value below the smallest normal number may be flushed to zero. Raises ValueError for unlike shapes.
    """
    if candidate.shape != reference.shape or (terms is not None and terms.shape != reference.shape):
        raise ValueError(f"{output}: shapes {candidate.shape} and {reference.shape} differ")
    if not dtypes.is_float(dtype):
        return _compare_integers(candidate, reference, dtype, output)
    absolute = max(tolerance.absolute, _flushed(dtype))
    scale = 0.0 if terms is not None else _rms(reference, dtype)
    rule = _Rule(dtype, tolerance.relative_for(dtype), absolute, scale)
    flat = candidate.reshape(-1), reference.reshape(-1), None if terms is None else terms.reshape(-1)
    wrong, worst, best = 0, None, -1.0
    for begin, end in _chunks(candidate.size):
        part = _decide(flat[0][begin:end], flat[1][begin:end], None if flat[2] is None else flat[2][begin:end], rule)
        wrong += int(np.count_nonzero(part.excess > 1))
        top = int(np.argmax(part.excess))
        if part.excess[top] > best:
            best = float(part.excess[top])
            worst = _worst(part, top, _index(begin + top, candidate.shape), output)
    return ArrayComparison(candidate.size, wrong, worst, scale)


def float64_error(candidate: Array, reference: Array, dtype: str) -> float:
    """Return the RMS error of an output against the unrounded float64 reference, relative to RMS(r); NaN and Inf are left out.

    0 for an all-zero reference that is met exactly, infinite for one that is not.
    """
    squares, norm = 0.0, _rms(reference, "float64")
    flat, exact = candidate.reshape(-1), reference.reshape(-1)
    for begin, end in _chunks(candidate.size):
        with np.errstate(invalid="ignore", over="ignore"):
            error = dtypes.to_float64(flat[begin:end], dtype) - exact[begin:end].astype(np.float64)
            scaled = error[np.isfinite(error)] / (norm or 1.0)
            squares += float(np.dot(scaled, scaled))
    if norm == 0:
        return math.inf if squares else 0.0
    return math.sqrt(squares / max(1, candidate.size))


def precision_lowered(candidate: float, baseline: float, relative: float) -> bool:
    """Return True when a candidate's float64 error is over twice the baseline's and above a tenth of the tolerance."""
    return candidate > 2 * baseline and candidate > relative / 10


def nan_count(array: Array, dtype: str) -> int:
    """Return how many elements are NaN; integers have none."""
    if not dtypes.is_float(dtype):
        return 0
    flat = array.reshape(-1)
    return sum(int(np.count_nonzero(np.isnan(dtypes.to_float64(flat[b:e], dtype)))) for b, e in _chunks(array.size))


def _chunks(size: int) -> Iterator[tuple[int, int]]:
    return ((begin, min(begin + CHUNK, size)) for begin in range(0, size, CHUNK))


def _flushed(dtype: str) -> float:
    """What a kernel that flushes subnormal numbers may lose; float16 is never flushed by a GPU."""
    return 0.0 if dtype == "float16" else dtypes.smallest_normal(dtype)


def _index(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(part) for part in np.unravel_index(flat, shape)) if shape else ()


def _rms(reference: Array, dtype: str) -> float:
    """RMS of the finite elements, rounded to the output's dtype; scaled by the largest, so that it cannot overflow."""
    flat, top = reference.reshape(-1), 0.0
    for begin, end in _chunks(reference.size):
        values = np.abs(dtypes.rounded(flat[begin:end], dtype))
        top = max(top, float(np.max(values, where=np.isfinite(values), initial=0.0)))
    if top == 0.0:
        return 0.0
    squares, count = 0.0, 0
    for begin, end in _chunks(reference.size):
        values = dtypes.rounded(flat[begin:end], dtype)
        values = values[np.isfinite(values)] / top
        squares, count = squares + float(np.dot(values, values)), count + len(values)
    return top * math.sqrt(squares / count)


def _decide(candidate: Array, reference: Array, terms: Array | None, rule: _Rule) -> _Part:
    c, r = dtypes.to_float64(candidate, rule.dtype), dtypes.rounded(reference, rule.dtype)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        error = np.abs(c - r)
        weight = np.abs(r) + (rule.scale if terms is None else np.abs(terms.astype(np.float64)))
        allowed = rule.relative * weight + rule.absolute
        excess = np.where(error == 0, 0.0, error / allowed)
    special = ~(np.isfinite(c) & np.isfinite(r))
    if np.any(special):
        alike = (np.isnan(c) & np.isnan(r)) | (c == r)
        error[special] = np.where(alike[special], 0.0, np.inf)
        excess[special], allowed[special], weight[special] = error[special], 0.0, 0.0
    return _Part(c, r, error, allowed, weight, excess)


def _worst(part: _Part, top: int, index: tuple[int, ...], output: str) -> WorstElement:
    error, weight = float(part.error[top]), float(part.weight[top])
    relative = 0.0 if error == 0 else (error / weight if weight > 0 else math.inf)
    return WorstElement(
        output, index, float(part.candidate[top]), float(part.reference[top]), error, float(part.allowed[top]), relative
    )


def _compare_integers(candidate: Array, reference: Array, dtype: str, output: str) -> ArrayComparison:
    """Integers and bool are exact. A real reference is rounded to the nearest; what the type cannot hold is invalid."""
    low, high = dtypes.integer_bounds(dtype)
    wrong, invalid, worst, best = 0, 0, None, -1.0
    flat, exact = candidate.reshape(-1), reference.reshape(-1)
    for begin, end in _chunks(candidate.size):
        c, r = flat[begin:end].astype(dtype), exact[begin:end]
        whole = r if r.dtype.kind in "iub" else np.rint(r.astype(np.float64))
        bad = ~_fits(whole, low, high)
        invalid += int(np.count_nonzero(bad))
        differs = (c != np.where(bad, 0, whole).astype(dtype)) & ~bad
        wrong += int(np.count_nonzero(differs))
        error = np.where(differs, np.maximum(np.abs(c.astype(np.float64) - whole.astype(np.float64)), 1.0), 0.0)
        top = int(np.argmax(error))
        if error[top] > best:
            best = float(error[top])
            worst = _worst_integer(output, _index(begin + top, candidate.shape), float(c[top]), float(whole[top]), best)
    return ArrayComparison(candidate.size, wrong, worst, 0.0, invalid)


def _fits(values: Array, low: int, high: int) -> npt.NDArray[np.bool_]:
    """Whether an integer type holds each whole value; `high + 1` is a power of two, which a float64 holds where `high` is not."""
    below = values <= high if values.dtype.kind in "iub" else values < float(high + 1)
    return np.asarray((values >= low) & below, dtype=np.bool_)


def _worst_integer(output: str, index: tuple[int, ...], candidate: float, reference: float, error: float) -> WorstElement:
    relative = 0.0 if error == 0 else (error / abs(reference) if reference else math.inf)
    return WorstElement(output, index, candidate, reference, error, 0.0, relative)
