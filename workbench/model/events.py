"""A trace: bars on one time axis, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

KINDS = ("kernel", "other", "h2d", "d2h", "sync", "alloc", "cpu", "api")
"""Event kinds; a column stores the index. `kernel` is the kernel under study, `other` any other GPU kernel."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Events of one repeat of a pipeline: columns of equal length n, times in int64 nanoseconds from the repeat's start.

    `kind` (uint8) indexes KINDS, `lane` (uint16) indexes `lanes`, `name` (uint32) indexes `names`.
    """

    start: npt.NDArray[np.int64]
    duration: npt.NDArray[np.int64]
    kind: npt.NDArray[np.uint8]
    lane: npt.NDArray[np.uint16]
    name: npt.NDArray[np.uint32]
    names: tuple[str, ...]
    lanes: tuple[str, ...]
    wall: int
    """Length of the repeat in nanoseconds."""

    def __len__(self) -> int:
        return len(self.start)
