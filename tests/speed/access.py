"""The access analysis: how much slower a traced launch is than the plain one of the same blocks, and what the report costs."""

from __future__ import annotations

import os
from typing import cast

import numpy as np

from plugins.emulator.in_worker import EmulatorDevice, open_device
from tests.helpers.access_launches import FOLDER, KernelLaunch, draw_arrays, read_launches, three
from tests.speed.figures import Figure, hand_over, repeated, scratch
from workbench.model.launch import Launch
from workbench.model.source import read_source
from workbench.plugin_api import AccessQuestion, Argument, Code, ResolvedLaunch

LIMIT = 40.0
"""Times the plain launch (issue 3, build item 3)."""
REPEATS = 5
KERNELS = ("conv3x3_tiled", "reduce_interleaved", "transpose_shared", "gather", "copy_coalesced")


class _Bench:
    """One kernel, ready to be launched plainly and traced."""

    def __init__(self, device: EmulatorDevice, one: KernelLaunch) -> None:
        arrays, sizes = draw_arrays()
        code = Code(read_source(FOLDER / one.file), "cuda", one.entry, Launch((1,), (1,)), (), ("-std=c++17",))
        self.device, self.launch = device, ResolvedLaunch(three(one.grid), three(one.block), 0)
        self.kernel = device.load(device.compile(code, scratch() / "compiled", name=one.file), {})
        self.arguments = list[Argument]()
        for name in one.arguments:
            if name in sizes:
                self.arguments.append(np.int32(sizes[name]))
                continue
            buffer = device.allocate(arrays[name].nbytes)
            device.write(buffer, arrays[name])
            self.arguments.append(buffer)
        self.question = AccessQuestion(code, one.arguments)

    def plain(self) -> float:
        """Return the milliseconds of one plain launch."""
        return self.device.timed_launch(self.kernel, self.launch, self.arguments, "cpu") * 1e3

    def report(self) -> tuple[float, float]:
        """Return the milliseconds of one traced launch, and of the analysis behind it."""
        found = self.device.access(self.kernel, self.launch, self.arguments, self.question)
        return found.trace_seconds * 1e3, found.analysis_seconds * 1e3


def main() -> None:
    """Measure five kernels in this process, held to two cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    device = cast(EmulatorDevice, open_device("emulator"))
    figures = []
    for one in (launch for launch in read_launches() if launch.entry in KERNELS):
        bench = _Bench(device, one)
        plain = repeated(REPEATS, bench.plain)
        bench.report()
        traced, analysed = zip(*(bench.report() for _ in range(REPEATS)), strict=True)
        factor = tuple(trace / launch for trace, launch in zip(sorted(traced), sorted(plain), strict=True))
        note = f"{one.entry}, {int(np.prod(one.grid))} blocks, two cores"
        figures.append(Figure("access analysis: traced launch over the plain one", factor, "times", LIMIT, note))
        figures.append(Figure("  of it: the plain launch", plain, "ms"))
        figures.append(Figure("  then: the report", tuple(analysed), "ms"))
    hand_over(figures)


if __name__ == "__main__":
    main()
