"""What a launch's report says, as one sentence with its source line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plugins.emulator.code_lines import line_of, source_line
from plugins.emulator.runtime import Index3, Library, Range, Report
from workbench.plugin_api import Failure, Fault, Message, SourceLine, message

OUT_OF_BOUNDS, BARRIERS_DIFFER, DEADLOCK, WARP_DIFFERS, LANE_NOT_IN_MASK, ASSERTION, TRAP, ARRAY_INDEX, MISALIGNED = range(1, 10)


def _triple(index: Index3) -> str:
    return f"{index.x}, {index.y}, {index.z}"


def _where(report: Report) -> dict[str, str | int]:
    return {"block": _triple(report.block_index), "thread": _triple(report.thread_index)}


def fault_of(report: Report, library: Library, ranges: Sequence[Range]) -> Fault:
    """Return the fault for a report that has one."""
    if report.fault == OUT_OF_BOUNDS:
        return _out_of_bounds(report, library, ranges)
    if report.line_a == 0 and report.code:
        report.line_a = line_of(library.binary, report.code - library.base) or 0
    sentence, kind = _OTHERS[report.fault](report)
    lines = tuple(SourceLine(line, source_line(library.binary, line)) for line in (report.line_a, report.line_b) if line > 0)
    return Fault(Failure("OutOfBounds" if kind == "OutOfBounds" else "DeviceFault", sentence, tuple(dict.fromkeys(lines))))


def _out_of_bounds(report: Report, library: Library, ranges: Sequence[Range]) -> Fault:
    line = line_of(library.binary, report.code - library.base)
    values: dict[str, str | int] = {**_where(report), "bytes": report.bytes}
    near = _nearest(report.address, ranges)
    template = ""
    if line is not None:
        template, values["line"] = "Line {line}: ", line
    template += (
        "out-of-bounds read" if report.access == 0 else "out-of-bounds write" if report.access == 1 else "out-of-bounds atomic"
    )
    if near is None:
        values["address"] = hex(report.address)
        template += " of {bytes} bytes at address {address}, in no argument of the kernel, block ({block}), thread ({thread})."
    else:
        offset = report.address - near.begin
        values |= {"offset": offset, "element": offset // report.bytes, "argument": near.argument + 1, "size": near.bytes}
        template += (
            " of {bytes} bytes at byte {offset} (element {element}) of argument {argument}, which has {size} bytes, "
            "block ({block}), thread ({thread})."
        )
    lines = () if line is None else (SourceLine(line, source_line(library.binary, line)),)
    return Fault(Failure("OutOfBounds", Message(template, values), lines))


def _nearest(address: int, ranges: Sequence[Range]) -> Range | None:
    """Return the argument nearest to an address, None when all are more than 64 MiB away."""

    def gap(known: Range) -> int:
        if address < known.begin:
            return int(known.begin - address)
        return max(0, int(address - (known.begin + known.bytes)))

    best = min(ranges, key=gap, default=None)
    return best if best is not None and gap(best) < 64 * 2**20 else None


def _barriers(report: Report) -> tuple[Message, str]:
    return message(
        "Threads of block ({block}) wait at different barriers, lines {a} and {b}: every thread of a block "
        "that has not returned must "
        "reach the same __syncthreads.",
        block=_triple(report.block_index), a=report.line_a, b=report.line_b,
    ), "DeviceFault"  # fmt: skip


def _deadlock(report: Report) -> tuple[Message, str]:
    return message(
        "Threads of block ({block}) wait for each other for ever, at line {a} and at the warp operation of "
        "line {b}: the lanes its mask "
        "names must all reach it.",
        block=_triple(report.block_index), a=report.line_a, b=report.line_b,
    ), "DeviceFault"  # fmt: skip


def _warp(report: Report) -> tuple[Message, str]:
    return message(
        "Lanes of one warp meet in different warp operations or with different masks, lines {a} and {b}, block ({block}).",
        block=_triple(report.block_index), a=report.line_a, b=report.line_b,
    ), "DeviceFault"  # fmt: skip


def _lane(report: Report) -> tuple[Message, str]:
    return message(
        "Line {a}: a thread calls a warp operation whose mask {mask} does not name its own lane, block "
        "({block}), thread ({thread}).",
        a=report.line_a, mask=hex(report.value & 0xFFFFFFFF), **_where(report),
    ), "DeviceFault"  # fmt: skip


def _assertion(report: Report) -> tuple[Message, str]:
    text = report.text.decode("utf-8", "replace")
    return message(
        "Line {a}: the assertion {text} failed, block ({block}), thread ({thread}).", a=report.line_a, text=text, **_where(report)
    ), "DeviceFault"


def _trap(report: Report) -> tuple[Message, str]:
    return message(
        "Line {a}: __trap() was called, block ({block}), thread ({thread}).", a=report.line_a, **_where(report)
    ), "DeviceFault"


def _index(report: Report) -> tuple[Message, str]:
    return message(
        "Line {a}: index {index} is outside an array of type {type}, block ({block}), thread ({thread}).",
        a=report.line_a, index=report.value, type=report.text.decode("utf-8", "replace").strip("'"), **_where(report),
    ), "OutOfBounds"  # fmt: skip


def _misaligned(report: Report) -> tuple[Message, str]:
    return message(
        "Line {a}: address {address} is not a multiple of {bytes}, which an access to {type} needs, block "
        "({block}), thread ({thread}).",
        a=report.line_a, address=hex(report.address), bytes=report.bytes,
        type=report.text.decode("utf-8", "replace").strip("'") or "its type",
        **_where(report),
    ), "DeviceFault"  # fmt: skip


_OTHERS: Mapping[int, Callable[[Report], tuple[Message, str]]] = {
    BARRIERS_DIFFER: _barriers,
    DEADLOCK: _deadlock,
    WARP_DIFFERS: _warp,
    LANE_NOT_IN_MASK: _lane,
    ASSERTION: _assertion,
    TRAP: _trap,
    ARRAY_INDEX: _index,
    MISALIGNED: _misaligned,
}
