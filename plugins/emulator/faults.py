"""What a launch's report says, as one sentence with its source line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from plugins.emulator.code_lines import line_of, source_line
from plugins.emulator.findings import Place, range_sentence
from plugins.emulator.runtime import Index3, Library, Range, Report
from workbench.plugin_api import Failure, Fault, FindingKind, Message, OutsideAccess, SourceLine, Touch, message

OUT_OF_BOUNDS, BARRIERS_DIFFER, DEADLOCK, WARP_DIFFERS, LANE_NOT_IN_MASK, ASSERTION, TRAP, ARRAY_INDEX, MISALIGNED = range(1, 10)
BAD_FREE, NO_MEMORY = 20, 64
KINDS: Mapping[int, FindingKind] = {
    OUT_OF_BOUNDS: "OutOfBounds", BARRIERS_DIFFER: "BarriersDiffer", DEADLOCK: "Deadlock", WARP_DIFFERS: "WarpOperation",
    LANE_NOT_IN_MASK: "WarpOperation", ASSERTION: "Assertion", TRAP: "Trap", ARRAY_INDEX: "OutOfBounds",
    MISALIGNED: "Misaligned", BAD_FREE: "BadFree",
}  # fmt: skip
"""abi.h's LedgerFault -> what kind of finding it is."""
_ACCESSES: tuple[Literal["read"], Literal["write"], Literal["atomic"]] = ("read", "write", "atomic")
_NEAR = 64 * 2**20
"""An address further than this from every argument is in none."""


def fault_of(report: Report, library: Library, ranges: Sequence[Range]) -> Fault:
    """Return the fault for a report that has one."""
    if report.line_a == 0 and report.code:
        report.line_a = line_of(library.binary, report.code - library.base) or 0
    sentence = _out_of_bounds(report, ranges) if report.fault == OUT_OF_BOUNDS else sentence_of(report)
    lines = tuple(SourceLine(line, source_line(library.binary, line)) for line in (report.line_a, report.line_b) if line > 0)
    outside = _outside(report, ranges) if report.fault == OUT_OF_BOUNDS else None
    kind = KINDS.get(report.fault)
    return Fault(
        Failure("OutOfBounds" if kind == "OutOfBounds" else "DeviceFault", sentence, tuple(dict.fromkeys(lines)), outside=outside)
    )


def _outside(report: Report, ranges: Sequence[Range]) -> OutsideAccess:
    near = _nearest(report.address, ranges)
    return OutsideAccess(
        _ACCESSES[report.access],
        near.argument if near is not None else None,
        report.address - near.begin if near is not None else 0,
        report.line_a,
        _triple(report.block_index),
        _triple(report.thread_index),
    )


def _out_of_bounds(report: Report, ranges: Sequence[Range]) -> Message:
    near = _nearest(report.address, ranges)
    place = Place("", report.address, report.bytes, 0)
    if near is not None:
        name = str(message("argument {number}", number=near.argument + 1))
        place = Place(name, report.address - near.begin, report.bytes, near.bytes)
    touch = Touch(_ACCESSES[report.access], report.line_a, _index(report.block_index), _index(report.thread_index))
    return range_sentence(touch, place, report.bytes)


def _nearest(address: int, ranges: Sequence[Range]) -> Range | None:
    """Return the argument nearest to an address, None when all are too far away."""

    def gap(known: Range) -> int:
        if address < known.begin:
            return int(known.begin - address)
        return max(0, int(address - (known.begin + known.bytes)))

    best = min(ranges, key=gap, default=None)
    return best if best is not None and gap(best) < _NEAR else None


def _index(index: Index3) -> tuple[int, int, int]:
    return index.x, index.y, index.z


def _triple(index: Index3) -> str:
    return ", ".join(map(str, _index(index)))


def sentence_of(report: Report) -> Message:
    """Return the sentence of a report of any fault but OUT_OF_BOUNDS, which needs to know the arguments."""
    if report.fault in (BARRIERS_DIFFER, DEADLOCK, WARP_DIFFERS, LANE_NOT_IN_MASK):
        return _waiting(report)
    where: dict[str, str | int] = {
        "a": report.line_a, "block": _triple(report.block_index), "thread": _triple(report.thread_index),
    }  # fmt: skip
    text = report.text.decode("utf-8", "replace")
    match report.fault:
        case 6:
            return message("Line {a}: the assertion {text} failed, block ({block}), thread ({thread}).", text=text, **where)
        case 7:
            return message("Line {a}: __trap() was called, block ({block}), thread ({thread}).", **where)
        case 8:
            return message(
                "Line {a}: index {index} is outside an array of type {type}, block ({block}), thread ({thread}).",
                index=report.value, type=text.strip("'"), **where,
            )  # fmt: skip
        case 9:
            return message(
                "Line {a}: address {address} is not a multiple of {bytes}, which an access to {type} needs, block "
                "({block}), thread ({thread}).",
                address=hex(report.address), bytes=report.bytes, type=text.strip("'") or "its type", **where,
            )  # fmt: skip
        case 20:
            return message(
                "Line {a}: address {address} is given back to the device heap, which has no block in use there, block "
                "({block}), thread ({thread}).",
                address=hex(report.address), **where,
            )  # fmt: skip
    return message("The sanitizer could not get the memory it needs; use smaller sizes.")


def _waiting(report: Report) -> Message:
    """Return the sentence of threads that do not meet."""
    lines: dict[str, str | int] = {"block": _triple(report.block_index), "a": report.line_a, "b": report.line_b}
    if report.fault == BARRIERS_DIFFER:
        return message(
            "Threads of block ({block}) wait at different barriers, lines {a} and {b}: every thread of a block "
            "that has not returned must reach the same __syncthreads.",
            **lines,
        )
    if report.fault == DEADLOCK:
        return message(
            "Threads of block ({block}) wait for each other for ever, at line {a} and at the warp operation of "
            "line {b}: the lanes its mask names must all reach it.",
            **lines,
        )
    if report.fault == WARP_DIFFERS:
        return message(
            "Lanes of one warp meet in different warp operations or with different masks, lines {a} and {b}, block ({block}).",
            **lines,
        )
    return message(
        "Line {a}: a thread calls a warp operation whose mask {mask} does not name its own lane, block "
        "({block}), thread ({thread}).",
        a=report.line_a, mask=hex(report.value & 0xFFFFFFFF), block=_triple(report.block_index),
        thread=_triple(report.thread_index),
    )  # fmt: skip
