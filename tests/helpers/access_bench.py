"""Analysing a kernel on the emulator from a test: one call from a source, or a launch of tests/data/access, to its report."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from plugins.emulator.in_worker import EmulatorDevice
from tests.helpers.access_launches import FOLDER, KernelLaunch, draw_arrays, probe_maps, three
from tests.helpers.emulator_bench import Array, code, compile_kernel, emulator
from workbench.plugin_api import AccessQuestion, AccessReport, Argument, LineAccess, ResolvedLaunch, SectorBatch


@functools.cache
def drawn() -> tuple[dict[str, Array], dict[str, int]]:
    """Return the arrays and sizes of tests/data/access."""
    arrays, sizes = draw_arrays()
    return arrays, sizes


def analyse(
    source: str, *values: Array | np.generic[Any], grid: Sequence[int] = (1,), block: Sequence[int] = (32,), entry: str = "k",
    names: Sequence[str] = (), shared: int = 0, sectors: Callable[[SectorBatch], None] | None = None, **others: Any,
) -> AccessReport:  # fmt: skip
    """Return the report of one launch; arrays among `values` become buffers, `sectors` is told every batch. Raises Fault."""
    device = emulator()
    kernel = compile_kernel(source, entry, **others)
    arguments = [_argument(device, value) for value in values]
    question = AccessQuestion(
        code(source, entry, **others), names or [f"argument{number}" for number in range(len(values))], sectors
    )
    try:
        launch = ResolvedLaunch(three(tuple(grid)), three(tuple(block)), shared)
        return device.access(kernel, launch, arguments, question)
    finally:
        for argument in arguments:
            if not isinstance(argument, np.generic):
                device.free(argument)


def _argument(device: EmulatorDevice, value: Array | np.generic[Any]) -> Argument:
    if isinstance(value, np.generic):
        return value
    buffer = device.allocate(value.nbytes)
    device.write(buffer, value)
    return buffer


@functools.cache
def analyse_launch(one: KernelLaunch) -> AccessReport:
    """Return the report of one launch of tests/data/access."""
    arrays, sizes = drawn()
    known: dict[str, Array | np.generic[Any]] = {**arrays, **{name: np.int32(size) for name, size in sizes.items()}}
    if one.pattern:
        known["map"] = probe_maps()[one.pattern]
    source = (FOLDER / one.file).read_text(encoding="utf-8")
    values = [known[name] for name in one.arguments]
    return analyse(
        source, *values, grid=one.grid, block=one.block, entry=one.entry, names=one.arguments, shared=one.shared_bytes,
        options=("-std=c++17",),
    )  # fmt: skip


def line_of(report: AccessReport, line: int, space: str = "global", kind: str = "read") -> LineAccess:
    """Return what a line does to a space in one way. Raises AssertionError naming what there is."""
    for found in report.lines:
        if (found.line, found.space, found.kind) == (line, space, kind):
            return found
    raise AssertionError(f"no {space} {kind} at line {line}: {[(one.line, one.space, one.kind) for one in report.lines]}")
