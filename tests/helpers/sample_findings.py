"""SYNTHETIC findings of a sanitizer: a race at two lines, a warning within a warp and writes of one value."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workbench.model.run import PassRecord, Run
from workbench.model.sanitizer import Finding, SanitizerData, Touch
from workbench.proof.sanitizer_gate import sanitizer_gate
from workbench.texts import message

BLOCK = (0, 0, 0)


def race() -> Finding:
    """Return an error at lines 7 and 5."""
    said = message(
        "Line {line}: thread (32, 0, 0) reads row[31] after thread (31, 0, 0) wrote it at line {other}.", line=7, other=5
    )
    return Finding(
        "RaceInBlock",
        "error",
        said,
        Touch("read", 7, BLOCK, (32, 0, 0)),
        Touch("write", 5, BLOCK, (31, 0, 0)),
        "row",
        31,
        count=446,
    )


def warning() -> Finding:
    """Return a warning at line 8 alone."""
    said = message("Line {line}: lanes of one warp meet in row[2].", line=8)
    return Finding(
        "RaceInBlock", "warning", said, Touch("read", 8, BLOCK, (3, 0, 0)), Touch("write", 8, BLOCK, (2, 0, 0)), "row", 2
    )


def equal_writes() -> Finding:
    """Return an information at line 9."""
    said = message("Line {line}: the same value is written twice.", line=9)
    return Finding("RaceInBlock", "information", said, Touch("write", 9, BLOCK, (1, 0, 0)), None, "row", 0, count=14)


def sample_findings() -> SanitizerData:
    """Return all three as one launch's findings, errors first."""
    return SanitizerData((race(), warning(), equal_writes()), {"n": 257}, (2, 1, 1), (256, 1, 1), "emulator")


def with_findings(runs: Sequence[Run], version: str) -> tuple[Run, ...]:
    """Return runs of which those of a version have a sanitize pass that found these."""
    data = sample_findings()
    record = PassRecord("sanitize", "finished", "2026-11-29T10:00:00+00:00", 0.4, sanitize=data, gates=(sanitizer_gate(data),))
    return tuple(msgspec.structs.replace(run, passes=(*run.passes, record)) if run.version == version else run for run in runs)
