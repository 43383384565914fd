"""Each gate says what it found, or why it did not look."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np
import pytest

from tests.helpers.timing_rounds import make_timing
from workbench.model.failure import Failure, FailureKind, OutsideAccess
from workbench.model.run import CaseResult, GateResult, WorstElement
from workbench.proof.controls import ControlResult, Sensitivity
from workbench.proof.gates import TITLES, Evidence, decide_gates, gates_not_run, rounds_gate, worst_of
from workbench.proof.inputs import CasePlan, Purpose
from workbench.texts import message

PURPOSES: tuple[Purpose, ...] = ("declared", "second seed", "shape", "values")
PLANS = tuple(CasePlan({"n": 17 + i}, "declared", i, purpose) for i, purpose in enumerate(PURPOSES))
WORST = WorstElement("dst", (2, 3), 1.00004, 1.0, 4e-5, 2e-4, 2e-5)
CASES = tuple(CaseResult(plan.sizes, plan.distribution, plan.seed, True, WORST, 0, 17) for plan in PLANS)
GOOD = Evidence(
    PLANS,
    CASES,
    "reference.py:f",
    controls=(ControlResult("dst", "zeros", "refused"),),
    sensitivity=Sensitivity(17, 0),
    guard_hits=(),
    reads_checked=True,
    changed_inputs=(),
    errors=(2e-8, 2e-8),
)


def gate(name: str, **changes: Any) -> GateResult:
    """The gate of the good evidence with some fields changed."""
    return {result.gate: result for result in decide_gates(msgspec.structs.replace(GOOD, **changes))}[name]


def with_case(index: int, **changes: Any) -> tuple[CaseResult, ...]:
    return tuple(msgspec.structs.replace(case, **changes) if i == index else case for i, case in enumerate(CASES))


def test_good_evidence_passes_every_gate_once() -> None:
    results = decide_gates(GOOD)
    assert [result.gate for result in results] == [name for name in TITLES if name != "rounds"]
    assert {result.status for result in results} == {"passed"}
    assert all(str(result.sentence).endswith(".") for result in results)


def test_nothing_looked_at_is_not_run_and_never_passed() -> None:
    results = decide_gates(Evidence(PLANS, ()))
    assert {result.status for result in results} == {"not run"}


def test_every_gate_can_be_not_run_for_one_reason() -> None:
    results = gates_not_run(message("The kernel does not compile."))
    assert len(results) == len(TITLES) - 1
    assert {(result.status, str(result.sentence)) for result in results} == {("not run", "The kernel does not compile.")}


@pytest.mark.parametrize(("index", "name"), [(0, "numeric"), (1, "numeric"), (2, "shapes"), (3, "values")])
def test_a_wrong_case_fails_the_gate_of_its_purpose_with_the_element(index: int, name: str) -> None:
    worst = WorstElement("dst", (2, 3), 5.0, 1.0, 4.0, 2e-4, 2.0)
    cases = with_case(index, passed=False, wrong_elements=3, worst=worst)
    failed = [result for result in decide_gates(msgspec.structs.replace(GOOD, cases=cases)) if result.status == "failed"]
    assert [result.gate for result in failed] == [name]
    assert f"n={17 + index}; declared: 3 of 17 elements, worst dst[2,3] 5.00000 for 1.00000." in str(failed[0].sentence)


def test_a_case_that_crashed_says_its_own_sentence() -> None:
    failure = Failure("OutOfBounds", message("dst was read at offset 68, behind its end, in line 9."))
    cases = with_case(2, passed=False, failure=failure, worst=None)
    for name in ("shapes", "bounds", "reads"):
        result = gate(name, cases=cases)
        assert result.status == "failed"
        assert str(result.sentence) == "dst was read at offset 68, behind its end, in line 9."


@pytest.mark.parametrize("kind", ["TimedOut", "DeviceFault", "Crashed", "LaunchRefused"])
def test_a_case_without_an_answer_fails_no_gate_and_passes_none_that_needed_it(kind: FailureKind) -> None:
    failure = Failure(kind, message("The verify pass was ended after 5 s, its limit."))
    cases = with_case(2, passed=False, failure=failure, worst=None)[:3]
    results = {result.gate: result for result in decide_gates(msgspec.structs.replace(GOOD, cases=cases))}
    assert {name for name, result in results.items() if result.status == "failed"} == set()
    shapes = results["shapes"]
    assert (shapes.status, str(shapes.sentence)) == (
        "not run", "The kernel gave no answer at n=19; declared: The verify pass was ended after 5 s, its limit."
    )  # fmt: skip
    assert results["numeric"].status == "passed", "its cases had ended before"
    for name in ("unwritten", "bounds", "reads", "inputs"):
        assert (results[name].status, str(results[name].sentence)) == (
            "not run", "One case gave no answer; in the 2 that ended nothing was found."
        ), name  # fmt: skip


def test_what_was_found_before_a_case_gave_no_answer_still_fails() -> None:
    failure = Failure("Crashed", message("The worker process was ended by SIGKILL."))
    cases = with_case(3, passed=False, failure=failure, worst=None)
    assert gate("bounds", cases=cases, guard_hits=("dst",)).status == "failed"
    assert gate("inputs", cases=cases, changed_inputs=("src",)).status == "failed"
    wrong = (msgspec.structs.replace(cases[0], passed=False, wrong_elements=1), *cases[1:])
    assert gate("numeric", cases=wrong).status == "failed"


def test_planned_cases_that_were_not_reached_are_not_passed() -> None:
    result = gate("values", cases=CASES[:3])
    assert result.status == "not run"
    assert str(result.sentence) == "0 of 1 cases were tried before the run ended."


def test_a_gate_without_planned_cases_is_not_applicable() -> None:
    assert gate("values", plans=PLANS[:3], cases=CASES[:3]).status == "not applicable"


def test_a_case_without_a_usable_reference_proves_nothing() -> None:
    result = gate("shapes", cases=with_case(2, passed=False), invalid=(2,))
    assert result.status == "not run"
    assert result.facts["invalid"] == 1


def test_without_a_reference_only_the_rest_is_decided() -> None:
    statuses = {result.gate: result.status for result in decide_gates(msgspec.structs.replace(GOOD, reference=""))}
    assert {name for name, status in statuses.items() if status == "not run"} == {
        "numeric",
        "shapes",
        "values",
        "controls",
        "sensitivity",
    }


def test_unwritten_elements_fail_with_their_case() -> None:
    result = gate("unwritten", cases=with_case(3, unwritten=12))
    assert result.status == "failed"
    assert str(result.sentence) == "12 output elements were never written, first at n=20; declared."


def test_writes_outside_name_their_array_once() -> None:
    result = gate("bounds", guard_hits=("dst", "dst", "src"))
    assert (result.status, str(result.sentence)) == ("failed", "The kernel wrote outside dst, src.")


def test_reads_are_not_run_where_the_device_cannot_see_them() -> None:
    assert "needs the sanitizer" in str(gate("reads", reads_checked=False).sentence)
    unseen = gate("reads", reads_checked=False, guard_hits=None)
    assert (unseen.status, str(unseen.sentence)) == ("not run", "No case ran to its end.")


def test_a_changed_input_fails() -> None:
    result = gate("inputs", changed_inputs=("src",))
    assert (result.status, str(result.sentence)) == ("failed", "The kernel changed its input src.")


def test_an_accepted_trivial_answer_fails_the_tolerance() -> None:
    result = gate("controls", controls=(ControlResult("dst", "zeros", "accepted"), ControlResult("dst", "constant", "refused")))
    assert result.status == "failed"
    assert "would accept zeros for dst" in str(result.sentence)
    assert gate("controls", controls=(ControlResult("dst", "zeros", "no control"),)).status == "not applicable"


def test_a_candidate_that_ignores_its_inputs_fails() -> None:
    assert gate("sensitivity", sensitivity=Sensitivity(100, 40)).status == "failed"
    assert gate("sensitivity", sensitivity=Sensitivity(0, 0)).status == "not applicable"


def test_lowered_precision_is_said_and_not_failed() -> None:
    result = gate("precision", errors=(1e-4, 2e-8), precision_lowered=True)
    assert result.status == "passed"
    assert str(result.sentence) == "Precision lowered: the error against float64 is 1.0e-4, the baseline's 2.0e-8."
    assert gate("precision", errors=None).status == "not run"


def test_timed_rounds_are_checked_or_said_not_to_be() -> None:
    timing = make_timing(np.random.default_rng(1))
    assert rounds_gate(None).status == "not run"
    assert rounds_gate(timing).status == "not run"
    checked = msgspec.structs.replace(timing, checked_rounds=100)
    assert rounds_gate(checked).status == "passed"
    wrong = rounds_gate(msgspec.structs.replace(checked, wrong_rounds=2))
    assert (wrong.status, str(wrong.sentence)) == ("failed", "2 of 100 timed rounds gave a wrong answer.")


def test_the_worst_of_all_cases_is_the_one_furthest_over_its_bound() -> None:
    near = msgspec.structs.replace(WORST, error=1e-4, output="near")
    exact = msgspec.structs.replace(WORST, error=1.0, allowed=0.0, output="exact")
    assert worst_of(CASES) == WORST
    assert worst_of(with_case(1, worst=near)) == near
    assert worst_of([*with_case(1, worst=near), CaseResult({}, "zeros", 1, False, exact)]) == exact
    assert worst_of([]) is None


@pytest.mark.parametrize(("access", "failed", "unseen"), [("read", "reads", "bounds"), ("write", "bounds", "reads")])
def test_an_access_outside_fails_its_own_gate_and_leaves_the_other_not_run(
    access: Literal["read", "write"], failed: str, unseen: str
) -> None:
    failure = Failure("OutOfBounds", message("Line 5: element 17 of src."), outside=OutsideAccess(access, 0, 68, 5))
    cases = with_case(2, passed=False, failure=failure, worst=None)
    assert (gate(failed, cases=cases).status, str(gate(failed, cases=cases).sentence)) == ("failed", "Line 5: element 17 of src.")
    other = gate(unseen, cases=cases)
    assert (other.status, str(other.sentence).startswith(f"A {access} outside the arrays ended the run")) == ("not run", True)


def test_a_write_seen_in_a_guard_area_fails_although_a_read_outside_ended_the_run() -> None:
    failure = Failure("OutOfBounds", message("Line 5: element 17 of src."), outside=OutsideAccess("read", 0, 68, 5))
    cases = with_case(3, passed=False, failure=failure, worst=None)
    assert str(gate("bounds", cases=cases, guard_hits=("dst",)).sentence) == "The kernel wrote outside dst."


def test_a_device_that_checks_reads_is_not_told_to_need_the_sanitizer() -> None:
    failure = Failure("TimedOut", message("The verify pass was ended after 5 s, its limit."))
    cases = with_case(1, passed=False, failure=failure, worst=None)[:2]
    reads = gate("reads", cases=cases, reads_checked=False, can_check_reads=True)
    assert (reads.status, str(reads.sentence)) == (
        "not run", "No case small enough for the launch that checks every read ran to its end."
    )  # fmt: skip
