"""The trace pass: the project's pipeline with the baseline and with the version, walked in turn (method section 6)."""

from __future__ import annotations

import time

import msgspec

from workbench.commands.context import SessionStore
from workbench.commands.work import Work, compile_folder, now
from workbench.model.events import Trace
from workbench.model.failure import Failure
from workbench.model.run import GateResult, PassRecord
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.client import CallFailed

STAGE_TITLES = {
    "kernel": "Target kernel", "other": "Other GPU kernels", "h2d": "Host to device copy", "d2h": "Device to host copy",
    "sync": "Synchronisation", "alloc": "Allocation",
}  # fmt: skip


async def trace_version(work: Work, store: SessionStore, run: int) -> PassRecord:
    """Walk the pipeline; its events go into the session beside the record. Failures are records."""
    started, clock = now(), time.perf_counter()
    try:
        async with work.context.pool.worker(work.device, fresh=True, interpreter=work.project.interpreter) as worker:
            found = await worker.child.call(
                _request(work, str(worker.child.arena)), protocol.PipelineRun,
                limit=work.project.limits.trace, step="trace", progress=work.progress,
            )  # fmt: skip
            for side, ref in found.traces.items():
                store.add_trace(run, side, _trace(ref))
    except CallFailed as error:
        return PassRecord("trace", "failed", started, time.perf_counter() - clock, failure=error.failure)
    stages = {name for repeat in found.data.repeats for name in repeat.stages}
    data = msgspec.structs.replace(
        found.data,
        stage_titles={name: STAGE_TITLES.get(name, name.partition(":")[2]) for name in sorted(stages)},
        stage_kinds={name: name.partition(":")[0] for name in sorted(stages)},
    )
    gate = _outputs_gate(bool(data.outputs_match), data.a_hash == data.b_hash, work.baseline_fault)
    return PassRecord("trace", "finished", started, time.perf_counter() - clock, trace=data, gates=(gate,))


def _request(work: Work, arena: str) -> protocol.RunPipeline:
    project = work.project
    assert project.pipeline is not None
    assert project.pipeline.python is not None
    sizes = work.sizes
    return protocol.RunPipeline(
        folder=str(project.folder),
        function=project.pipeline.python,
        sizes=dict(sizes),
        entry=project.kernel.entry,
        arguments=project.arguments,
        a=work.binaries[work.baseline.hash],
        b=work.binaries[work.version.hash],
        launch_a=work.baseline.code.launch.resolve(sizes),
        launch_b=work.version.code.launch.resolve(sizes),
        a_hash=work.baseline.hash,
        b_hash=work.version.hash,
        repeats=project.device_settings(work.device.kind).repeats or project.pipeline.repeats,
        arena=arena,
        compile_folder=str(compile_folder()),
        tolerances=work.tolerances,
        options=project.kernel.options,
    )


def _trace(ref: protocol.TraceRef) -> Trace:
    columns = {name: arrays.get(column) for name, column in ref.columns.items()}
    return Trace(
        start=columns["start"], duration=columns["duration"], kind=columns["kind"], lane=columns["lane"], name=columns["name"],
        names=ref.names, lanes=ref.lanes, wall=ref.wall,
    )  # fmt: skip


def _outputs_gate(match: bool, is_baseline: bool, fault: Failure | None) -> GateResult:
    title = message("Application's output compared with the baseline's")
    if is_baseline:
        return GateResult("pipeline", title, "not applicable", message("The pipeline ran with the baseline on both sides."))
    if fault is not None:
        return GateResult(
            "pipeline", title, "not run",
            message("The baseline failed its own verification, so its output is no measure: {reason}", reason=str(fault.message)),
        )  # fmt: skip
    if match:
        return GateResult("pipeline", title, "passed", message("The application gave the same output with either kernel."))
    return GateResult(
        "pipeline", title, "failed", message("The application's output changes when this kernel takes the baseline's place.")
    )
