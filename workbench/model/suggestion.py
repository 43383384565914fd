"""A proposed edit with its hypothesis, as an advisor gave it."""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.model.version import Author

Decision = Literal["in review", "accepted", "refused"]


class Suggestion(msgspec.Struct, frozen=True):
    """What was asked and what came back, kept whole. `base` is the hash of the version it edits."""

    base: str
    author: Author
    prompt: str
    answer: str
    created: str
    hypothesis: str = ""
    metric: str = ""
    """The profiler metric that would confirm it, as the advisor named it."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    price_usd: float | None = None
    decision: Decision = "in review"
    accepted_hunks: tuple[int, ...] = ()
    result: str | None = None
    """Hash of the version that the accepted hunks made."""
    id: int = 0
