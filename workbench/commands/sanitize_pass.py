"""The sanitize pass: one small boundary case launched under the device's own sanitizer (requirement B10)."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import msgspec

from workbench.commands.work import Work, not_run, now
from workbench.model.project import Project
from workbench.model.run import PassRecord
from workbench.model.sanitizer import SanitizerData
from workbench.proof.inputs import CasePlan, input_elements, plan_cases
from workbench.proof.sanitizer_gate import sanitizer_failed, sanitizer_gate, sanitizer_not_run
from workbench.proof.unwritten import POISONS
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.client import CallFailed, Child

MOST_ELEMENTS = 2**18
"""Elements of all arrays of the case: a watched launch is some hundred times slower than a plain one."""


async def sanitize_version(work: Work) -> PassRecord:
    """Return the pass with its gate; a launch that was ended by its limit leaves the gate *not run*, with the reason."""
    started, clock = now(), time.perf_counter()
    block = work.version.code.launch.resolve(work.sizes).block
    plans = plan_cases(work.project, work.device.kind, block, work.seed, launch=work.version.code.launch)
    plan = small_case(work.project, plans)
    work.progress(message("Running {name} under the sanitizer", name=work.version.name), 0, 1)
    async with work.context.pool.worker(work.device) as worker:
        if not worker.opened.can_sanitize:
            reason = message("{device} has no sanitizer of its own here; the emulator has one.", device=work.device.title)
            return msgspec.structs.replace(not_run("sanitize", reason), gates=(sanitizer_not_run(reason),))
        try:
            async with work.context.pool.judge(work.project.interpreter) as judge:
                data = await _launch(work, worker.child, judge, plan)
        except CallFailed as error:
            said = error.failure.message
            gate = sanitizer_failed(said) if error.failure.kind == "OutOfBounds" else sanitizer_not_run(said)
            return PassRecord("sanitize", "finished", started, time.perf_counter() - clock, reason=said, gates=(gate,))
    data = msgspec.structs.replace(data, sizes=dict(plan.sizes))
    gate = sanitizer_gate(data)
    return PassRecord("sanitize", "finished", started, time.perf_counter() - clock, sanitize=data, gates=(gate,))


def small_case(project: Project, plans: Sequence[CasePlan]) -> CasePlan:
    """Return the case to watch: the prime shape, else the largest boundary shape that is small enough, else the smallest case."""
    sized = [(input_elements(project, plan.sizes), plan) for plan in plans]
    fitting = [(elements, plan) for elements, plan in sized if elements <= MOST_ELEMENTS]
    prime = next((plan for _, plan in fitting if plan.purpose == "shape" and plan.label == "prime"), None)
    shapes = [(elements, plan) for elements, plan in fitting if plan.purpose == "shape"]
    if prime is not None:
        return prime
    if shapes:
        return max(shapes, key=lambda pair: pair[0])[1]
    return min(sized, key=lambda pair: pair[0])[1]


async def _launch(work: Work, child: Child, judge: Child, plan: CasePlan) -> SanitizerData:
    project, limit = work.project, work.project.limits.verify
    opening = protocol.OpenProject(
        str(project.folder), project.reference, project.inputs, project.arguments, work.tolerances, str(judge.arena)
    )
    await judge.call(opening, type(None), limit=limit, step="sanitize")
    made = await judge.call(protocol.MakeCase(plan), protocol.CaseMade, limit=limit, step="sanitize")
    launch = work.version.code.launch.resolve(plan.sizes)
    request = protocol.Sanitize(work.binaries[work.version.hash], launch, made.slots, POISONS[0])
    try:
        return await child.call(request, SanitizerData, limit=math.ceil(limit), step="sanitize")
    finally:
        for slot in made.slots:
            if slot.array is not None:
                arrays.drop(slot.array)
