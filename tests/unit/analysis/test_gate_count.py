"""Gates are counted one way: passed of those that apply."""

from __future__ import annotations

from workbench.analysis.gate_count import count_gates
from workbench.model.run import GateResult, GateStatus
from workbench.texts import message


def gates(*statuses: GateStatus) -> list[GateResult]:
    return [GateResult(str(index), message("Gate"), status, message("Said.")) for index, status in enumerate(statuses)]


def test_a_gate_that_does_not_apply_is_left_out_and_one_not_run_is_not() -> None:
    count = count_gates(gates("passed", "passed", "not applicable", "not run"))
    assert (count.text, count.beside, count.line) == ("2 of 3", "1 not run", "2 of 3, 1 not run")


def test_the_sentence_says_what_was_not_run_after_what_passed() -> None:
    assert count_gates(gates("passed", "not run")).sentence == "1 of 2 gates passed, 1 not run."
    assert count_gates([]).sentence == "No gate was decided."


def test_a_failed_gate_is_said_first() -> None:
    assert count_gates(gates("not run", "failed", "passed")).line == "1 of 3, 1 failed, 1 not run"


def test_where_all_passed_nothing_stands_beside() -> None:
    assert count_gates(gates("passed")).line == "1 of 1"


def test_no_gate_is_missing_not_zero() -> None:
    assert count_gates([]).line == count_gates(gates("not applicable")).line == "—"
