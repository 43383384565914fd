"""How each version touches memory, from its newest access analysis: what every writer prints of it. Pure values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from workbench import units
from workbench.analysis.access import newest_access
from workbench.model.access import AccessKind, AccessReport, ArrayAccess, Exactness, LineAccess, Space
from workbench.model.cache import CachePrediction
from workbench.model.run import Run
from workbench.model.version import Version
from workbench.texts import Message, message


class AccessRow(msgspec.Struct, frozen=True):
    """One access of one source line. Means over the requests; fractions bare; None where the figure has no meaning there."""

    line: int
    text: str
    space: Space
    kind: AccessKind
    arrays: tuple[str, ...]
    requests: int
    each: float | None
    """Sectors (global) or wavefronts (shared) of a request."""
    ideal: float | None
    lanes: float
    used: float | None
    re_read: float | None
    exactness: Exactness


class ArrayRow(msgspec.Struct, frozen=True):
    """One array of global memory, sectors. `l2_reads` and `l2_hit_rate` are predicted, None without a prediction."""

    name: str
    bytes: int
    read: int
    distinct: int
    written: int
    l2_reads: int | None
    l2_hit_rate: float | None


class MemoryAccess(msgspec.Struct, frozen=True):
    """What one version does to memory. Where `totals` are None they are missing: only a GPU knows them."""

    name: str
    version: str
    """The version's hash."""
    traced: Message
    machine: str
    rows: tuple[AccessRow, ...]
    reasons: tuple[Message, ...]
    """Why lines are only source-level, each reason once with its lines."""
    totals: Mapping[str, int | None]
    arrays: tuple[ArrayRow, ...]
    cache: Message | None
    """The predicted second level of a named GPU."""
    notes: tuple[Message, ...]


def memory_access(versions: Sequence[Version], runs: Sequence[Run]) -> tuple[MemoryAccess, ...]:
    """Return an entry for each version that was analysed on any device, in the versions' order."""
    found = []
    for version in versions:
        report = newest_access([run for run in runs if run.version == version.hash])
        if report is not None:
            found.append(_entry(version, report))
    return tuple(found)


def _entry(version: Version, report: AccessReport) -> MemoryAccess:
    return MemoryAccess(
        name=version.name,
        version=version.hash,
        traced=_traced(report),
        machine=report.machine,
        rows=tuple(_row(line) for line in sorted(report.lines, key=lambda line: line.line)),
        reasons=_reasons(report.lines),
        totals=report.totals,
        arrays=tuple(_array(array, report.cache) for array in report.arrays),
        cache=_cache(report.cache),
        notes=report.notes,
    )


def _traced(report: AccessReport) -> Message:
    sizes = ", ".join(f"{name}={value}" for name, value in report.sizes.items()) or units.MISSING
    return message(
        "{traced} of {blocks} blocks were traced on the emulator at {sizes}.",
        traced=units.count(report.traced_blocks), blocks=units.count(report.blocks), sizes=sizes,
    )  # fmt: skip


def _row(line: LineAccess) -> AccessRow:
    done = {"global": line.sectors, "shared": line.wavefronts}.get(line.space)
    ideal = {"global": line.ideal_sectors, "shared": line.ideal_wavefronts}.get(line.space)
    whole = line.space == "global" and line.sectors > 0
    return AccessRow(
        line=line.line, text=line.text, space=line.space, kind=line.kind, arrays=line.arrays, requests=line.requests,
        each=None if done is None or not line.requests else done / line.requests,
        ideal=None if ideal is None or not line.requests else ideal / line.requests,
        lanes=line.mean_active_lanes, used=line.efficiency if whole else None,
        re_read=line.re_reads / line.sectors if whole else None, exactness=line.exactness,
    )  # fmt: skip


def _reasons(lines: Sequence[LineAccess]) -> tuple[Message, ...]:
    places: dict[str, list[int]] = {}
    for line in lines:
        if line.reason is not None:
            places.setdefault(str(line.reason), []).append(line.line)
    return tuple(
        message("Line {lines}: {reason}", lines=", ".join(map(str, sorted(set(found)))), reason=reason)
        for reason, found in places.items()
    )


def _array(array: ArrayAccess, cache: CachePrediction | None) -> ArrayRow:
    traffic = cache.arrays.get(array.name) if cache else None
    return ArrayRow(
        array.name, array.bytes, array.read_sectors, array.read_first_touches, array.written_sectors + array.atomic_sectors,
        traffic.reads if traffic else None, traffic.hit_rate if traffic else None,
    )  # fmt: skip


def _cache(cache: CachePrediction | None) -> Message | None:
    if cache is None:
        return None
    return message(
        "L2 of {hardware}, predicted: {rate} of {reads} sectors read hit.",
        hardware=cache.hardware, rate=units.percent(cache.total.hit_rate, 0), reads=units.count(cache.total.reads),
    )  # fmt: skip
