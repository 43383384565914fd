"""The time pass: rounds in the order A B B A, spread over fresh processes, against the baseline (method sections 1 and 2)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping

import msgspec

from workbench.commands.environment import disturbances, read_environment, read_gpu
from workbench.commands.work import Work, now
from workbench.expressions import evaluate_whole
from workbench.model.device import Environment
from workbench.model.launch import Expression
from workbench.model.run import GateResult, PassRecord, TimingData
from workbench.proof.gates import rounds_gate
from workbench.proof.inputs import CasePlan, scalar_value
from workbench.texts import message
from workbench.worker import protocol
from workbench.worker.client import CallFailed, Child
from workbench.worker.pool import Worker


async def time_version(work: Work) -> PassRecord:
    """Time the version against the baseline (for the baseline against itself: its noise floor). Failures are records."""
    started, clock = now(), time.perf_counter()
    groups: list[protocol.GroupTimed] = []
    environment: Environment | None = None
    try:
        await asyncio.gather(*work.context.pool.foresee_workers(work.device, work.project.timing.groups))
        for number in range(work.project.timing.groups):
            work.progress(
                message("Timing {name} against {baseline}, process {number} of {count}", name=work.version.name,
                        baseline=work.baseline.name, number=number + 1, count=work.project.timing.groups),
                number, work.project.timing.groups,
            )  # fmt: skip
            async with work.context.pool.worker(work.device, fresh=True) as worker:
                environment = environment or read_environment(work.context, worker.opened)
                groups.append(await _group(work, worker, number))
    except CallFailed as error:
        return PassRecord("time", "failed", started, time.perf_counter() - clock, failure=error.failure, environment=environment)
    assert environment is not None
    after = read_gpu(work.context, work.device)
    environment = msgspec.structs.replace(environment, after=after, notes=disturbances(environment.before, after))
    data = _data(work, groups)
    return PassRecord(
        "time", "finished", started, time.perf_counter() - clock, time=data, gates=(_rounds_gate(data),), environment=environment
    )


async def _group(work: Work, worker: Worker, number: int) -> protocol.GroupTimed:
    settings = work.project.timing
    quads = max(1, math.ceil(work.rounds / settings.groups / 2))
    sizes = work.sizes
    request = protocol.TimeGroup(
        a=work.binaries[work.baseline.hash],
        b=work.binaries[work.version.hash],
        launch_a=work.baseline.code.launch.resolve(sizes),
        launch_b=work.version.code.launch.resolve(sizes),
        slots=await _slots(work, number),
        arguments=work.project.arguments,
        quads=quads,
        warmup=settings.warmup,
        regime=settings.regime,
        seed=work.seed + number * 7919,
        tolerances={name: (2 * relative, 2 * absolute) for name, (relative, absolute) in work.tolerances.items()},
    )
    limit = max(work.project.limits.time / settings.groups, work.project.limits.launch)
    return await worker.child.call(request, protocol.GroupTimed, limit=limit, step="time", progress=work.progress)


async def _slots(work: Work, number: int) -> tuple[protocol.Slot, ...]:
    """Return the launch arguments; arrays of the project's own `inputs.py` come from the judge, one set for each group."""
    sizes = work.sizes
    if work.project.inputs is not None:
        async with work.context.pool.judge(work.project.interpreter) as judge:
            return await _own_inputs(work, judge, number)
    return tuple(
        protocol.Slot(item.name, item.dtype, item.role, value=scalar_value(item, sizes).item())
        if item.is_scalar
        else protocol.Slot(item.name, item.dtype, item.role, item.resolve_shape(sizes))
        for item in work.project.arguments
    )


async def _own_inputs(work: Work, judge: Child, number: int) -> tuple[protocol.Slot, ...]:
    project = work.project
    opening = protocol.OpenProject(
        str(project.folder), project.reference, project.inputs, project.arguments, work.tolerances, str(judge.arena)
    )
    await judge.call(opening, type(None), limit=project.limits.verify, step="verify")
    plan = CasePlan(dict(work.sizes), "declared", work.seed + number, "declared")
    made = await judge.call(protocol.MakeCase(plan), protocol.CaseMade, limit=project.limits.verify, step="verify")
    return made.slots


def _amount(expression: Expression | None, sizes: Mapping[str, int]) -> int | None:
    return None if expression is None else evaluate_whole(expression, sizes)


def _data(work: Work, groups: list[protocol.GroupTimed]) -> TimingData:
    kernel = work.project.kernel
    return TimingData(
        a_hash=work.baseline.hash,
        b_hash=work.version.hash,
        groups=tuple(timed.group for timed in groups),
        regime=groups[0].regime,
        clock=groups[0].clock,
        warmup=work.project.timing.warmup,
        sizes=dict(work.sizes),
        inputs="one set for each process, inputs.py" if work.project.inputs else "fresh each round",
        checked_rounds=sum(timed.checked_rounds for timed in groups),
        wrong_rounds=sum(timed.wrong_rounds for timed in groups),
        bytes=_amount(kernel.bytes, work.sizes),
        flops=_amount(kernel.flops, work.sizes),
    )


def _rounds_gate(data: TimingData) -> GateResult:
    if data.a_hash == data.b_hash:
        title = message("Timed rounds re-checked")
        return GateResult(
            "rounds", title, "not applicable", message("The baseline was timed against itself; its outputs define the answer.")
        )
    return rounds_gate(data)
