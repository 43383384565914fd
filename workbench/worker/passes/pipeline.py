"""The trace pass: the project's pipeline with the baseline and with the candidate in turn, traced and untraced repeats apart."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from workbench.analysis.interleaved import shown_pair
from workbench.analysis.timeline import stage_sums
from workbench.errors import WrongInput
from workbench.model.events import Trace
from workbench.model.project import Tolerance
from workbench.model.run import PipelineData, PipelineRepeat
from workbench.plugin_api import WorkerDevice
from workbench.proof.tolerance import compare_arrays
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.child import ProgressCall
from workbench.worker.passes.binding import load
from workbench.worker.passes.pipeline_api import FixedKernels, PipelineApi, Target
from workbench.worker.passes.recorder import Recorder
from workbench.worker.project_python import call_by_name, load_function

Side = Literal["a", "b"]
Outputs = Mapping[str, arrays.Array]
_NANO = 1e-9
WARM_UP = 2
"""Repeats of each side that do not count: the first ones meet cold caches and fresh pages."""


@dataclass
class _Repeat:
    record: PipelineRepeat
    trace: Trace | None
    outputs: Outputs


class _Runner:
    """Runs repeats of either side."""

    def __init__(self, device: WorkerDevice, request: protocol.RunPipeline) -> None:
        self.device = device
        self.request = request
        self.run = load_function(Path(request.folder), request.function)
        self.fixed = FixedKernels(device, Path(request.folder), Path(request.compile_folder), request.options)
        self.targets: dict[Side, Target] = {
            "a": Target(request.entry, load(device, request.a), request.launch_a, request.arguments),
            "b": Target(request.entry, load(device, request.b), request.launch_b, request.arguments),
        }

    def repeat(self, side: Side, *, traced: bool) -> _Repeat:
        """Run the pipeline once. The wall ends when the device is idle."""
        tracer = self.device.tracer()
        recorder = Recorder(tracer, on=traced)
        p = PipelineApi(tracer, self.targets[side], self.fixed, self.request.sizes, recorder)
        tracer.begin()
        start = time.perf_counter()
        outputs = call_by_name(self.run, {"p": p})
        with recorder.host("sync", "synchronize"):
            tracer.synchronize()
        end = time.perf_counter()
        trace = recorder.trace(start, end) if traced else None
        p.give_back()
        if not isinstance(outputs, dict):
            raise WrongInput("{function} returned {kind}; a dict of output arrays was expected.",
                             function=self.request.function, kind=type(outputs).__name__)  # fmt: skip
        if p.kernel_calls == 0:
            raise WrongInput("{function} never launched {entry}; the account needs the kernel under study in the pipeline.",
                             function=self.request.function, entry=self.request.entry)  # fmt: skip
        stages = {} if trace is None else {key: ns * _NANO for key, ns in stage_sums(trace).items()}
        wall = end - start if trace is None else trace.wall * _NANO
        return _Repeat(PipelineRepeat(side, traced, wall, stages, p.kernel_calls), trace, outputs)


def run_pipeline(device: WorkerDevice, request: protocol.RunPipeline, progress: ProgressCall) -> protocol.PipelineRun:
    """Run all repeats, interleaved A B B A; traced repeats are separate from those whose wall time counts. Raises Fault."""
    runner = _Runner(device, request)
    for _ in range(WARM_UP - 1):
        runner.repeat("a", traced=False)
        runner.repeat("b", traced=False)
    match = _outputs_match(runner.repeat("a", traced=False).outputs, runner.repeat("b", traced=False).outputs, request)
    records: list[PipelineRepeat] = []
    traces: dict[Side, list[tuple[float, Trace]]] = {"a": [], "b": []}
    for number in range(request.repeats):
        order: tuple[Side, Side] = ("a", "b") if number % 2 == 0 else ("b", "a")
        for traced in (False, True):
            for side in order:
                done = runner.repeat(side, traced=traced)
                records.append(done.record)
                if done.trace is not None:
                    traces[side].append((done.record.wall, done.trace))
        progress(message("Walking the pipeline, before and after"), number + 1, request.repeats)
    arena = Path(request.arena)
    pair = shown_pair([wall for wall, _ in traces["a"]], [wall for wall, _ in traces["b"]])
    kept = {} if pair is None else {side: _put_trace(arena, found[pair][1]) for side, found in traces.items()}
    data = PipelineData(
        a_hash=request.a_hash, b_hash=request.b_hash, repeats=tuple(records), sizes=dict(request.sizes), outputs_match=match
    )
    return protocol.PipelineRun(data, {str(side): ref for side, ref in kept.items()})


def _outputs_match(a: Outputs, b: Outputs, request: protocol.RunPipeline) -> bool:
    """Compare what the pipeline returned with either kernel, within twice the project's loosest output tolerance."""
    relative = max((pair[0] for pair in request.tolerances.values()), default=0.0)
    absolute = max((pair[1] for pair in request.tolerances.values()), default=0.0)
    tolerance = Tolerance(relative=2 * relative, absolute=2 * absolute)
    if a.keys() != b.keys():
        return False
    return all(
        np.shape(a[name]) == np.shape(b[name])
        and compare_arrays(
            np.asarray(b[name]), np.asarray(a[name]), np.asarray(a[name]).dtype.name, tolerance, output=name
        ).passed
        for name in a
    )


def _put_trace(arena: Path, trace: Trace) -> protocol.TraceRef:
    columns = {name: arrays.put(arena, getattr(trace, name)) for name in ("start", "duration", "kind", "lane", "name")}
    return protocol.TraceRef(columns, trace.names, trace.lanes, trace.wall)
