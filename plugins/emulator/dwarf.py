"""The places in a source that DWARF (versions 4 and 5) gives for an address in a compiled library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.ranges import BaseAddressEntry
from elftools.elf.elffile import ELFFile

Place = tuple[str, int]
"""A file's name without its folders, and a line."""


def places(library: Path, offset: int) -> list[Place]:
    """Return the place of a code offset from the library's start, then the calls inlined around it, innermost first.

    Empty where nothing is known. Raises OSError for a file that cannot be read.
    """
    try:
        with library.open("rb") as file:
            image = ELFFile(file)
            return list(_places(image.get_dwarf_info(), offset)) if image.has_dwarf_info() else []
    except (ELFError, DWARFError):
        return []


def _places(dwarf: DWARFInfo, offset: int) -> Iterator[Place]:
    """Yield the place of an offset, then the calls that were inlined around it, innermost first."""
    for unit in dwarf.iter_CUs():
        place = _row(dwarf, unit, offset)
        if place is None:
            continue
        yield place
        calls = [call for die in unit.get_top_DIE().iter_children() for call in _inlined(dwarf, unit, die, offset)]
        yield from reversed(calls)


def _row(dwarf: DWARFInfo, unit: CompileUnit, offset: int) -> Place | None:
    """Return the line table's place for an offset."""
    program = dwarf.line_program_for_CU(unit)
    before = None
    for entry in program.get_entries() if program is not None else ():
        state = entry.state
        if state is None:
            continue
        if before is not None and before.address <= offset < state.address:
            return file_name(dwarf, unit, before.file), before.line
        before = None if state.end_sequence else state
    return None


def _inlined(dwarf: DWARFInfo, unit: CompileUnit, die: DIE, offset: int) -> Iterator[Place]:
    """Yield the places of the inlined calls that an offset stands in, outermost first."""
    if die.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block"):
        if not _covers(dwarf, unit, die, offset):
            return
        if die.tag == "DW_TAG_inlined_subroutine" and "DW_AT_call_line" in die.attributes:
            yield file_name(dwarf, unit, die.attributes["DW_AT_call_file"].value), die.attributes["DW_AT_call_line"].value
    elif die.tag not in ("DW_TAG_namespace", "DW_TAG_structure_type", "DW_TAG_class_type"):
        return
    for child in die.iter_children():
        yield from _inlined(dwarf, unit, child, offset)


def _covers(dwarf: DWARFInfo, unit: CompileUnit, die: DIE, offset: int) -> bool:
    return any(begin <= offset < end for begin, end in ranges_of(dwarf, unit, die))


def ranges_of(dwarf: DWARFInfo, unit: CompileUnit, die: DIE) -> Iterator[tuple[int, int]]:
    """Yield where a function's code lies; nothing for a mere declaration."""
    if (low := die.attributes.get("DW_AT_low_pc")) and (high := die.attributes.get("DW_AT_high_pc")):
        # DWARF 5, section 2.17.2: an address, or a length when it is of class constant.
        yield low.value, high.value if high.form == "DW_FORM_addr" else low.value + high.value
    ranges = die.attributes.get("DW_AT_ranges")
    lists = dwarf.range_lists()
    if ranges is None or lists is None:
        return
    start = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    base = start.value if start is not None else 0
    for entry in lists.get_range_list_at_offset(ranges.value, unit):
        if isinstance(entry, BaseAddressEntry):
            base = entry.base_address
        else:
            shift = 0 if entry.is_absolute else base
            yield entry.begin_offset + shift, entry.end_offset + shift


def file_name(dwarf: DWARFInfo, unit: CompileUnit, number: int) -> str:
    """Return the name of a file of the unit's line table, which counts from 0 in DWARF 5 and from 1 before."""
    program = dwarf.line_program_for_CU(unit)
    index = number if unit.header.version >= 5 else number - 1
    files = program.header.file_entry if program is not None else []
    return PurePosixPath(files[index].name.decode("utf-8", "replace")).name if 0 <= index < len(files) else ""
