"""The ledger: baseline first, nothing invented, each line with one word and one sentence."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.sample_session import emulator_runs, gpu_environment, gpu_runs, sample_project, sample_versions
from workbench.analysis.ledger import Reckoned, build_ledger, tree_order
from workbench.analysis.standing import gates_with_confirmed
from workbench.model.device import DeviceInfo
from workbench.model.failure import Failure
from workbench.model.ledger import MISSING, Ledger, LedgerLine
from workbench.model.run import CaseResult, GateResult, PassRecord, Run, VerifyData
from workbench.model.version import Version
from workbench.texts import message

VERSIONS = sample_versions()
BASELINE, VECTOR, TILE, WRONG = VERSIONS
STARTED = "2026-11-29T12:00:00+00:00"


def ledger_of(runs: tuple[Run, ...], device: str = "cuda:0", versions: tuple[Version, ...] = VERSIONS) -> Ledger:
    return build_ledger(sample_project(), versions, runs, device)


def line_of(ledger: Ledger, name: str) -> LedgerLine:
    return next(line for line in ledger.lines if line.name == name)


def ended_run(version: Version, number: int, *passes: PassRecord) -> Run:
    return Run(number, version.hash, "cuda:0", STARTED, gpu_environment(), 1, passes, True)


def failed_pass(name: str, kind: str, text: str) -> PassRecord:
    failure = msgspec.convert({"kind": kind, "message": {"text": text}}, Failure)
    return msgspec.structs.replace(PassRecord("compile", "failed", STARTED, 1.0, failure), name=name)


def test_each_line_has_its_chip_in_tree_order() -> None:
    lines = ledger_of(gpu_runs()).lines
    assert [(line.name, line.depth, line.chip) for line in lines] == [
        ("baseline", 0, "BASELINE"),
        ("vector loads", 1, "FASTER"),
        ("tile prefetch", 2, "FASTER"),
        ("fast math", 1, "WRONG ANSWER"),
    ]


def test_speed_ups_are_over_the_baseline_and_over_the_parent() -> None:
    tile = line_of(ledger_of(gpu_runs()), "tile prefetch")
    assert tile.speedup.value == pytest.approx(108 / 16.4, rel=0.01)
    assert tile.parent_speedup.value == pytest.approx(67 / 16.4, rel=0.01)
    assert tile.end_to_end.value == pytest.approx(0.281, rel=0.01)
    assert tile.end_to_end_speedup.value == pytest.approx(1.25, rel=0.01)


def test_without_a_measured_baseline_nothing_has_a_speed_up() -> None:
    ledger = ledger_of(gpu_runs()[1:])
    assert all(line.speedup == MISSING and line.end_to_end_speedup == MISSING for line in ledger.lines)
    assert line_of(ledger, "baseline").chip == "missing"
    vector = line_of(ledger, "vector loads")
    assert vector.chip == "passed"
    assert vector.kernel_time.value is not None
    assert "run the baseline first" in str(vector.sentence)
    assert ledger.account is None


def test_a_baseline_with_a_wrong_answer_is_no_baseline() -> None:
    wrong = msgspec.structs.replace(gpu_runs()[2], version=BASELINE.hash)
    ledger = ledger_of((wrong, gpu_runs()[1]))
    assert line_of(ledger, "baseline").chip == "WRONG ANSWER"
    assert line_of(ledger, "vector loads").speedup == MISSING


def test_a_win_is_confirmed_by_a_second_run_only() -> None:
    assert line_of(ledger_of(gpu_runs(confirmed=False)), "tile prefetch").confirmed is False
    confirmed = line_of(ledger_of(gpu_runs()), "tile prefetch")
    assert confirmed.confirmed is True
    assert confirmed.run == 5
    assert line_of(ledger_of(gpu_runs()), "baseline").confirmed is None


def test_a_win_that_its_confirmation_does_not_repeat_is_not_one() -> None:
    runs = gpu_runs()
    level = msgspec.structs.replace(runs[0], id=6, version=TILE.hash, confirms=4)
    timing = level.passes[2].time
    assert timing is not None
    passes = tuple(
        msgspec.structs.replace(p, time=msgspec.structs.replace(timing, b_hash=TILE.hash)) if p.name == "time" else p
        for p in level.passes
    )
    line = line_of(ledger_of((*runs[:4], msgspec.structs.replace(level, passes=passes))), "tile prefetch")
    assert line.chip == "SAME"
    assert line.confirmed is False


def test_every_candidate_that_was_run_counts_as_a_try() -> None:
    assert ledger_of(gpu_runs()).tries == 3
    assert ledger_of(gpu_runs()[:2]).tries == 1
    assert ledger_of(()).tries == 0


def test_the_account_is_the_one_of_the_fastest_proven_version() -> None:
    ledger = ledger_of(gpu_runs())
    assert ledger.account is not None
    assert ledger.account.after_name == "tile prefetch"
    assert set(ledger.accounts) == {BASELINE.hash, VECTOR.hash, TILE.hash}


def test_on_the_emulator_nothing_is_ever_faster() -> None:
    ledger = ledger_of(emulator_runs(), "emulator")
    assert [line.chip for line in ledger.lines] == ["BASELINE", "CPU TIME", "CPU TIME", "WRONG ANSWER"]
    assert all(line.speedup == line.parent_speedup == line.end_to_end_speedup == MISSING for line in ledger.lines)
    assert line_of(ledger, "tile prefetch").kernel_time.evidence == "measured"
    assert line_of(ledger, "tile prefetch").confirmed is None
    assert ledger.account is not None
    assert ledger.account.ceiling is None
    assert ledger.books_gains is False


def test_a_version_that_does_not_compile_stays_in_the_ledger_with_its_sentence() -> None:
    run = ended_run(VECTOR, 9, failed_pass("compile", "CompileFailed", "kernel.cu line 7 does not compile: expected ';'."))
    line = line_of(ledger_of((*gpu_runs()[:1], run)), "vector loads")
    assert line.chip == "failed"
    assert str(line.sentence) == "kernel.cu line 7 does not compile: expected ';'."
    assert line.kernel_time == MISSING


def test_what_was_cancelled_is_not_run_and_does_not_undo_an_earlier_proof() -> None:
    cancelled = ended_run(VECTOR, 9, failed_pass("verify", "Cancelled", "Cancelled by the user."))
    assert line_of(ledger_of((*gpu_runs()[:1], cancelled)), "vector loads").chip == "not run"
    assert line_of(ledger_of((*gpu_runs(), cancelled)), "vector loads").chip == "FASTER"


def test_a_later_wrong_answer_undoes_an_earlier_proof() -> None:
    wrong = msgspec.structs.replace(gpu_runs()[2], id=9, version=TILE.hash)
    line = line_of(ledger_of((*gpu_runs(), wrong)), "tile prefetch")
    assert line.chip == "WRONG ANSWER"
    assert line.speedup == line.kernel_time == line.end_to_end == MISSING


def test_a_pipeline_that_fails_says_nothing_about_the_kernel() -> None:
    run = gpu_runs()[1]
    passes = (*run.passes[:3], failed_pass("trace", "TimedOut", "The pipeline did not end in 300 s."))
    line = line_of(ledger_of((gpu_runs()[0], msgspec.structs.replace(run, passes=passes))), "vector loads")
    assert line.chip == "FASTER"
    assert line.end_to_end == MISSING


def test_a_killed_run_keeps_what_it_had_proven() -> None:
    run = msgspec.structs.replace(gpu_runs()[1], passes=gpu_runs()[1].passes[:2], finished=False)
    line = line_of(ledger_of((gpu_runs()[0], run)), "vector loads")
    assert line.chip == "passed"
    assert str(line.sentence) == "vector loads gives the right answer and was not timed."


def test_an_empty_session_has_missing_lines_only() -> None:
    ledger = build_ledger(None, VERSIONS, (), "cuda:0", DeviceInfo("cuda:0", "NVIDIA H200", "cuda"))
    assert {line.chip for line in ledger.lines} == {"missing"}
    assert ledger.device_title == "NVIDIA H200"
    assert ledger.environment is None
    assert build_ledger(None, (), (), "emulator").books_gains is False


def test_the_environment_is_the_one_of_the_newest_timing() -> None:
    assert ledger_of(gpu_runs()).environment == gpu_environment()


def child(name: str, parent: str | None) -> Version:
    return msgspec.structs.replace(BASELINE, name=name, hash=name, parent=parent)


def test_a_version_whose_parent_is_not_here_stands_alone_and_a_circle_ends() -> None:
    order = tree_order([child("lost", "elsewhere"), child("x", "y"), child("y", "x")])
    assert [(version.name, depth) for version, depth in order] == [("lost", 0), ("x", 0), ("y", 1)]


@given(st.lists(st.integers(0, 30), max_size=30), st.randoms(use_true_random=False))
def test_every_version_stands_once_and_under_its_parent(parents: list[int], shuffler: random.Random) -> None:
    versions = [child("0", None)]
    versions += [child(str(index), str(parent % index)) for index, parent in enumerate(parents, 1)]
    shuffler.shuffle(versions)
    order = tree_order(versions)
    assert sorted(version.name for version, _ in order) == sorted(version.name for version in versions)
    depths = {version.name: depth for version, depth in order}
    for version, depth in order:
        assert depth == (0 if version.parent is None else depths[version.parent] + 1)
    for (before, depth_before), (after, depth_after) in itertools.pairwise(order):
        assert depth_after <= depth_before + 1
        if depth_after == depth_before + 1:
            assert after.parent == before.hash


def test_a_ledger_that_keeps_what_it_reckoned_equals_one_made_anew() -> None:
    runs = (*gpu_runs(), ended_run(BASELINE, 90), ended_run(TILE, 91, failed_pass("compile", "CompileFailed", "No.")))
    reckoned: Reckoned = {}
    for count in (*range(len(runs) + 1), 3, 0):
        ledger = build_ledger(sample_project(), VERSIONS, runs[:count], "cuda:0", reckoned=reckoned)
        assert ledger == ledger_of(runs[:count]), f"after {count} runs"
    renamed = tuple(msgspec.structs.replace(version, name=f"{version.name}, renamed") for version in VERSIONS)
    ledger = build_ledger(sample_project(), renamed, runs, "cuda:0", reckoned=reckoned)
    assert ledger == ledger_of(runs, versions=renamed)


def test_a_kernel_that_was_ended_before_it_answered_failed_and_gave_no_wrong_answer() -> None:
    killed = msgspec.convert({"kind": "Crashed", "message": {"text": "The worker process was ended by SIGKILL."}}, Failure)
    case = CaseResult({"n": 1}, "normal", 1, False, failure=killed)
    gates = (GateResult("numeric", message("Numbers"), "failed", killed.message),)
    ended = PassRecord("verify", "failed", STARTED, 1.0, killed, verify=VerifyData((case,), gates), gates=gates)
    assert line_of(ledger_of((*gpu_runs()[:1], ended_run(TILE, 90, ended))), TILE.name).chip == "failed"
    wrong = CaseResult({"n": 1}, "normal", 1, False, wrong_elements=3, elements=4)
    both = msgspec.structs.replace(ended, verify=VerifyData((wrong, case), gates))
    assert line_of(ledger_of((*gpu_runs()[:1], ended_run(TILE, 90, both))), TILE.name).chip == "WRONG ANSWER"


def test_a_wrong_answer_before_a_time_out_is_said_and_not_the_time_out() -> None:
    ended = msgspec.convert({"kind": "TimedOut", "message": {"text": "The verify pass was ended after 5 s."}}, Failure)
    wrong = CaseResult({"n": 1}, "normal", 1, False, wrong_elements=3, elements=4)
    silent = CaseResult({"n": 2}, "normal", 1, False, failure=ended)
    gates = (GateResult("numeric", message("Numbers"), "failed", message("1 of 1 cases are wrong.")),)
    record = PassRecord("verify", "failed", STARTED, 1.0, ended, verify=VerifyData((wrong, silent), gates), gates=gates)
    line = line_of(ledger_of((*gpu_runs()[:1], ended_run(TILE, 90, record))), TILE.name)
    assert (line.chip, str(line.sentence)) == ("WRONG ANSWER", "1 of 1 cases are wrong.")
    only = msgspec.structs.replace(record, verify=VerifyData((silent,), ()), gates=())
    line = line_of(ledger_of((*gpu_runs()[:1], ended_run(TILE, 91, only))), TILE.name)
    assert (line.chip, str(line.sentence)) == ("failed", "The verify pass was ended after 5 s.")


def test_a_confirmed_win_keeps_the_gates_that_its_confirmation_did_not_decide_again() -> None:
    kept = GateResult("pipeline", message("Application"), "passed", message("Same."))
    timed = GateResult("rounds", message("Rounds"), "failed", message("Wrong."))
    again = GateResult("rounds", message("Rounds"), "passed", message("Right."))
    first = msgspec.structs.replace(gpu_runs()[0], id=4, passes=(PassRecord("trace", "finished", "", 0.0, gates=(kept, timed)),))
    second = msgspec.structs.replace(first, id=5, confirms=4, passes=(PassRecord("time", "finished", "", 0.0, gates=(again,)),))
    assert gates_with_confirmed((first, second), second) == (kept, again)
