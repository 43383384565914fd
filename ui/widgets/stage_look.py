"""Colour and words of each kind of stage or event: the same on timeline, account and comparison."""

from __future__ import annotations

from collections.abc import Mapping

TOKENS: Mapping[str, str] = {
    "cpu": "stage_cpu", "h2d": "stage_h2d", "kernel": "stage_kernel", "other": "stage_other",
    "sync": "stage_sync", "d2h": "stage_d2h", "alloc": "stage_alloc", "api": "stage_rest", "rest": "stage_rest",
}  # fmt: skip
"""Kind -> colour token."""
WORDS: Mapping[str, str] = {
    "cpu": "CPU", "h2d": "Host to device", "kernel": "Kernel under study", "other": "Other kernels", "sync": "Synchronisation",
    "d2h": "Device to host", "alloc": "Allocation", "api": "API calls", "rest": "Not attributed",
}  # fmt: skip
"""Kind -> its name, to be translated when shown."""


SHORT: Mapping[str, str] = {
    "cpu": "CPU", "h2d": "H2D", "kernel": "kernel", "other": "other", "sync": "sync", "d2h": "D2H", "alloc": "alloc",
}  # fmt: skip
"""Kind -> the word for it where there is little room."""


def token(kind: str) -> str:
    """Return the colour token of a kind; what is not known is drawn as not attributed."""
    return TOKENS.get(kind, "stage_rest")


def round_steps(start: int, span: int, width: int, least_pixels: int) -> range:
    """Return round whole numbers (1, 2 or 5 times a power of ten) from `start` over `span`, at least `least_pixels` apart."""
    wanted = max(1, span * least_pixels // width)
    step = 10 ** (len(str(wanted)) - 1)
    step *= next(factor for factor in (1, 2, 5, 10) if step * factor >= wanted)
    return range(-(-start // step) * step, start + span + 1, step)
