"""Launches under the emulator's sanitizer for its tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.helpers.emulator_bench import Array, compile_kernel, emulator, three
from tests.helpers.fault_kernels import FaultKernel, values_of
from workbench.plugin_api import Argument, ArrayFacts, Buffer, Finding, ResolvedLaunch


def sanitize(
    source: str,
    arguments: Sequence[tuple[str, Array | np.generic, bool]],
    *,
    grid: int | Sequence[int] = 1,
    block: int | Sequence[int] = 1,
    shared: int = 0,
) -> tuple[Finding, ...]:
    """Launch kernel `k` once; an argument is its name, its values, and whether they are there before the launch."""
    kernel, device = compile_kernel(source), emulator()
    made: list[Buffer] = []
    given: list[Argument] = []
    for _, values, _ in arguments:
        if isinstance(values, np.generic):
            given.append(values)
            continue
        buffer = device.allocate(values.nbytes)
        device.write(buffer, values)
        made.append(buffer)
        given.append(buffer)
    facts = [ArrayFacts(name, values.dtype.itemsize, there) for name, values, there in arguments]
    try:
        return device.sanitize(kernel, ResolvedLaunch(three(grid), three(block), shared), given, facts).findings
    finally:
        for buffer in made:
            device.free(buffer)


def sanitize_pair(pair: FaultKernel, source: str) -> tuple[Finding, ...]:
    """Launch one of the two sources of a pair as its head says."""
    arguments: list[tuple[str, Array | np.generic, bool]] = []
    for one in pair.parameters:
        values = np.dtype(one.dtype).type(one.value) if one.role == "scalar" else values_of(one)
        arguments.append((one.name, values, one.role in ("input", "inout", "scalar")))
    return sanitize(source, arguments, grid=pair.grid, block=pair.block, shared=pair.shared)
