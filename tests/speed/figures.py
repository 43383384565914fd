"""What a measurement says, and how it is handed from its process to the table."""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from workbench.paths import cache_folder


class Figure(msgspec.Struct, frozen=True):
    """One line of the table. `limit` None: a peer, measured in the same run to compare with; it has no budget."""

    title: str
    values: tuple[float, ...]
    unit: str
    limit: float | None = None
    note: str = ""

    @property
    def median(self) -> float:
        """The middle of all repeats."""
        return statistics.median(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the median keeps the budget; None for a peer."""
        return None if self.limit is None else self.median < self.limit


def hand_over(figures: Sequence[Figure]) -> None:
    """Print figures for the process that asked for them."""
    sys.stdout.write(msgspec.json.encode(list(figures)).decode() + "\n")


def repeated(times: int, once: Callable[[], float]) -> tuple[float, ...]:
    """Return `times` values after one that warms up and is dropped."""
    once()
    return tuple(once() for _ in range(times))


def scratch() -> Path:
    """Return the folder of this measurement: kept between runs of `make bench`, so that caches are warm as a user's are."""
    folder = cache_folder() / "speed"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def environment() -> dict[str, str]:
    """Return the environment of a measured process: bytecode is kept as an installation keeps it, settings are its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    kept["PYTHONPYCACHEPREFIX"] = str(scratch() / "bytecode")
    kept["KERNEL_LEDGER_CONFIG"] = str(scratch() / "config")
    kept["KERNEL_LEDGER_DATA"] = str(scratch() / "data")
    return kept
