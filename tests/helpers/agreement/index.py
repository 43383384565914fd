"""The index of the agreement set: how each kernel is launched, what it is given, and how close its results must be."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

FOLDER = Path(__file__).resolve().parents[2] / "data" / "agreement"
"""Where the index, the kernels and the truth lie."""

_ARGUMENT = re.compile(
    r"(?P<name>\w+) (?P<dtype>\w+)(?:\[(?P<shape>\d+(?:, \d+)*)\])?"
    r"(?: (?P<role>output|inout|scratch))?(?: (?P<fill>[a-z_]+)(?:\((?P<limits>[^)]*)\))?)?(?: = (?P<value>.+))?"
)


class Argument(msgspec.Struct, frozen=True):
    """One kernel argument. `shape` is empty for a scalar; `value` is its text (`float32 1.5, int32 4` for a structure)."""

    name: str
    dtype: str
    shape: tuple[int, ...] = ()
    role: str = "input"
    fill: str = ""
    limits: tuple[float, ...] = ()
    value: str = ""

    @property
    def is_result(self) -> bool:
        """Whether it holds a result; a `scratch` buffer is written too, but what is left in it means nothing."""
        return self.role in ("output", "inout")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kernel of the set; the source is `kernels/NAME.cu`.

    `relative` and `absolute` bound floating results: |c - r| <= relative * (|r| + RMS(r)) + absolute. Both 0 asks for equal
    bits; `closer` replaces `relative` for some results. Integers must be equal, up to `steps`. `why` gives the reason of
    the bound. `reference` is `relative` against NumPy.
    """

    name: str
    entry: str
    style: tuple[str, ...]
    grid: tuple[int, ...]
    block: tuple[int, ...]
    given: tuple[str, ...] = msgspec.field(name="arguments")
    why: str = ""
    shared: int = 0
    template: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    constants: Mapping[str, tuple[float, ...]] = {}
    relative: float = 0.0
    closer: Mapping[str, float] = {}
    absolute: float = 0.0
    steps: int = 0
    reference: float = 0.0
    seed: int = 1
    gpu_fault: str = ""
    """Why the GPU's own result is wrong, where it is: then the emulator must differ from it and agree with NumPy."""
    quick: bool = False
    """Belongs to the dozen of `make test`."""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments in the kernel's order. Raises ValueError for a line that cannot be read."""
        return tuple(_argument(line, self.name) for line in self.given)

    @property
    def path(self) -> Path:
        """Where the source lies."""
        return FOLDER / "kernels" / f"{self.name}.cu"

    @property
    def identity(self) -> str:
        """Hash of the source and of all that decides the result: a truth measured for another one is stale."""
        decides = (self.entry, self.grid, self.block, self.shared, self.template, self.options, sorted(self.constants.items()))
        words = msgspec.json.encode((decides, self.given, self.seed))
        return hashlib.sha256(self.path.read_bytes() + b"\0" + words).hexdigest()[:16]


class _Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kernel: tuple[Entry, ...]


def _argument(line: str, kernel: str) -> Argument:
    found = _ARGUMENT.fullmatch(line)
    if found is None:
        raise ValueError(f"{kernel}: {line!r} is no argument; an example: 'x float32[1000] uniform(-1, 1)'")
    shape = tuple(int(part) for part in (found["shape"] or "").split(", ") if part)
    limits = tuple(float(part) for part in (found["limits"] or "").split(",") if part)
    role, fill, value = found["role"] or "input", found["fill"] or "", found["value"] or ""
    if bool(value) == bool(shape) or (role != "output" and shape and not fill):
        raise ValueError(f"{kernel}: {line!r} needs a value, or a shape with a fill")
    return Argument(found["name"], found["dtype"], shape, role, fill, limits, value)


@functools.cache
def entries() -> tuple[Entry, ...]:
    """Return the whole set in the index's order, files by name."""
    files = sorted((FOLDER / "index").glob("*.toml"))
    return tuple(kernel for file in files for kernel in msgspec.toml.decode(file.read_bytes(), type=_Index).kernel)


def entry_named(name: str) -> Entry:
    """Return one kernel of the set. Raises KeyError."""
    return {entry.name: entry for entry in entries()}[name]
