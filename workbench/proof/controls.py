"""Trivial answers that must fail the gate, and the question whether a candidate looks at its inputs (method section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.model.project import Tolerance
from workbench.proof import dtypes
from workbench.proof.tolerance import CHUNK, accepts, rms

Array = npt.NDArray[Any]
ControlKind = Literal["zeros", "constant", "copy of an input", "previous output"]


class ControlResult(msgspec.Struct, frozen=True):
    """What became of one trivial answer: `refused` is right, `accepted` shows a tolerance too loose to prove anything.

    `no control`: it is the right answer itself (an identity kernel, an all-zero output).
    """

    output: str
    kind: ControlKind
    result: Literal["refused", "accepted", "no control"]


class Sensitivity(msgspec.Struct, frozen=True):
    """Elements that the reference changed between two inputs, and those of them that the candidate left as they were."""

    changed: int
    ignored: int
    output: str = ""


def try_controls(
    output: str,
    reference: Array,
    dtype: str,
    tolerance: Tolerance,
    others: Mapping[str, Mapping[str, Array]],
) -> tuple[ControlResult, ...]:
    """Judge the trivial answers for one output by the gate itself.

    `reference` is unrounded. `others` has under "inputs" the case's inputs by name in memory form and under "previous" the
    output of another seed, both in this output's dtype and shape to count (inputs of other shapes or types are left out).
    """
    target = dtypes.encode(reference, dtype)
    scale = rms(reference, dtype) if dtypes.is_float(dtype) else 0.0
    results = []
    for kind, answer in _answers(target, dtype, others):
        exact = _equal(answer, target, dtype)
        passed = exact or accepts(answer, reference, dtype, tolerance, scale)
        results.append(ControlResult(output, kind, "no control" if exact else "accepted" if passed else "refused"))
    return tuple(results)


def _answers(target: Array, dtype: str, others: Mapping[str, Mapping[str, Array]]) -> Iterator[tuple[ControlKind, Array]]:
    yield "zeros", np.zeros_like(target)
    if target.size:
        yield "constant", np.full_like(target, _middle(target, dtype))
    alike = (array for array in others.get("inputs", {}).values() if array.shape == target.shape and array.dtype == target.dtype)
    for array in alike:
        yield "copy of an input", array
    for array in others.get("previous", {}).values():
        if array.shape == target.shape and array.dtype == target.dtype:
            yield "previous output", array


def _equal(answer: Array, target: Array, dtype: str) -> bool:
    """Equal values, NaN to NaN and −0 to 0, a chunk at a time."""
    flat = answer.reshape(-1), target.reshape(-1)
    if not dtypes.is_float(dtype):
        return bool(np.array_equal(*flat))
    for begin in range(0, target.size, CHUNK):
        left, right = (dtypes.to_float64(array[begin : begin + CHUNK], dtype) for array in flat)
        if not np.array_equal(left, right, equal_nan=True):
            return False
    return True


def _middle(target: Array, dtype: str) -> Any:
    """The median of at most 65,536 elements as stored: the constant that does best on most outputs."""
    sample = target.reshape(-1)[:: max(1, target.size // 65536)]
    return sample[np.argsort(dtypes.to_float64(sample, dtype), kind="stable")[len(sample) // 2]]


def input_sensitivity(
    candidate: tuple[Array, Array], reference: tuple[Array, Array], dtype: str, tolerance: Tolerance, *, output: str
) -> Sensitivity:
    """Return how the candidate followed the reference's change between two inputs.

    An element counts where the reference moved by more than twice its tolerance (ReLU, max and saturation do not move them
    all); the candidate ignored it where its own two answers are the same bits.
    """
    changed, ignored = 0, 0
    first, second = (array.reshape(-1) for array in reference)
    own = tuple(array.reshape(-1) for array in candidate)
    scale = max(rms(array, dtype) for array in reference) if dtypes.is_float(dtype) else 0.0
    relative = tolerance.relative_for(dtype)
    for begin in range(0, first.size, CHUNK):
        part = slice(begin, begin + CHUNK)
        before, after = first[part].astype(np.float64), second[part].astype(np.float64)
        with np.errstate(invalid="ignore"):
            moved = np.abs(after - before) > 2 * (relative * (np.abs(before) + scale) + tolerance.absolute)
        changed += int(np.count_nonzero(moved))
        ignored += int(np.count_nonzero(moved & (own[0][part] == own[1][part])))
    return Sensitivity(changed, ignored, output)
