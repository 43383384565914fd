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
CHUNK = 1 << 15
"""Elements compared at once: a chunk's float64 copies take 2 to 3 MiB and stay in the cache, whatever the output's size."""


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
    rule = _rule(reference, dtype, tolerance, terms)
    wrong, worst, best = 0, None, -1.0
    for begin, part in _parts(candidate, reference, terms, rule):
        wrong += int(np.count_nonzero(part.excess > 1))
        top = int(np.argmax(part.excess))
        if part.excess[top] > best:
            best = float(part.excess[top])
            worst = _worst(part, top, _index(begin + top, candidate.shape), output)
    return ArrayComparison(candidate.size, wrong, worst, rule.scale)


def accepts(candidate: Array, reference: Array, dtype: str, tolerance: Tolerance, scale: float) -> bool:
    """Return whether the gate would pass an answer, for `scale` = `rms(reference, dtype)`; stops at the first wrong chunk."""
    if not dtypes.is_float(dtype):
        return compare_arrays(candidate, reference, dtype, tolerance, output="").passed
    rule = _Rule(dtype, tolerance.relative_for(dtype), max(tolerance.absolute, _flushed(dtype)), scale)
    return not any(bool(np.any(part.excess > 1)) for _, part in _parts(candidate, reference, None, rule))


def _rule(reference: Array, dtype: str, tolerance: Tolerance, terms: Array | None) -> _Rule:
    absolute = max(tolerance.absolute, _flushed(dtype))
    return _Rule(dtype, tolerance.relative_for(dtype), absolute, 0.0 if terms is not None else rms(reference, dtype))


def _parts(candidate: Array, reference: Array, terms: Array | None, rule: _Rule) -> Iterator[tuple[int, _Part]]:
    """Each chunk decided, with the place where it begins."""
    c, r, t = candidate.reshape(-1), reference.reshape(-1), None if terms is None else terms.reshape(-1)
    for begin, end in _chunks(candidate.size):
        yield begin, _decide(c[begin:end], r[begin:end], None if t is None else t[begin:end], rule)


def float64_error(candidate: Array, reference: Array, dtype: str) -> float:
    """Return the RMS error of an output against the unrounded float64 reference, relative to RMS(r); NaN and Inf are left out.

    0 for an all-zero reference that is met exactly, infinite for one that is not.
    """
    squares, norm = 0.0, rms(reference, "float64")
    flat, exact = candidate.reshape(-1), reference.reshape(-1)
    for begin, end in _chunks(candidate.size):
        with np.errstate(invalid="ignore", over="ignore"):
            error = (dtypes.to_float64(flat[begin:end], dtype) - exact[begin:end]) / (norm or 1.0)
        if not np.isfinite(error).all():
            error = error[np.isfinite(error)]
        squares += float(np.dot(error, error))
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


def rms(reference: Array, dtype: str) -> float:
    """Return the RMS of the finite elements, rounded to `dtype`; scaled by the largest so far, so that it cannot overflow."""
    flat, top, squares, size = reference.reshape(-1), 0.0, 0.0, 0
    for begin, end in _chunks(reference.size):
        values = dtypes.rounded(flat[begin:end], dtype)
        peak = max(float(values.max()), -float(values.min()))
        if not math.isfinite(peak):
            values = values[np.isfinite(values)]
            peak = float(np.max(np.abs(values), initial=0.0))
        size += len(values)
        if peak > top:
            squares, top = squares * (top / peak) ** 2, peak
        if top:
            values = values / top
            squares += float(np.dot(values, values))
    return top * math.sqrt(squares / size) if size else 0.0


def _decide(candidate: Array, reference: Array, terms: Array | None, rule: _Rule) -> _Part:
    c, r = dtypes.to_float64(candidate, rule.dtype), dtypes.rounded(reference, rule.dtype)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        error = np.abs(c - r)
        weight = np.abs(r) + (rule.scale if terms is None else np.abs(terms.astype(np.float64)))
        allowed = rule.relative * weight + rule.absolute
        excess = error / allowed
    if not rule.absolute:
        excess[error == 0] = 0.0
    if not np.isfinite(error).all():
        special = ~(np.isfinite(c) & np.isfinite(r))
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
