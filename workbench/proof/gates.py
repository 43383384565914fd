"""From what the cases showed to gate results, each with one sentence; nothing is skipped silently."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from workbench.model.failure import Failure
from workbench.model.run import CaseResult, GateResult, GateStatus, TimingData, WorstElement
from workbench.proof.controls import ControlResult, Sensitivity
from workbench.proof.inputs import CasePlan
from workbench.texts import Message, message
from workbench.units import count, scientific, significant


class Evidence(msgspec.Struct, frozen=True):
    """All that a verification found. `plans[i]` made `cases[i]`; a case that was never reached is not in `cases`.

    Every field's default means *not looked at*, and its gate then says *not run*.
    """

    plans: tuple[CasePlan, ...]
    cases: tuple[CaseResult, ...]
    reference: str = ""
    """Empty: there is none, and only what needs no reference is decided."""
    controls: tuple[ControlResult, ...] | None = None
    sensitivity: Sensitivity | None = None
    guard_hits: tuple[str, ...] | None = None
    """Names of the arrays around which the guard areas were written (a name may come more than once)."""
    reads_checked: bool = False
    """True where a launch ran in which the device itself faults on reads outside an array (the emulator)."""
    can_check_reads: bool = False
    """True where the device has such a launch, which large cases do without."""
    changed_inputs: tuple[str, ...] | None = None
    """Names of pure inputs whose bytes differ after the run."""
    invalid: tuple[int, ...] = ()
    """Places in `cases` whose reference was NaN where no input was, or did not fit the output's type: they prove nothing."""
    errors: tuple[float, float] | None = None
    """RMS error against float64 of candidate and baseline; None: not compared."""
    precision_lowered: bool = False
    """Flagged, not failed: the answer is still inside the project's tolerance."""


TITLES: Mapping[str, Message] = {
    "numeric": message("Numeric check against the reference"),
    "shapes": message("Boundary shapes"),
    "values": message("Edge values"),
    "unwritten": message("Every element written"),
    "bounds": message("Writes outside the arrays"),
    "reads": message("Reads outside the arrays"),
    "inputs": message("Inputs unchanged"),
    "controls": message("Trivial answers refused"),
    "sensitivity": message("Follows its inputs"),
    "precision": message("Precision kept"),
    "rounds": message("Timed rounds re-checked"),
}


_EVERY_CASE = frozenset({"unwritten", "bounds", "reads", "inputs"})
"""Gates that look at every case, whatever it was made for."""


def decide_gates(evidence: Evidence) -> tuple[GateResult, ...]:
    """Return the gates of a verification in the order in which they are shown."""
    rules: Sequence[Callable[[Evidence], GateResult]] = (
        _numeric, _shapes, _values, _unwritten, _bounds, _reads, _inputs, _controls, _sensitivity, _precision,
    )  # fmt: skip
    return tuple(_seen_in_part(evidence, rule(evidence)) for rule in rules)


def gates_not_run(reason: Message) -> tuple[GateResult, ...]:
    """Return every gate of a verification as *not run*, for the reason that kept it from running."""
    return tuple(_gate(gate, "not run", reason) for gate in TITLES if gate != "rounds")


def rounds_gate(timing: TimingData | None, reason: Message | None = None) -> GateResult:
    """Return the gate that timed outputs were compared again; without a timing it is *not run*, for `reason`."""
    if timing is None:
        return _gate("rounds", "not run", reason or message("The kernel was not timed in this run."))
    facts = {"checked": timing.checked_rounds, "wrong": timing.wrong_rounds}
    if not timing.checked_rounds:
        return _gate("rounds", "not run", reason or message("No timed output was compared: there is nothing to compare it with."))
    if timing.wrong_rounds:
        said = message(
            "{wrong} of {checked} timed rounds gave a wrong answer.",
            wrong=count(timing.wrong_rounds),
            checked=count(timing.checked_rounds),
        )
        return _gate("rounds", "failed", said, **facts)
    said = message("All {checked} timed rounds compared gave the right answer.", checked=count(timing.checked_rounds))
    return _gate("rounds", "passed", said, **facts)


def worst_of(cases: Sequence[CaseResult]) -> WorstElement | None:
    """Return the element furthest over, or nearest to, its tolerance in all cases."""
    worst = [case.worst for case in cases if case.worst is not None]
    return max(worst, key=_excess, default=None)


def describe_case(case: CaseResult) -> str:
    """Return a case as `width=17, height=1; zeros`."""
    sizes = ", ".join(f"{name}={value}" for name, value in case.sizes.items())
    return f"{sizes}; {case.distribution}" if sizes else case.distribution


def _excess(worst: WorstElement) -> float:
    return worst.error / worst.allowed if worst.allowed else (float("inf") if worst.error else 0.0)


def _gate(gate: str, status: GateStatus, sentence: Message, **facts: float | int | str) -> GateResult:
    return GateResult(gate, TITLES[gate], status, sentence, facts)


def _no_reference(gate: str) -> GateResult:
    return _gate(gate, "not run", message("There is no reference to compare with; name one in the project."))


def _numeric(evidence: Evidence) -> GateResult:
    return _by_purpose(evidence, "numeric", ("declared", "second seed"))


def _shapes(evidence: Evidence) -> GateResult:
    return _by_purpose(evidence, "shapes", ("shape",))


def _values(evidence: Evidence) -> GateResult:
    return _by_purpose(evidence, "values", ("values",))


def _by_purpose(evidence: Evidence, gate: str, purposes: tuple[str, ...]) -> GateResult:
    """All cases of one purpose: failed by the first wrong one, passed only when every planned one was tried and judged."""
    if not evidence.reference:
        return _no_reference(gate)
    planned = sum(plan.purpose in purposes for plan in evidence.plans)
    reached = [(index, case) for index, case in enumerate(evidence.cases) if evidence.plans[index].purpose in purposes]
    cases = [case for index, case in reached if index not in evidence.invalid]
    if not planned:
        return _gate(gate, "not applicable", message("The project's sizes and values leave no such case."))
    silent = [case for case in cases if _is_silent(case)]
    wrong = [case for case in cases if not case.passed and case not in silent]
    facts = {"cases": len(cases), "planned": planned, "wrong": len(wrong), "invalid": len(reached) - len(cases)}
    if wrong:
        return _gate(gate, "failed", _wrong_case(wrong[0], len(wrong), len(cases)), **facts)
    if silent:
        where = describe_case(silent[0])
        said = message("The kernel gave no answer at {where}: {reason}", where=where, reason=_reason(silent[0]))
        return _gate(gate, "not run", said, **facts)
    if len(reached) < planned:
        said = message("{done} of {planned} cases were tried before the run ended.", done=len(reached), planned=planned)
        return _gate(gate, "not run", said, **facts)
    if not cases:
        return _gate(gate, "not run", message("The reference itself gives no usable answer for any of these cases."), **facts)
    worst = worst_of(cases)
    relative = scientific(worst.relative_error) if worst and worst.relative_error else "0"
    said = message("{cases} cases are right; the worst relative error is {error}.", cases=len(cases), error=relative)
    return _gate(gate, "passed", said, **facts)


def _is_silent(case: CaseResult) -> bool:
    """Tell whether the kernel was ended before it gave an answer: by its limit, a fault or a refused launch."""
    return case.failure is not None and case.failure.kind != "OutOfBounds"


def _reason(case: CaseResult) -> str:
    return str(case.failure.message) if case.failure is not None else ""


def _seen_in_part(evidence: Evidence, gate: GateResult) -> GateResult:
    """Return a gate that looks at every case as *not run* where it saw nothing wrong and a case gave no answer."""
    silent = sum(_is_silent(case) for case in evidence.cases)
    if not silent or gate.gate not in _EVERY_CASE or gate.status != "passed":
        return gate
    said = message("One case gave no answer; in the {ended} that ended nothing was found.", ended=len(evidence.cases) - silent)
    return _gate(gate.gate, "not run", said)


def _wrong_case(case: CaseResult, wrong: int, cases: int) -> Message:
    """The first wrong case in words: its failure, or its worst element."""
    where = describe_case(case)
    if case.failure is not None:
        return case.failure.message
    if case.worst is None or not case.wrong_elements:
        return message("{wrong} of {cases} cases are wrong, the first at {where}.", wrong=wrong, cases=cases, where=where)
    return message(
        "{wrong} of {cases} cases are wrong, as {where}: {elements} of {all} elements, worst {place} {got} for {expected}.",
        wrong=wrong,
        cases=cases,
        where=where,
        elements=count(case.wrong_elements),
        all=count(case.elements),
        place=f"{case.worst.output}[{','.join(map(str, case.worst.index))}]",
        got=significant(case.worst.candidate, 6),
        expected=significant(case.worst.reference, 6),
    )


def _unwritten(evidence: Evidence) -> GateResult:
    judged = [case for case in evidence.cases if case.failure is None]
    if not judged:
        return _gate("unwritten", "not run", message("No case ran to its end."))
    left = [case for case in judged if case.unwritten]
    facts = {"cases": len(judged), "elements": sum(case.unwritten for case in left)}
    if left:
        said = message(
            "{elements} output elements were never written, first at {where}.",
            elements=count(facts["elements"]),
            where=describe_case(left[0]),
        )
        return _gate("unwritten", "failed", said, **facts)
    said = message("No output element kept both poisons in {cases} cases.", cases=len(judged))
    return _gate("unwritten", "passed", said, **facts)


def _bounds(evidence: Evidence) -> GateResult:
    faults = _faults(evidence)
    writes = [fault for fault in faults if _access(fault) != "read"]
    if writes:
        return _gate("bounds", "failed", writes[0].message)
    if faults and not evidence.guard_hits:
        return _gate("bounds", "not run", message("A read outside the arrays ended the run before every write was seen."))
    if evidence.guard_hits is None:
        return _gate("bounds", "not run", message("Guard areas were not looked at."))
    if evidence.guard_hits:
        said = message("The kernel wrote outside {names}.", names=", ".join(dict.fromkeys(evidence.guard_hits)))
        return _gate("bounds", "failed", said, hits=len(evidence.guard_hits))
    return _gate("bounds", "passed", message("The guard areas around every array are as they were."), hits=0)


def _reads(evidence: Evidence) -> GateResult:
    faults = _faults(evidence)
    reads = [fault for fault in faults if _access(fault) != "write"]
    if reads:
        return _gate("reads", "failed", reads[0].message)
    if faults:
        return _gate("reads", "not run", message("A write outside the arrays ended the run before every read was seen."))
    if not evidence.reads_checked and evidence.guard_hits is None:
        return _gate("reads", "not run", message("No case ran to its end."))
    if not evidence.reads_checked and evidence.can_check_reads:
        said = message("No case small enough for the launch that checks every read ran to its end.")
        return _gate("reads", "not run", said)
    if not evidence.reads_checked:
        said = message("Guard areas cannot see reads; this device needs the sanitizer for them.")
        return _gate("reads", "not run", said)
    return _gate("reads", "passed", message("No case touched memory outside its arrays."))


def _faults(evidence: Evidence) -> list[Failure]:
    return [case.failure for case in evidence.cases if case.failure is not None and case.failure.kind == "OutOfBounds"]


def _access(fault: Failure) -> str:
    """Return what the fault did; empty where the device does not tell, which then counts as a read and as a write."""
    return fault.outside.access if fault.outside is not None else ""


def _inputs(evidence: Evidence) -> GateResult:
    if evidence.changed_inputs is None:
        return _gate("inputs", "not run", message("The inputs were not compared after the run."))
    if evidence.changed_inputs:
        names = ", ".join(dict.fromkeys(evidence.changed_inputs))
        return _gate("inputs", "failed", message("The kernel changed its input {names}.", names=names))
    return _gate("inputs", "passed", message("Every input has the bytes it had before."))


def _controls(evidence: Evidence) -> GateResult:
    if not evidence.reference:
        return _no_reference("controls")
    if evidence.controls is None:
        return _gate("controls", "not run", message("Trivial answers were not tried."))
    tried = [control for control in evidence.controls if control.result != "no control"]
    accepted = [control for control in tried if control.result == "accepted"]
    if accepted:
        said = message(
            "The tolerance would accept {kind} for {output}: tighten it, it proves nothing.",
            kind=accepted[0].kind,
            output=accepted[0].output,
        )
        return _gate("controls", "failed", said, tried=len(tried), accepted=len(accepted))
    if not tried:
        return _gate("controls", "not applicable", message("Every trivial answer is the right one here."))
    return _gate("controls", "passed", message("{tried} trivial answers were refused.", tried=len(tried)), tried=len(tried))


def _sensitivity(evidence: Evidence) -> GateResult:
    seen = evidence.sensitivity
    if not evidence.reference:
        return _no_reference("sensitivity")
    if seen is None:
        return _gate("sensitivity", "not run", message("The answers to two different inputs were not compared."))
    if not seen.changed:
        return _gate("sensitivity", "not applicable", message("The reference does not change between the two inputs."))
    if seen.ignored:
        said = message(
            "{ignored} of {changed} elements stayed the same although the inputs changed.",
            ignored=count(seen.ignored),
            changed=count(seen.changed),
        )
        return _gate("sensitivity", "failed", said, ignored=seen.ignored, changed=seen.changed)
    said = message("All {changed} elements that had to change did.", changed=count(seen.changed))
    return _gate("sensitivity", "passed", said, ignored=0, changed=seen.changed)


def _precision(evidence: Evidence) -> GateResult:
    if evidence.errors is None:
        return _gate("precision", "not run", message("The error against float64 was not compared with a baseline's."))
    candidate, baseline = evidence.errors
    shown = {"candidate": scientific(candidate), "baseline": scientific(baseline)}
    if evidence.precision_lowered:
        said = message("Precision lowered: the error against float64 is {candidate}, the baseline's {baseline}.", **shown)
    else:
        said = message("The error against float64 is {candidate}, the baseline's {baseline}.", **shown)
    return _gate("precision", "passed", said, candidate=candidate, baseline=baseline, lowered=int(evidence.precision_lowered))
