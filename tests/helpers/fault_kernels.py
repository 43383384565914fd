"""The planted faults of tests/data/faults: each file is a kernel `k` that is wrong with FAULT defined and right without.

The file's head says how it is launched; `// FAULT: Kind` or `// FAULT: Kind warning` stands on the line that must be named,
with the severity of the worst of the findings.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FOLDER = Path(__file__).parents[1] / "data" / "faults"
DTYPES = {"float": "float32", "double": "float64", "int": "int32", "uchar": "uint8"}
_LAUNCH = re.compile(r"^// launch: grid ([\d ]+), block ([\d ]+)(?:, shared (\d+))?$", re.MULTILINE)
_ARGUMENT = re.compile(r"^// argument: (\w+) (\w+)(?:\[(\d+)\] (input|output|inout|scratch)| = (-?\d+))$", re.MULTILINE)
_MARK = re.compile(r" *// FAULT: .*")
_FAULT = re.compile(r"// FAULT: (\w+)(?: (warning|information))?$")


@dataclass(frozen=True)
class Parameter:
    """One argument: an array of `count` elements with its role, or a scalar of `value`."""

    name: str
    ctype: str
    count: int
    role: str
    value: int

    @property
    def dtype(self) -> str:
        """The numpy name of its type."""
        return DTYPES[self.ctype]


@dataclass(frozen=True)
class FaultKernel:
    """A pair: `faulty` and its `clean` twin, launched alike."""

    name: str
    source: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    parameters: tuple[Parameter, ...]
    line: int
    kind: str
    severity: str

    @property
    def faulty(self) -> str:
        """The source with FAULT defined; its lines keep their numbers."""
        return "#define FAULT\n#line 1\n" + self.source

    @property
    def clean(self) -> str:
        """The source without the fault."""
        return self.source

    @property
    def digest(self) -> str:
        """What a measurement is valid for: 16 hex digits of the source without its mark."""
        return hashlib.sha256(_MARK.sub("", self.source).encode()).hexdigest()[:16]


def values_of(parameter: Parameter) -> npt.NDArray[Any]:
    """Return an array's values before the launch: small whole numbers from 0 to 7, the same every time; zeros for outputs."""
    if parameter.role in ("output", "scratch"):
        return np.zeros(parameter.count, parameter.dtype)
    return ((np.arange(parameter.count) * 5 + 3) % 8).astype(parameter.dtype)


def read_kernel(path: Path) -> FaultKernel:
    """Return one file as a pair. Raises ValueError for a head that says too little."""
    source = path.read_text(encoding="utf-8")
    launch = _LAUNCH.search(source)
    marks = [(number, found) for number, text in enumerate(source.splitlines(), 1) if (found := _FAULT.search(text))]
    if launch is None or len(marks) != 1:
        raise ValueError(f"{path.name} needs one launch line and one FAULT mark")
    parameters = tuple(
        Parameter(name, ctype, int(count or 0), role or "scalar", int(value or 0))
        for ctype, name, count, role, value in _ARGUMENT.findall(source)
    )
    line, mark = marks[0]
    grid, block = (tuple(int(word) for word in part.split()) for part in launch.group(1, 2))
    return FaultKernel(path.stem, source, grid, block, int(launch[3] or 0), parameters, line, mark[1], mark[2] or "error")


def every_kernel() -> list[FaultKernel]:
    """Return all pairs by name."""
    return [read_kernel(path) for path in sorted(FOLDER.glob("*.cu"))]
