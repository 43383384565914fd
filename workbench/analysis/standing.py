"""What a run says about its version: is the answer right, and which run is the one to believe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from workbench.model.failure import Failure
from workbench.model.run import GateResult, Run, TimingData
from workbench.texts import Message, message

Standing = Literal["correct", "wrong", "failed", "open"]
"""`open`: nothing was decided (cancelled, not supported here, no such kernel, a faulty project, killed, or not verified yet)."""

ANSWER_GATES = frozenset({"numeric", "shapes", "values", "unwritten", "inputs", "sensitivity", "rounds"})
"""Gates whose failure means that the answer itself is wrong."""
_CASE_GATES = frozenset({"numeric", "shapes", "values"})
"""They fail for a case that a crash or a limit ended, too: then there was no answer that could be wrong."""
_AROUND = frozenset({"trace", "profile"})
_UNDECIDED = frozenset({"Cancelled", "NotSupported", "WrongInput"})


def standing(run: Run) -> Standing:
    """Return what a run decided about its version's answer. How the pipeline or a profiler ended says nothing about it."""
    failure, gates = kernel_failure(run), failed_gates(run)
    if failure and failure.kind == "WrongAnswer":
        return "wrong"
    told = ANSWER_GATES if failure is None or _has_wrong_case(run) else ANSWER_GATES - _CASE_GATES
    if any(gate.gate in told for gate in gates):
        return "wrong"
    timing = timing_of(run)
    if timing and timing.wrong_rounds:
        return "wrong"
    if gates or (failure and failure.kind not in _UNDECIDED):
        return "failed"
    verified = run.last("verify")
    return "correct" if not failure and verified is not None and verified.status == "finished" else "open"


def _has_wrong_case(run: Run) -> bool:
    record = run.last("verify")
    cases = record.verify.cases if record and record.verify else ()
    return any(not case.passed and case.failure is None for case in cases)


def kernel_failure(run: Run) -> Failure | None:
    """Return the first failure of the passes that run the kernel alone."""
    return next((record.failure for record in run.passes if record.failure and record.name not in _AROUND), None)


def why_failed(run: Run) -> Message | None:
    """Return the one sentence of a run that failed, None when every pass that ran ended and no gate failed."""
    if run.failure is not None:
        return message("{kind}: {sentence}", kind=run.failure.kind, sentence=str(run.failure.message))
    gate = next((gate for gate in run.gates if gate.status == "failed"), None)
    return None if gate is None else message("{title}: {sentence}", title=str(gate.title), sentence=str(gate.sentence))


def failed_gates(run: Run) -> tuple[GateResult, ...]:
    """Return the gates that failed, in the order they were decided."""
    return tuple(gate for gate in all_gates(run) if gate.status == "failed")


def all_gates(run: Run) -> tuple[GateResult, ...]:
    """Return every gate of a run once by its id, the latest decision, whether it stands at a pass or in its verification."""
    gates: dict[str, GateResult] = {}
    for record in run.passes:
        verified = record.verify.gates if record.verify else ()
        gates.update((gate.gate, gate) for gate in (*verified, *record.gates))
    return tuple(gates.values())


def gates_with_confirmed(runs: Sequence[Run], run: Run) -> tuple[GateResult, ...]:
    """Return a run's gates with those of the run it confirms that it did not decide again (the application's output)."""
    confirmed = next((other for other in runs if other.id == run.confirms), None)
    gates = {gate.gate: gate for gate in all_gates(confirmed)} if confirmed is not None else {}
    gates.update((gate.gate, gate) for gate in all_gates(run))
    return tuple(gates.values())


def timing_of(run: Run) -> TimingData | None:
    """Return the rounds of a run's latest finished time pass."""
    record = run.last("time")
    return record.time if record else None


def runs_of(runs: Sequence[Run], version: str, device: str) -> Iterator[Run]:
    """Yield a version's runs on a device, newest first."""
    return (run for run in reversed(runs) if run.version == version and run.device == device)


def deciding_run(runs: Sequence[Run], version: str, device: str) -> Run | None:
    """Return the newest run that decided something, else the newest one: a cancelled run does not undo an earlier proof."""
    newest = list(runs_of(runs, version, device))
    return next((run for run in newest if standing(run) != "open"), newest[0] if newest else None)


def timed_runs(runs: Sequence[Run], version: str, device: str) -> Iterator[tuple[Run, TimingData]]:
    """Yield a version's correct runs on a device that were timed, newest first."""
    for run in runs_of(runs, version, device):
        timing = timing_of(run)
        if timing and timing.groups and standing(run) == "correct":
            yield run, timing
