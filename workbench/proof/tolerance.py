"""The numeric gate: |c − r| <= relative·(|r| + S) + absolute, chunked, dtype-aware (method section 3)."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy.typing as npt

from workbench.model.project import Tolerance
from workbench.model.run import WorstElement

Array = npt.NDArray[Any]


class ArrayComparison(msgspec.Struct, frozen=True):
    """How an output compares with the reference. `scale` is S, in the output's unit; `worst` None only when empty."""

    elements: int
    wrong: int
    worst: WorstElement | None
    scale: float
    invalid_reference: int = 0
    """Reference elements that the output's dtype cannot hold; the case proves nothing then."""

    @property
    def passed(self) -> bool:
        """True when every element is within its tolerance."""
        return self.wrong == 0 and self.invalid_reference == 0


def compare_arrays(
    candidate: Array, reference: Array, dtype: str, tolerance: Tolerance, *, output: str, terms: Array | None = None
) -> ArrayComparison:
    """Compare an output (its declared `dtype`; bfloat16 as uint16 bits) with the reference of any dtype and the same shape.

    `terms` is the reference's sum of |terms| per element where it gives one; else S is RMS(r). Raises ValueError for unlike shapes.
    """
    raise NotImplementedError
