"""What Nsight Compute counted on an H200 for the launches of tests/data/access, beside what the emulator says of them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from tests.helpers.access_bench import analyse_launch
from tests.helpers.access_launches import FOLDER, KernelLaunch
from workbench.plugin_api import AccessReport, LineAccess

WITHIN = 0.05
"""How far a source-level figure may be from the counter."""
_KINDS = {"ld": "read", "st": "write", "atom": "atomic", "red": "atomic"}


class Counted(msgspec.Struct, frozen=True, rename={"atomics": "atomics, nvcc"}):
    """The counters of one kernel in the order of Truth.metrics, by how it was compiled, and those of Truth.atomics."""

    nvcc: Sequence[int]
    cupy: Sequence[int]
    atomics: Sequence[int]


class Truth(msgspec.Struct, frozen=True):
    """tests/data/access/truth.json; `files` are digests of the sources that were measured."""

    source: str
    date: str
    device: str
    driver: str
    nvcc: str
    ncu: str
    remarks: Sequence[str]
    files: Mapping[str, str]
    metrics: Sequence[str]
    atomics: Sequence[str]
    kernels: Mapping[str, Counted]
    probes: Mapping[str, Mapping[str, Sequence[int]]]


@functools.cache
def truth() -> Truth:
    """Return what was measured."""
    return msgspec.json.decode((FOLDER / "truth.json").read_bytes(), type=Truth)


@dataclass(frozen=True)
class Compared:
    """One counter of one launch: the H200's figure for each compiler, and the source-level lines behind ours."""

    kernel: str
    metric: str
    ours: int
    counted: Mapping[str, int]
    loose: Sequence[LineAccess]

    @property
    def is_exact(self) -> bool:
        """Whether every line behind the figure is exact."""
        return not self.loose

    @property
    def is_equal(self) -> bool:
        """Whether ours is what the H200 counted, for one compiler at least where it counted differently for two."""
        return self.ours in self.counted.values()

    @property
    def is_everywhere_equal(self) -> bool:
        """Whether ours is what the H200 counted however the kernel was compiled."""
        return set(self.counted.values()) == {self.ours}

    @property
    def holds(self) -> bool:
        """Whether it is equal, or, being only source-level, near."""
        near = any(abs(self.ours - count) <= WITHIN * count for count in self.counted.values())
        return self.is_equal or (not self.is_exact and near)


def compare(one: KernelLaunch) -> list[Compared]:
    """Return every counter of a launch that is not zero on both sides."""
    report, counted = analyse_launch(one), truth().kernels[one.name]
    found = []
    for index, metric in enumerate(truth().metrics):
        figures = {"nvcc": counted.nvcc[index], "cupy": counted.cupy[index]}
        found.append(Compared(one.name, metric, report.totals[metric] or 0, figures, _loose(report, metric)))
    found += _atomics(one.name, report, counted)
    return [row for row in found if row.ours or any(row.counted.values())]


def _loose(report: AccessReport, metric: str) -> list[LineAccess]:
    space, operation = place_of(metric)
    lines = [line for line in report.lines if (line.space, line.kind) == (space, _KINDS[operation])]
    return [line for line in lines if line.exactness != "exact"]


def place_of(metric: str) -> tuple[str, str]:
    """Return the space and the operation that a metric's name has."""
    space, operation = metric.removesuffix(".sum").split("_mem_")[1].split("_op_")
    return space, operation


def _atomics(kernel: str, report: AccessReport, counted: Counted) -> Iterator[Compared]:
    """Yield the atomics; of those to global memory the source does not tell if a result is used (atom) or not (red)."""
    figures = dict(zip(truth().atomics, counted.atomics, strict=True))
    lines = [line for line in report.lines if line.kind == "atomic"]
    for metric, count in figures.items():
        space, operation = place_of(metric)
        if operation == "red":
            continue
        other = figures.get(metric.replace("_op_atom", "_op_red"), 0)
        name = next(name for name in ("requests", "sectors", "wavefronts") if name in metric)
        ours = sum(getattr(line, name) for line in lines if line.space == space)
        yield Compared(kernel, metric, ours, {"nvcc": count + other}, _loose(report, metric))
