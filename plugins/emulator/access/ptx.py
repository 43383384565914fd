"""The accesses to memory in the PTX of a kernel: line, space, kind, width, and how many loops are around them.

Sources: PTX ISA, chapters "ld", "st", "atom", "red", "cp.async" and ".loc".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from workbench.plugin_api import AccessKind, Space

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_FUNCTION = re.compile(r"^\s*(?:\.(?:visible|weak|extern|common)\s+)*\.(entry|func)\b", re.MULTILINE)
_NAME = re.compile(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s+\d+(?:,\s*function_name\s+[^,]+,\s*inlined_at\s+(\d+)\s+(\d+))?")
_LABEL = re.compile(r"^([\w$]+):")
_BRANCH = re.compile(r"^(?:@!?%\w+\s+)?bra(?:\.uni)?\s+([\w$]+)")
_CALL = re.compile(r"\bcall(?:\.uni)?\s+(?:\([^)]*\)\s*,\s*)?([\w$]+)")
_ACCESS = re.compile(r"^(?:@!?%\w+\s+)?(ld|ldu|st|atom|red|wmma|cp|ldmatrix|stmatrix)\.([\w.:]+)")
_KINDS: dict[str, AccessKind] = {
    "ld": "read", "ldu": "read", "st": "write", "atom": "atomic", "red": "atomic", "ldmatrix": "read", "stmatrix": "write",
}  # fmt: skip
_SPACES: dict[str, Space] = {"global": "global", "shared": "shared", "local": "local", "const": "constant"}
_TYPE = re.compile(r"^[bsuf]?f?(8|16|32|64|128)(x2)?$")
UNKNOWN = 0
"""Width of an access by a whole warp (wmma, ldmatrix), which has no width of one lane."""


@dataclass(frozen=True)
class MachineAccess:
    """One instruction. `width` is in bytes per lane; `space` None is a generic address; `depth` counts the loops around it."""

    line: int
    space: Space | None
    kind: AccessKind
    width: int
    depth: int = 0


@dataclass(frozen=True)
class _Step:
    line: int
    text: str


def read_ptx(text: str, entry: str, source: str) -> list[MachineAccess]:
    """Return the accesses of a kernel (by its symbol) and of the functions it calls, at lines of the file `source`."""
    files = {number for number, name in _FILE.findall(text) if PurePosixPath(name).name == source}
    bodies = dict(_bodies(text))
    waiting, seen, found = [entry], {entry}, []
    while waiting:
        body = bodies.get(waiting.pop(), "")
        found += list(_accesses(list(_steps(body, files))))
        for called in _CALL.findall(body):
            if called in bodies and called not in seen:
                seen.add(called)
                waiting.append(called)
    return found


def entries(text: str) -> list[str]:
    """Return the symbols of the kernels in a PTX text."""
    return re.findall(r"\.entry\s+([\w$]+)", text)


def _bodies(text: str) -> Iterator[tuple[str, str]]:
    for start in _FUNCTION.finditer(text):
        name = _NAME.search(text, start.start())
        opening = text.find("{", start.end())
        end = text.find(";", start.end())
        if name is None or opening < 0 or (0 <= end < opening):
            continue
        yield name[1], text[opening : _close(text, opening)]


def _close(text: str, opening: int) -> int:
    depth = 0
    for found in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.end()
    return len(text)


def _steps(body: str, files: set[str]) -> Iterator[_Step]:
    line = 0
    for raw in body.split("\n"):
        text = raw.strip()
        if found := _LOC.match(text):
            file, number, outer_file, outer = found.groups()
            line = int(number) if file in files else int(outer) if outer_file in files else 0
        elif text:
            yield _Step(line, text)


def _accesses(steps: Sequence[_Step]) -> Iterator[MachineAccess]:
    labels = {found[1]: index for index, step in enumerate(steps) if (found := _LABEL.match(step.text))}
    branches = [(index, labels.get(found[1])) for index, step in enumerate(steps) if (found := _BRANCH.match(step.text))]
    depth = depths(len(steps), branches)
    for index, step in enumerate(steps):
        yield from (MachineAccess(step.line, space, kind, width, depth[index]) for space, kind, width in _parse(step.text))


def depths(count: int, branches: Sequence[tuple[int, int | None]]) -> list[int]:
    """Return for each of `count` instructions how many loops are around it; a branch (from, to) backwards closes a loop."""
    loops: dict[int, int] = {}
    for source, target in branches:
        if target is not None and target < source:
            loops[target] = max(source, loops.get(target, 0))
    return [sum(begin <= index <= end for begin, end in loops.items()) for index in range(count)]


def _parse(text: str) -> Iterator[tuple[Space | None, AccessKind, int]]:
    found = _ACCESS.match(text)
    if found is None:
        return
    name, words = found[1], re.split(r"[.:]+", found[2])
    if "param" in words or (name == "cp" and "async" not in words):
        return
    if name == "cp":
        copied = re.search(r"\],\s*(4|8|16)\b", text)
        if copied:
            yield "global", "read", int(copied[1])
            yield "shared", "write", int(copied[1])
        return
    space = next((_SPACES[word] for word in words if word in _SPACES), None)
    if name in ("wmma", "ldmatrix", "stmatrix"):
        if "load" in words or "store" in words or name != "wmma":
            yield space, "write" if "store" in words or name == "stmatrix" else "read", UNKNOWN
        return
    many = next((int(word[1:]) for word in words if word in ("v2", "v4", "v8")), 1)
    kind = _TYPE.match(words[-1])
    yield space, _KINDS[name], many * int(kind[1]) * (2 if kind[2] else 1) // 8 if kind else UNKNOWN
