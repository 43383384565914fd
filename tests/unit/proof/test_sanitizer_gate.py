"""The sanitizer's gate: errors fail it, warnings are told, information stays silent."""

from __future__ import annotations

from workbench.model.sanitizer import Finding, FindingKind, SanitizerData, Severity, Touch
from workbench.proof.sanitizer_gate import sanitizer_failed, sanitizer_gate, sanitizer_not_run
from workbench.texts import message


def finding(severity: Severity, kind: FindingKind = "RaceInBlock", line: int = 4) -> Finding:
    """Return a finding of a severity."""
    touch = Touch("write", line, (0, 0, 0), (1, 0, 0))
    return Finding(kind, severity, message("Line {line}: two threads write one place.", line=line), touch)


def data(*findings: Finding) -> SanitizerData:
    """Return what a launch of six blocks found."""
    return SanitizerData(findings, {"n": 3}, (3, 2, 1), (32, 1, 1), "emulator")


def test_a_launch_without_findings_passes_and_says_how_much_was_looked_at() -> None:
    gate = sanitizer_gate(data())
    assert (gate.gate, gate.status, gate.facts["blocks"]) == ("sanitizer", "passed", 6)
    assert str(gate.sentence).endswith("that some threads miss, in 6 blocks.")


def test_one_error_fails_the_gate_with_its_own_sentence_and_several_with_their_number() -> None:
    one = sanitizer_gate(data(finding("error"), finding("information")))
    assert (one.status, str(one.sentence)) == ("failed", "Line 4: two threads write one place.")
    two = sanitizer_gate(data(finding("error"), finding("error", line=9)))
    assert (two.status, two.facts["error"]) == ("failed", 2)
    assert str(two.sentence) == "2 faults were found, the first: Line 4: two threads write one place."


def test_a_warning_passes_and_is_told_and_equal_writes_are_only_counted() -> None:
    warned = sanitizer_gate(data(finding("warning")))
    assert (warned.status, str(warned.sentence)) == (
        "passed", "No error in 6 blocks; a warning: Line 4: two threads write one place.",
    )  # fmt: skip
    same = sanitizer_gate(data(finding("information")))
    assert (same.status, same.facts["information"]) == ("passed", 1)
    assert "two threads" not in str(same.sentence)


def test_what_was_not_finished_is_failed_or_not_run_as_it_is_said() -> None:
    assert sanitizer_failed(message("The kernel wrote far away.")).status == "failed"
    assert sanitizer_not_run(message("The device has none.")).status == "not run"


def test_a_finding_names_its_lines_and_the_tool_of_a_gpu() -> None:
    other = Touch("read", 9, (0, 0, 0), (2, 0, 0))
    race = Finding("RaceBetweenBlocks", "error", message("A race."), finding("error").touch, other)
    assert (race.lines, race.tool) == ((4, 9), "racecheck")
    assert finding("error", "Uninitialised", line=0).lines == ()
