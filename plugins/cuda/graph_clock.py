"""The second clock of method section 1: the slope (T(2n) − T(n)) / n of CUDA graphs that hold n launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from cupy.cuda import runtime

Launch = Callable[[int], None]
"""Queues one launch on the stream it is given."""


def _graph(stream: int, launch: Launch, count: int) -> tuple[int, int]:
    runtime.streamBeginCapture(stream, runtime.streamCaptureModeThreadLocal)
    try:
        for _ in range(count):
            launch(stream)
    finally:
        graph = runtime.streamEndCapture(stream)
    return graph, runtime.graphInstantiate(graph)


def slope(time: Callable[[Launch], float], launch: Launch, count: int, rounds: int) -> float:
    """Return seconds per launch. `time` is the event clock; its constant falls out. Launches follow each other unprepared.

    Call inside `driver_faults`; the buffers change as after 3·count·rounds launches.
    """
    stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    graphs: Sequence[tuple[int, int]] = [_graph(stream, launch, times) for times in (count, 2 * count)]
    try:
        medians = []
        for _, ready in graphs:
            runtime.graphLaunch(ready, stream)
            runtime.streamSynchronize(stream)
            medians.append(float(np.median([time(_launcher(ready)) for _ in range(rounds)])))
    finally:
        for graph, ready in graphs:
            runtime.graphExecDestroy(ready)
            runtime.graphDestroy(graph)
        runtime.streamDestroy(stream)
    return (medians[1] - medians[0]) / count


def _launcher(ready: int) -> Launch:
    return lambda stream: runtime.graphLaunch(ready, stream)
