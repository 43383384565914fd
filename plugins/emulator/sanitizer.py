"""A launch under the emulator's sanitizer (resources/emulator/runtime/shadow.h), from ctypes to values."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from plugins.emulator.code_lines import line_of
from plugins.emulator.faults import KINDS, MISALIGNED, OUT_OF_BOUNDS, sentence_of
from plugins.emulator.findings import Place, race_sentence, range_sentence, uninitialised_sentence, unwritten_local_sentence
from plugins.emulator.runtime import Index3, Library, Range, Report
from plugins.emulator.variables import Variable, variable_at, variables_of
from workbench.plugin_api import (
    ArrayFacts,
    Finding,
    FindingKind,
    Message,
    ResolvedLaunch,
    SanitizerData,
    Severity,
    SourceLine,
    Touch,
    TouchKind,
)

MOST_FINDINGS = 256
RACE_IN_BLOCK, RACE_OF_BLOCKS, UNINITIALISED = 32, 33, 34
NOWHERE, ARGUMENT, GLOBAL, STATIC_SHARED, DYNAMIC_SHARED, LOCAL = range(6)
_SEVERITIES: tuple[Severity, ...] = ("information", "warning", "error")
_WAITING: frozenset[FindingKind] = frozenset({"BarriersDiffer", "Deadlock", "WarpOperation"})
_DYNAMIC_NAME = re.compile(r"\bextern\b[^;]*?\b__shared__\b[^;]*?(\w+)\s*\[|\b__shared__\b[^;]*?\bextern\b[^;]*?(\w+)\s*\[")


class _Side(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint64), ("line", ctypes.c_int32), ("access", ctypes.c_int32), ("block", Index3), ("thread", Index3),
    ]  # fmt: skip


class _Finding(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int32), ("severity", ctypes.c_int32), ("count", ctypes.c_uint64), ("address", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64), ("now", _Side), ("before", _Side), ("value", ctypes.c_int64), ("offset", ctypes.c_uint64),
        ("space", ctypes.c_int32), ("argument", ctypes.c_int32), ("text", ctypes.c_char * 128),
    ]  # fmt: skip


class _Shadow(ctypes.Structure):
    _fields_ = [
        ("findings", ctypes.POINTER(_Finding)), ("capacity", ctypes.c_uint32), ("count", ctypes.c_uint32),
        ("dropped", ctypes.c_uint64), ("variables", ctypes.POINTER(Range)), ("variable_count", ctypes.c_uint64),
    ]  # fmt: skip


class Watch:
    """What the runtime fills during one launch; `address` goes into the request. Keeps alive what it points to."""

    def __init__(self, library: Library) -> None:
        self.variables = variables_of(library.binary)
        shared = [variable for variable in self.variables if variable.shared]
        self._ranges = (Range * len(shared))(*(Range(one.offset, one.bytes, 0, 0) for one in shared))
        self._findings = (_Finding * MOST_FINDINGS)()
        self._shadow = _Shadow(
            ctypes.cast(self._findings, ctypes.POINTER(_Finding)), MOST_FINDINGS, 0, 0,
            ctypes.cast(self._ranges, ctypes.POINTER(Range)), len(shared),
        )  # fmt: skip

    @property
    def address(self) -> int:
        """Where the runtime finds it."""
        return ctypes.addressof(self._shadow)

    @property
    def dropped(self) -> int:
        """Findings for which there was no room."""
        return int(self._shadow.dropped)

    @property
    def found(self) -> Sequence[_Finding]:
        """The findings so far."""
        return self._findings[: self._shadow.count]


@dataclass(frozen=True)
class _Scene:
    """What turns addresses into names and lines."""

    library: Library
    variables: Sequence[Variable]
    facts: Sequence[ArrayFacts]
    sizes: Sequence[int]
    """Bytes of each argument, 0 for a scalar."""
    dynamic: tuple[str, int]
    """Name and bytes of dynamic shared memory."""
    lines: dict[int, int]

    def line(self, side: _Side) -> int:
        """Return a side's line, 0 where it is not known."""
        if side.line or not side.code:
            return int(side.line)
        if side.code not in self.lines:
            self.lines[side.code] = line_of(self.library.binary, side.code - self.library.base) or 0
        return self.lines[side.code]

    def place(self, found: _Finding) -> Place:
        """Return where the address of a finding lies."""
        offset = ctypes.c_int64(found.offset).value
        if found.space == ARGUMENT:
            fact = self.facts[found.argument]
            return Place(fact.name, offset, fact.item_bytes, self.sizes[found.argument])
        if found.space in (STATIC_SHARED, GLOBAL):
            known = variable_at(self.variables, offset, shared=found.space == STATIC_SHARED)
            if known is not None:
                return Place(known.name, offset - known.offset, found.bytes, known.bytes)
        if found.space == DYNAMIC_SHARED:
            return Place(self.dynamic[0], offset, found.bytes, self.dynamic[1])
        return Place("", int(found.address), found.bytes, 0, local=found.space == LOCAL)


def read_findings(
    watch: Watch, library: Library, launch: ResolvedLaunch, facts: Sequence[ArrayFacts], sizes: Sequence[int]
) -> SanitizerData:
    """Return what a launch's watch holds, equal findings at equal lines joined, errors first."""
    scene = _Scene(library, watch.variables, facts, sizes, (dynamic_name(library.binary), launch.shared_bytes), {})
    joined: dict[tuple[object, ...], Finding] = {}
    for one in (*(_read(found, scene) for found in watch.found), *_unwritten_locals(library.binary)):
        key = (one.kind, one.array, one.touch.line, one.other and one.other.line, one.touch.kind, one.other and one.other.kind)
        known = joined.get(key)
        joined[key] = one if known is None else _join(known, one)
    told = [one for one in joined.values() if not _is_explained(one, joined.values())]
    order = sorted(told, key=lambda finding: _SEVERITIES.index(finding.severity), reverse=True)
    return SanitizerData(tuple(order), {}, launch.grid, launch.block, "emulator", watch.dropped)


def _is_explained(one: Finding, every: Iterable[Finding]) -> bool:
    """Return whether a race tells why memory was not written when it was read: its writer had not had its turn."""
    if one.kind != "Uninitialised":
        return False
    races = [found for found in every if found.kind in ("RaceInBlock", "RaceBetweenBlocks") and found.array == one.array]
    return bool(one.array) and any(one.touch.line in race.lines for race in races)


def _join(a: Finding, b: Finding) -> Finding:
    worse = a if _SEVERITIES.index(a.severity) >= _SEVERITIES.index(b.severity) else b
    return msgspec.structs.replace(worse, count=a.count + b.count)


def _read(found: _Finding, scene: _Scene) -> Finding:
    place, line, other_line = scene.place(found), scene.line(found.now), scene.line(found.before)
    now, other = _touch(found.now, line), None
    kind: FindingKind = "Uninitialised"
    if found.kind in (RACE_IN_BLOCK, RACE_OF_BLOCKS):
        kind = "RaceInBlock" if found.kind == RACE_IN_BLOCK else "RaceBetweenBlocks"
        other = _touch(found.before, other_line)
        said = race_sentence(now, other, place, in_block=found.kind == RACE_IN_BLOCK)
    elif found.kind == UNINITIALISED:
        said = uninitialised_sentence(now, place)
    else:
        kind = KINDS[found.kind]
        if found.kind == OUT_OF_BOUNDS:
            said = range_sentence(now, place, found.bytes)
        else:
            said = sentence_of(_report(found, line, other_line))
        now = msgspec.structs.replace(now, kind="wait") if kind in _WAITING else now
        other = msgspec.structs.replace(now, line=other_line) if other_line not in (0, line) else None
    is_somewhere = kind in ("Uninitialised", "RaceInBlock", "RaceBetweenBlocks") or found.kind in (OUT_OF_BOUNDS, MISALIGNED)
    return Finding(
        kind, _SEVERITIES[found.severity], said, now, other, place.array if is_somewhere else "",
        place.index if is_somewhere else None, int(found.address), int(found.bytes), int(found.count),
    )  # fmt: skip


def _touch(side: _Side, line: int) -> Touch:
    kinds: tuple[TouchKind, ...] = ("read", "write", "atomic")
    return Touch(kinds[side.access & 3], line, _triple(side.block), _triple(side.thread))


def _triple(index: Index3) -> tuple[int, int, int]:
    return index.x, index.y, index.z


def _report(found: _Finding, line: int, other_line: int) -> Report:
    return Report(
        fault=found.kind, address=found.address, bytes=found.bytes, block_index=found.now.block, thread_index=found.now.thread,
        line_a=line, line_b=other_line, value=found.value, text=found.text,
    )  # fmt: skip


def dynamic_name(binary: Path) -> str:
    """Return the name that the source gives to dynamic shared memory, the first where it gives several."""
    try:
        text = binary.with_name(binary.name.split(".")[0] + ".cu").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = _DYNAMIC_NAME.search(text)
    return (found[1] or found[2]) if found else ""


def _unwritten_locals(binary: Path) -> list[Finding]:
    """Return what the compiler suspects of local variables: no hook sees those that stay in registers."""
    try:
        said = msgspec.json.decode(binary.with_suffix(".json").read_bytes(), type=list[SourceLine])
    except (OSError, msgspec.MsgspecError):
        return []
    sentences: list[tuple[int, Message]] = [(one.line, unwritten_local_sentence(one.line, one.text)) for one in said]
    nobody = (0, 0, 0)
    return [Finding("Uninitialised", "warning", text, Touch("read", line, nobody, nobody)) for line, text in sentences]
