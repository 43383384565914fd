"""The variables of a compiled kernel by name: `__shared__` ones (thread-local here) and those of the device."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plugins.emulator.elf import NotElf, read_variables

_DISCRIMINATOR = re.compile(r"(?:_\d+|__\d+_)$")


@dataclass(frozen=True)
class Variable:
    """A variable: `offset` is in bytes from the start of thread-local memory (shared) or of the library (else)."""

    name: str
    offset: int
    bytes: int
    shared: bool


def variables_of(library: Path) -> list[Variable]:
    """Return the variables of a library in rising order of their place; the shim has some of its own."""
    try:
        found = read_variables(library)
    except (NotElf, OSError):
        return []
    named = [Variable(plain_name(name), offset, size, shared) for name, offset, size, shared in found]
    return sorted(named, key=lambda variable: (variable.shared, variable.offset))


def plain_name(symbol: str) -> str:
    """Return the source's name of a variable's symbol (Itanium C++ ABI: `_ZZ1kPfE4tile`, `_ZN2ns4tileE`, `tile.0`)."""
    text = symbol.split(".")[0]
    if not text.startswith("_Z"):
        return text
    for found in re.finditer(r"\d+", text):
        rest = text[found.end() :].removesuffix("E") if text.startswith("_ZN") else text[found.end() :]
        lengths = {found[0][start:] for start in range(len(found[0]))}
        for name in (rest, _DISCRIMINATOR.sub("", rest)):
            if name and str(len(name)) in lengths:
                return name
    return text


def variable_at(variables: Sequence[Variable], offset: int, *, shared: bool) -> Variable | None:
    """Return the variable that holds an offset, else the last one that begins before it, else the first one."""
    kind = [variable for variable in variables if variable.shared == shared]
    before = [variable for variable in kind if variable.offset <= offset]
    inside = next((variable for variable in before if offset < variable.offset + variable.bytes), None)
    return inside or (before[-1] if before else next(iter(kind), None))
