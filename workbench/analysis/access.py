"""Reads access reports: the newest of a version, and its lines as a table by source line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from workbench.model.access import AccessReport, Exactness, LineAccess
from workbench.model.run import Run


class SourceLineAccess(msgspec.Struct, frozen=True):
    """Everything that one source line does to memory. `exactness` is that of its least certain access."""

    line: int
    text: str
    exactness: Exactness
    accesses: tuple[LineAccess, ...]


def newest_access(runs: Sequence[Run]) -> AccessReport | None:
    """Return the newest access report among runs of one version, oldest first; None when it was never analysed."""
    for run in reversed(runs):
        record = run.last("access")
        if record is not None and record.access is not None:
            return record.access
    return None


def by_source_line(report: AccessReport) -> tuple[SourceLineAccess, ...]:
    """Return the lines of a report, one entry a source line, in source order."""
    found = []
    for line, group in groupby(sorted(report.lines, key=lambda access: access.line), key=lambda access: access.line):
        accesses = tuple(group)
        exact = all(access.exactness == "exact" for access in accesses)
        found.append(SourceLineAccess(line, accesses[0].text, "exact" if exact else "source-level", accesses))
    return tuple(found)
