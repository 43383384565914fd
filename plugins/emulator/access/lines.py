"""The source line of many code addresses at once, from the DWARF of a compiled twin."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.elf.elffile import ELFFile

from plugins.emulator.diagnostics import USER_FILE
from plugins.emulator.dwarf import file_name, ranges_of

Call = tuple[int, int, int, str, int]
"""An inlined call: begin and end of its code, its depth, file and line of the call."""


def lines_of(library: Path, addresses: Iterable[int]) -> dict[int, int]:
    """Return the line in the kernel's own source for each code address (from the library's start) where one is known.

    Of inlined calls the innermost one inside the kernel's own source counts.
    """
    wanted = sorted(set(addresses))
    try:
        with library.open("rb") as file:
            image = ELFFile(file)
            return _lines(image.get_dwarf_info(), wanted) if image.has_dwarf_info() else {}
    except (OSError, ELFError, DWARFError):
        return {}


def _lines(dwarf: DWARFInfo, wanted: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for unit in dwarf.iter_CUs():
        rows = _rows(dwarf, unit, wanted)
        if not rows:
            continue
        calls: list[Call] = []
        for die in unit.get_top_DIE().iter_children():
            _collect(dwarf, unit, die, 0, calls)
        for address, (name, line) in rows.items():
            places = [(depth, file, number) for begin, end, depth, file, number in calls if begin <= address < end]
            inner = [(name, line), *((file, number) for _, file, number in sorted(places, reverse=True))]
            own = next((number for file, number in inner if file == USER_FILE and number > 0), None)
            if own is not None:
                found[address] = own
    return found


def _rows(dwarf: DWARFInfo, unit: CompileUnit, wanted: list[int]) -> dict[int, tuple[str, int]]:
    """Return file and line of each wanted address that the unit's line table covers."""
    program = dwarf.line_program_for_CU(unit)
    found: dict[int, tuple[str, int]] = {}
    before = None
    for entry in program.get_entries() if program is not None else ():
        state = entry.state
        if state is None:
            continue
        if before is not None and before.address < state.address:
            first = bisect.bisect_left(wanted, before.address)
            for address in wanted[first : bisect.bisect_left(wanted, state.address)]:
                found[address] = (file_name(dwarf, unit, before.file), before.line)
        before = None if state.end_sequence else state
    return found


def _collect(dwarf: DWARFInfo, unit: CompileUnit, die: DIE, depth: int, calls: list[Call]) -> None:
    """Add the inlined calls under a function, with their code."""
    if die.tag == "DW_TAG_inlined_subroutine" and "DW_AT_call_line" in die.attributes:
        file = file_name(dwarf, unit, die.attributes["DW_AT_call_file"].value)
        line = die.attributes["DW_AT_call_line"].value
        calls.extend((begin, end, depth, file, line) for begin, end in ranges_of(dwarf, unit, die))
    elif die.tag not in ("DW_TAG_subprogram", "DW_TAG_lexical_block", "DW_TAG_namespace", "DW_TAG_inlined_subroutine"):
        return
    for child in die.iter_children():
        _collect(dwarf, unit, child, depth + 1, calls)
