"""FASTER, SLOWER, SAME or AMBIGUOUS: from timed rounds to a comparison (method sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.model.ledger import Comparison
from workbench.model.run import Run, TimingData


def compare_timing(timing: TimingData, floor: float | None, books_gain: bool, names: Mapping[str, str]) -> Comparison:
    """Compare the two sides of one paired timing.

    `floor` is the A/A noise floor as a fraction (None: missing), `names` gives a version's name for its hash.
    """
    raise NotImplementedError


def compare_versions(
    runs: Sequence[Run], a: str, b: str, *, device: str, books_gain: bool, names: Mapping[str, str]
) -> Comparison:
    """Compare version B with version A (hashes) from what was measured on `device` (an id; runs elsewhere are ignored).

    Paired where one was timed against the other, else through a shared baseline (the variances add), else route "none".
    """
    raise NotImplementedError
