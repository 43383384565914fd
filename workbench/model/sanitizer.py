"""What a sanitizer found in one launch: mistakes that an answer does not show, each with its lines, threads and address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.texts import Message

FindingKind = Literal[
    "OutOfBounds", "Misaligned", "Uninitialised", "RaceInBlock", "RaceBetweenBlocks", "BarriersDiffer", "Deadlock",
    "WarpOperation", "BadFree", "Assertion", "Trap",
]  # fmt: skip
Tool = Literal["memcheck", "racecheck", "initcheck", "synccheck"]
TouchKind = Literal["read", "write", "atomic", "wait"]
Severity = Literal["error", "warning", "information"]
"""Racecheck's levels: an error is a mistake; a warning may be on purpose (lanes of one warp in shared memory that count on
lockstep, or a local variable that the compiler suspects); information is the same value written by several threads."""

_TOOLS: Mapping[FindingKind, Tool] = {
    "OutOfBounds": "memcheck", "Misaligned": "memcheck", "BadFree": "memcheck", "Assertion": "memcheck", "Trap": "memcheck",
    "Uninitialised": "initcheck", "RaceInBlock": "racecheck", "RaceBetweenBlocks": "racecheck", "BarriersDiffer": "synccheck",
    "Deadlock": "synccheck", "WarpOperation": "synccheck",
}  # fmt: skip


class Touch(msgspec.Struct, frozen=True):
    """One of the accesses (or waits) of a finding. `line` is 1-based, 0 where it is not known."""

    kind: TouchKind
    line: int
    block: tuple[int, int, int]
    thread: tuple[int, int, int]


class Finding(msgspec.Struct, frozen=True):
    """The first of `count` findings of one kind at one pair of lines. `sentence` tells all of it."""

    kind: FindingKind
    severity: Severity
    sentence: Message
    touch: Touch
    """What the detector stopped at: the later of the two accesses of a race."""
    other: Touch | None = None
    """The earlier access of a race."""
    array: str = ""
    """Argument, `__shared__` or `__device__` variable by name; empty where the address is in none."""
    index: int | None = None
    """Element of the array, counted in `bytes` of its type (of the access where the type is not known)."""
    address: int = 0
    bytes: int = 0
    count: int = 1

    @property
    def lines(self) -> tuple[int, ...]:
        """The known lines, the one to look at first in front."""
        found = (self.touch.line, self.other.line if self.other else 0)
        return tuple(dict.fromkeys(line for line in found if line > 0))

    @property
    def tool(self) -> Tool:
        """The tool of compute-sanitizer that looks for this kind on a GPU (its racecheck sees shared memory only)."""
        return _TOOLS[self.kind]


class SanitizerData(msgspec.Struct, frozen=True):
    """The findings of one launch, errors first, and what was launched."""

    findings: tuple[Finding, ...]
    sizes: Mapping[str, int]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    detector: str
    """`emulator`, or compute-sanitizer's version."""
    dropped: int = 0
    """Findings of further kinds and places that were not kept."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that fail the gate."""
        return tuple(finding for finding in self.findings if finding.severity == "error")
