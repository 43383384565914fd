"""The Amdahl account of a pipeline, before and after (method section 6, requirements A6 to A8)."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.model.ledger import Account, Estimate
from workbench.model.run import PipelineData


def build_account(
    pipeline: PipelineData, kernel_speedup: Estimate, names: Mapping[str, str], *, books_gain: bool, stop_below: float
) -> Account:
    """Return the account of `pipeline.b_hash` against `pipeline.a_hash`; `names` gives a version's name for its hash."""
    raise NotImplementedError
