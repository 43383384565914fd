"""The verify pass: cases made and judged in the judge's process, launched in the worker's (requirements B1 to B3)."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import AsyncIterator, Mapping
from typing import Literal

from workbench.analysis.standing import ANSWER_GATES
from workbench.commands.outside import name_array
from workbench.commands.work import Work, now
from workbench.model.failure import Failure
from workbench.model.run import CaseResult, GateResult, PassRecord, VerifyData
from workbench.model.version import Version
from workbench.proof.controls import Sensitivity
from workbench.proof.gates import Evidence, decide_gates, worst_of
from workbench.proof.inputs import CasePlan, plan_cases
from workbench.proof.tolerance import precision_lowered
from workbench.proof.unwritten import POISONS
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.client import CallFailed, Child
from workbench.worker.pool import Worker

CHECKED_BYTES = 2**20
"""The bounds-checking build runs many times slower: cases with larger arrays than this in all run without it."""


class _KernelFailed(Exception):
    """The kernel's own launch failed: part of the case's result, unlike a failure of the judge."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(str(failure.message))


class _Bench:
    """One verification: a worker that launches, a judge that knows the answers."""

    def __init__(self, work: Work, worker: Worker, judge: Child) -> None:
        self.work = work
        self.worker = worker
        self.judge = judge
        self.judged: list[protocol.Judged] = []
        self.executed: list[protocol.Executed] = []
        self.failure: Failure | None = None

    async def open(self) -> None:
        """Load the project's reference in the judge."""
        project = self.work.project
        opening = protocol.OpenProject(
            str(project.folder), project.reference, project.inputs, project.arguments, self.work.tolerances, str(self.judge.arena)
        )
        await self.judge.call(opening, type(None), limit=project.limits.verify, step="verify")

    async def case(self, plan: CasePlan) -> CaseResult:
        """Make, launch twice with complementary poisons, and judge one case."""
        limit = self.work.project.limits.verify
        made = await self.judge.call(protocol.MakeCase(plan), protocol.CaseMade, limit=limit, step="verify")
        small = sum(_bytes(slot) for slot in made.slots) <= CHECKED_BYTES
        first = await self._execute(self.work.version, plan, made.slots, POISONS[0], checked=False)
        self.executed.append(first)
        second = await self._execute(self.work.version, plan, made.slots, POISONS[1], checked=small)
        self.executed.append(second)
        answer = await self._stand_in(plan, made.slots)
        request = protocol.JudgeCase(first.outputs, second.outputs, POISONS, answer)
        judged = await self.judge.call(request, protocol.Judged, limit=limit, step="verify")
        self.judged.append(judged)
        for refs in (first.outputs, second.outputs, answer or {}):
            for ref in refs.values():
                arrays.drop(ref)
        for slot in made.slots:
            if slot.array is not None:
                arrays.drop(slot.array)
        return judged.case

    async def _execute(
        self, version: Version, plan: CasePlan, slots: tuple[protocol.Slot, ...], poison: int, *, checked: bool
    ) -> protocol.Executed:
        request = protocol.Execute(
            self.work.binaries[version.hash], version.code.launch.resolve(plan.sizes), slots, poison,
            str(self.worker.child.arena), checked,
        )  # fmt: skip
        limit = self.work.project.limits.launch
        try:
            return await self.worker.child.call(request, protocol.Executed, limit=limit, step="verify")
        except CallFailed as error:
            raise _KernelFailed(self._named(error.failure, slots)) from error

    def _named(self, failure: Failure, slots: tuple[protocol.Slot, ...]) -> Failure:
        """Return a failure with what the device's plugin reads from a dead worker's report, and its array's name."""
        if failure.kind == "OutOfBounds" and failure.outside is None:
            failure = self.work.context.plugins.explain_fault(self.work.device, failure.detail) or failure
        return name_array(failure, slots)

    async def _stand_in(self, plan: CasePlan, slots: tuple[protocol.Slot, ...]) -> Mapping[str, arrays.ArrayRef] | None:
        """Return the baseline's outputs where the project has no reference."""
        if self.work.project.reference is not None:
            return None
        return (await self._execute(self.work.baseline, plan, slots, POISONS[0], checked=False)).outputs


@contextlib.asynccontextmanager
async def _bench(work: Work) -> AsyncIterator[_Bench]:
    async with (
        work.context.pool.judge(work.project.interpreter) as judge,
        work.context.pool.worker(work.device) as worker,
    ):
        yield _Bench(work, worker, judge)


async def verify_version(work: Work) -> PassRecord:
    """Verify the version on every planned case; a wrong answer is a failed record with its gates."""
    started, clock = now(), time.perf_counter()
    block = work.version.code.launch.resolve(work.sizes).block
    plans = plan_cases(work.project, work.device.kind, block, work.seed, launch=work.version.code.launch)
    results: list[CaseResult] = []
    judge_failure: Failure | None = None
    async with _bench(work) as bench:
        try:
            await bench.open()
            for number, plan in enumerate(plans):
                work.progress(message("Verifying {name}, case {number} of {count}", name=work.version.name,
                                      number=number + 1, count=len(plans)), number, len(plans))  # fmt: skip
                results.append(await _one(bench, plan))
                if results[-1].failure is not None:
                    break
        except CallFailed as error:
            judge_failure = error.failure
    if judge_failure is not None:
        return PassRecord("verify", "failed", started, time.perf_counter() - clock, failure=judge_failure)
    data = _data(work, bench, plans, tuple(results))
    failure = _failure(data.gates, data.cases)
    status: Literal["finished", "failed"] = "finished" if failure is None else "failed"
    return PassRecord("verify", status, started, time.perf_counter() - clock, failure, verify=data, gates=data.gates)


async def _one(bench: _Bench, plan: CasePlan) -> CaseResult:
    """Return a case's result; a fault of the kernel is part of it, one of the judge is raised."""
    try:
        return await bench.case(plan)
    except _KernelFailed as error:
        return CaseResult(dict(plan.sizes), plan.distribution, plan.seed, False, failure=error.failure)


def _bytes(slot: protocol.Slot) -> int:
    return 0 if slot.value is not None else math.prod(slot.shape) * arrays.host_dtype(slot.dtype).itemsize


def _data(work: Work, bench: _Bench, plans: tuple[CasePlan, ...], cases: tuple[CaseResult, ...]) -> VerifyData:
    judged, executed = bench.judged, bench.executed
    error = judged[0].float64_error if judged else None
    reference = _reference(work)
    errors = None if error is None or work.baseline_error is None else (error, work.baseline_error)
    relative = max((pair[0] for pair in work.tolerances.values()), default=0.0)
    evidence = Evidence(
        plans=plans,
        cases=cases,
        reference=reference,
        controls=tuple(control for one in judged for control in one.controls) if judged else None,
        sensitivity=_sum([one for verdict in judged for one in verdict.sensitivity]),
        guard_hits=tuple(name for one in executed for name in one.overruns) if executed else None,
        reads_checked=any(one.bounds_checked for one in executed) or _bounds_fault(cases),
        can_check_reads=any(one.can_check for one in executed),
        changed_inputs=tuple(name for one in executed for name in one.changed_inputs) if executed else None,
        invalid=tuple(index for index, one in enumerate(judged) if one.invalid_reference),
        errors=errors,
        precision_lowered=errors is not None and precision_lowered(*errors, relative),
    )
    return VerifyData(cases, decide_gates(evidence), worst_of(cases), reference, error)


def _reference(work: Work) -> str:
    """Return what the answers are compared with; empty for a baseline in a project without a reference."""
    if work.project.reference is not None:
        return work.project.reference
    return "" if work.is_baseline else work.baseline.name


def _bounds_fault(cases: tuple[CaseResult, ...]) -> bool:
    return any(case.failure is not None and case.failure.kind == "OutOfBounds" for case in cases)


def _sum(found: list[Sensitivity]) -> Sensitivity | None:
    if not found:
        return None
    return Sensitivity(sum(one.changed for one in found), sum(one.ignored for one in found))


def _failure(gates: tuple[GateResult, ...], cases: tuple[CaseResult, ...]) -> Failure | None:
    """Return what ended the pass: the kernel's own fault, else the first failed gate as what it means."""
    for case in cases:
        if case.failure is not None:
            return case.failure
    for gate in gates:
        if gate.status == "failed" and gate.gate in ("bounds", "reads"):
            return Failure("OutOfBounds", gate.sentence)
        if gate.status == "failed" and gate.gate in ANSWER_GATES:
            return Failure("WrongAnswer", gate.sentence)
    return None
