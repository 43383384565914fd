"""What NVRTC's and nvcc's logs say: errors and warnings by line, and the resources that ptxas reports for each kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from plugins.cuda.nvrtc import PROGRAM_NAME
from workbench.plugin_api import SourceLine

_PLACE = re.compile(r"^(?P<file>.+?)\((?P<line>\d+)\): (?P<severity>(?:catastrophic |fatal )?error|warning|note)(?P<text>.*)$")
_FUNCTION = re.compile(r"Compiling entry function '(.+?)' for")
_SPILLS = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")

_SEVERITIES: dict[str, Literal["warning", "note"]] = {"warning": "warning", "note": "note"}

NAME_EXPRESSION = "__nv_name_map"
"""The file that NVRTC blames when a name expression, our entry, names no kernel."""


@dataclass(frozen=True)
class Resources:
    """One kernel's registers a thread, spilled bytes a thread (stores and loads) and static shared bytes a block."""

    registers: int | None = None
    spill_bytes: int | None = None
    shared_bytes: int | None = None


@dataclass(frozen=True)
class Diagnostics:
    """Lines in the user's source, and the errors in other files (headers)."""

    lines: tuple[SourceLine, ...]
    elsewhere: tuple[str, ...]
    blames_entry: bool

    @property
    def errors(self) -> tuple[SourceLine, ...]:
        """Only the errors in the user's source."""
        return tuple(line for line in self.lines if line.severity == "error")


def read_diagnostics(log: str) -> Diagnostics:
    """Return what the compiler complained about, in its order."""
    lines: list[SourceLine] = []
    elsewhere: list[str] = []
    blames_entry = False
    for row in log.splitlines():
        found = _PLACE.match(row)
        if found is None:
            continue
        text = found["text"].lstrip(" :")
        if found["file"] == PROGRAM_NAME:
            lines.append(SourceLine(int(found["line"]), text, _SEVERITIES.get(found["severity"], "error")))
        elif found["file"] in (NAME_EXPRESSION, "ledger"):
            blames_entry = True
        elif found["severity"] not in _SEVERITIES:
            elsewhere.append(row)
    return Diagnostics(tuple(lines), tuple(elsewhere), blames_entry)


def read_resources(log: str, symbol: str) -> Resources:
    """Return what ptxas reported for one kernel; its fields are None where the log does not tell."""
    current, registers, spills, shared = "", None, None, None
    for row in log.splitlines():
        if found := _FUNCTION.search(row):
            current = found[1]
        elif current != symbol:
            continue
        elif found := _SPILLS.search(row):
            spills = int(found[1]) + int(found[2])
        elif found := _REGISTERS.search(row):
            registers = int(found[1])
            in_row = _SHARED.search(row)
            shared = int(in_row[1]) if in_row else 0
    return Resources(registers, spills, shared)
