"""The hash that ties a printed report to what was measured."""

from __future__ import annotations

import hashlib

import msgspec

from workbench.reports.blocks import ReportInput


def content_hash(given: ReportInput) -> str:
    """Return SHA-256 (64 hex digits) over sources, raw timings, gate results and environments of the report's device.

    It depends on nothing else: not on row numbers, dates or names, so the same evidence in another session gives the same hash.
    """
    digest = hashlib.sha256()
    for version in sorted(given.versions, key=lambda version: version.hash):
        body = version.code.source.to_bytes()
        digest.update(f"{version.hash} {len(body)}\n".encode() + body)
    for run in given.runs:
        if run.device != given.ledger.device:
            continue
        timings = [record.time.groups for record in run.passes if record.time]
        walls = [record.trace.repeats for record in run.passes if record.trace]
        places = [run.environment, *(record.environment for record in run.passes if record.environment)]
        value = (run.version, timings, walls, run.gates, [_facts(place) for place in places])
        digest.update(msgspec.json.encode(value, order="deterministic"))
    return digest.hexdigest()


def _facts(place: msgspec.Struct) -> bytes:
    return msgspec.json.encode(place, order="deterministic")
