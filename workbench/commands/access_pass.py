"""The access pass: one traced launch of a version on the declared case, kept beside the version's newest run."""

from __future__ import annotations

import time

from workbench.commands.work import Work, now
from workbench.model.access import AccessReport
from workbench.model.run import PassRecord
from workbench.proof.inputs import plan_cases
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.client import CallFailed


async def access_version(work: Work, hardware: str | None = None) -> PassRecord:
    """Analyse how the compiled version touches memory at the declared sizes; what stops it is a failed record.

    `hardware` names the file whose caches are predicted; None follows the version's architecture.
    """
    started, clock = now(), time.perf_counter()
    work.progress(message("Tracing {name}", name=work.version.name), 0, 0)
    try:
        report = await _trace(work, hardware)
    except CallFailed as error:
        return PassRecord("access", "failed", started, time.perf_counter() - clock, failure=error.failure)
    return PassRecord("access", "finished", started, time.perf_counter() - clock, access=report)


async def _trace(work: Work, hardware: str | None) -> AccessReport:
    project, limits = work.project, work.project.limits
    launch = work.version.code.launch.resolve(work.sizes)
    plan = plan_cases(project, work.device.kind, launch.block, work.seed, launch=work.version.code.launch)[0]
    async with (
        work.context.pool.judge(project.interpreter) as judge,
        work.context.pool.worker(work.device) as worker,
    ):
        opening = protocol.OpenProject(
            str(project.folder), None, project.inputs, project.arguments, work.tolerances, str(judge.arena)
        )
        await judge.call(opening, type(None), limit=limits.verify, step="access")
        made = await judge.call(protocol.MakeCase(plan), protocol.CaseMade, limit=limits.verify, step="access")
        binary = work.binaries[work.version.hash]
        request = protocol.Access(binary, work.version.code, launch, made.slots, dict(plan.sizes), hardware)
        try:
            return await worker.child.call(request, AccessReport, limit=limits.trace, step="access", progress=work.progress)
        finally:
            for slot in made.slots:
                if slot.array is not None:
                    arrays.drop(slot.array)
