"""The ledger's lines as CSV for a spreadsheet: one row for each version, SI units, missing cells empty."""

from __future__ import annotations

import csv
import io

from workbench.model.ledger import Estimate
from workbench.reports.blocks import Document, Row

HEADS = (
    "version",
    "hash",
    "parent",
    "author",
    "device",
    "chip",
    "kernel_seconds",
    "kernel_low",
    "kernel_high",
    "regime",
    "rounds",
    "processes",
    "margin",
    "noise_floor",
    "speedup",
    "speedup_low",
    "speedup_high",
    "parent_speedup",
    "application_seconds",
    "application_low",
    "application_high",
    "application_speedup",
    "application_speedup_low",
    "application_speedup_high",
    "gates_passed",
    "gates_failed",
    "gates_not_run",
    "sanitizer_errors",
    "sanitizer_warnings",
    "worst_absolute_error",
    "worst_allowed_error",
    "worst_relative_error",
    "confirmed",
    "tries",
    "hypothesis",
    "sentence",
    "content_hash",
)


def as_csv(document: Document) -> str:
    """Return the table; a cell that a spreadsheet would run as a formula gets an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(HEADS)
    for row in document.rows:
        writer.writerow([cell(value) for value in _values(document, row)])
    return text.getvalue()


def cell(value: object) -> object:
    """Return what stands in a cell: empty for what is missing, an apostrophe before what would run as a formula."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return "" if value is None else value


def _three(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return estimate.value, estimate.low, estimate.high


def _findings(document: Document, version: str) -> tuple[int | None, int | None]:
    """Return the errors and warnings of a version's launch under a sanitizer; None where there was none."""
    gates = [gate for row in document.rows if row.line.version == version for gate in row.line.gates]
    watched = any(gate.gate == "sanitizer" and gate.status in ("passed", "failed") for gate in gates)
    found = [one.severity for proof in document.proofs if proof.row.line.version == version for one in proof.findings]
    return (found.count("error"), found.count("warning")) if watched else (None, None)


def _values(document: Document, row: Row) -> tuple[object, ...]:
    line, protocol = row.line, row.protocol
    made = (protocol.regime, protocol.rounds, protocol.groups, protocol.margin, protocol.noise_floor) if protocol else (None,) * 5
    return (
        line.name,
        line.version,
        row.parent,
        line.author,
        line.device,
        line.chip,
        *_three(line.kernel_time),
        *made,
        *_three(line.speedup),
        line.parent_speedup.value,
        *_three(line.end_to_end),
        *_three(line.end_to_end_speedup),
        line.gate_count("passed"),
        line.gate_count("failed"),
        line.gate_count("not run"),
        *_findings(document, line.version),
        line.worst.error if line.worst else None,
        line.worst.allowed if line.worst else None,
        line.worst.relative_error if line.worst else None,
        line.confirmed,
        document.tries,
        line.hypothesis,
        str(line.sentence),
        document.content_hash,
    )
