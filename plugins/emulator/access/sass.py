"""The accesses to memory in the SASS of a kernel, as nvdisasm prints it with line information.

Names of instructions: CUDA Binary Utilities, instruction set reference of Hopper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from plugins.emulator.access.ptx import MachineAccess, depths
from workbench.plugin_api import AccessKind, Space

_SECTION = re.compile(r"^\s*\.section\s+\.text\.([\w$.]+),")
_LINE = re.compile(r'^\s*//## File "([^"]*)", line (\d+)(.*)$')
_INLINED = re.compile(r'inlined at "([^"]*)", line (\d+)')
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9]+)((?:\.\w+)*)\s")
_LABEL = re.compile(r"^(\.L_x_\d+):")
_BRANCH = re.compile(r"\bBRA(?:\.\w+)*\s+`\((\.L_x_\d+)\)")
_MEANING: dict[str, tuple[Space | None, AccessKind]] = {
    "LDG": ("global", "read"), "STG": ("global", "write"), "LDS": ("shared", "read"), "STS": ("shared", "write"),
    "LDL": ("local", "read"), "STL": ("local", "write"), "LD": (None, "read"), "ST": (None, "write"),
    "ATOMG": ("global", "atomic"), "REDG": ("global", "atomic"), "ATOMS": ("shared", "atomic"), "ATOM": (None, "atomic"),
    "RED": ("global", "atomic"),
}  # fmt: skip
_SIZES = {"8": 1, "U8": 1, "S8": 1, "U16": 2, "S16": 2, "16": 2, "64": 8, "128": 16, "F64": 8, "U64": 8, "S64": 8}


def read_sass(text: str, entry: str, source: str) -> list[MachineAccess]:
    """Return the accesses of a kernel (by its symbol) and of the functions beside it, at lines of the file `source`."""
    rows = list(_rows(text, entry, source))
    labels = {name: index for index, (_, name, _, _) in enumerate(rows) if name}
    branches = [(index, labels.get(target)) for index, (_, _, _, target) in enumerate(rows) if target]
    depth = depths(len(rows), branches)
    return [
        MachineAccess(access.line, access.space, access.kind, access.width, depth[index])
        for index, (instruction, _, line, _) in enumerate(rows)
        if instruction is not None
        for access in _access(instruction[1], instruction[2], line)
    ]


def _rows(text: str, entry: str, source: str) -> Iterator[tuple[re.Match[str] | None, str, int, str]]:
    """Yield each instruction and label of a kernel: the instruction, the label's name, the line, where it branches to."""
    here, line, settled = False, 0, False
    for row in text.split("\n"):
        if section := _SECTION.match(row):
            here, line, settled = section[1] == entry, 0, False
        elif marker := _LINE.match(row):
            own = next((number for name, number in _places(marker) if PurePosixPath(name).name == source), None)
            # Lines of one instruction follow each other, innermost first.
            if own is not None and not settled:
                line, settled = own, True
            elif not settled:
                line = 0
        elif here and (instruction := _INSTRUCTION.match(row)):
            settled = False
            branch = _BRANCH.search(row)
            yield instruction, "", line, branch[1] if branch else ""
        elif here and (label := _LABEL.match(row)):
            yield None, label[1], line, ""


def _places(marker: re.Match[str]) -> Iterator[tuple[str, int]]:
    yield marker[1], int(marker[2])
    for name, line in _INLINED.findall(marker[3]):
        yield name, int(line)


def _access(name: str, modifiers: str, line: int) -> Iterator[MachineAccess]:
    words = modifiers.split(".")
    width = next((_SIZES[word] for word in words if word in _SIZES), 4)
    if name == "LDGSTS":
        yield MachineAccess(line, "global", "read", width)
        yield MachineAccess(line, "shared", "write", width)
    elif name in _MEANING:
        space, kind = _MEANING[name]
        yield MachineAccess(line, space, kind, width)
