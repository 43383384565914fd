"""NVML's answers as numbers and words. What is no number ("N/A", "ERR!", None) is refused, never shown as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
NO_ANSWER = frozenset({"", "N/A", "ERR!", "UNKNOWN ERROR", "NOT SUPPORTED", "NOT AVAILABLE"})
"""Texts, in capitals and without brackets, by which NVML and nvidia-smi say that there is no answer."""


def whole(value: Any) -> int:
    """Return a count. Raises ValueError for what the library gives where it has no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"the library answered {value!r}")
    return int(value)


def watt(value: Any) -> float:
    """Return watts from NVML's milliwatts."""
    return whole(value) / 1000


def words(value: Any) -> str:
    """Return text; older libraries give bytes. Raises ValueError for what is no text or stands for no answer."""
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    if not isinstance(text, str) or text.strip(" []").upper() in NO_ANSWER:
        raise ValueError(f"the library answered {value!r}")
    return text


def switched_on(value: Any) -> bool:
    """Return a feature state, 0 or 1."""
    return whole(value) != 0


def ask(missing: dict[str, str], field: str, question: Callable[[], T]) -> T | None:
    """Return an answer, or None with the library's own reason under the field's name. Every field is guarded by itself."""
    try:
        return question()
    except Exception as error:  # NVMLError of many kinds, a function this library lacks, a value that is no number
        text = str(error)
        missing[field] = f"{type(error).__name__}: {text}" if text else type(error).__name__
        return None
