"""Runs on the emulator: what is right passes, what is wrong is named, nothing is booked as a gain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.command_line import QUICK
from tests.helpers.projects import SAXPY, bench, make_project
from workbench.analysis.ledger import build_ledger
from workbench.cli.run_commands import exit_code
from workbench.commands.run_candidate import RunRequest, run_candidate
from workbench.engine import engine, open_session
from workbench.errors import ExitCode, NotTrusted, WrongInput
from workbench.model.run import Run


def gate(run: Run, name: str) -> str:
    """Return a gate's status."""
    return next(found.status for found in run.gates if found.gate == name)


async def test_a_right_candidate_passes_every_gate_and_books_no_gain(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", pipeline=True)
    async with bench(project) as on:
        run = await on.run(SAXPY.replace("a * x[i] + y[i]", "fmaf(a, x[i], y[i])"), name="fused")
        assert run.failure is None
        assert [record.status for record in run.passes] == ["finished"] * 5
        for name in (
            "numeric",
            "shapes",
            "unwritten",
            "bounds",
            "reads",
            "inputs",
            "controls",
            "sanitizer",
            "rounds",
            "pipeline",
        ):
            assert gate(run, name) == "passed", name
        ledger = build_ledger(project, on.store.versions(), on.store.runs(), "emulator")
        assert [line.chip for line in ledger.lines] == ["BASELINE", "CPU TIME"]
        assert all(line.speedup.value is None for line in ledger.lines[1:])
        trace = on.store.trace(run.id, "b")
        assert trace is not None
        assert "saxpy" in trace.names


async def test_the_baseline_is_run_first_by_itself(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        await on.run(SAXPY.replace("a * x[i]", "x[i] * a"))
        assert [on.store.find_version(run.version).name for run in on.store.runs()] == ["baseline", "candidate 1"]


@pytest.mark.parametrize(
    ("change", "gate_name"),
    [
        (("a * x[i]", "a * x[i] * 1.01f"), "numeric"),
        (("i < n", "i < n - 1"), "unwritten"),
        (("i < n", "i < n / 128 * 128"), "unwritten"),
    ],
)
async def test_a_wrong_answer_fails_its_gate_and_is_never_timed(tmp_path: Path, change: tuple[str, str], gate_name: str) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(SAXPY.replace(*change))
        assert run.failure is not None
        assert run.failure.kind == "WrongAnswer"
        assert gate(run, gate_name) == "failed"
        timed = run.last("time")
        assert timed is not None
        assert timed.status == "not run"


async def test_a_write_past_the_end_is_out_of_bounds_with_its_line(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(SAXPY.replace("i < n", "i < n + 1"), "compile", "verify")
        assert run.failure is not None
        assert run.failure.kind == "OutOfBounds"
        assert any(line.line == 5 for line in run.failure.lines)


async def test_a_read_past_the_end_is_out_of_bounds(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(SAXPY.replace("a * x[i] + y[i]", "a * x[i] + y[i] + 0.0f * x[i + 1]"), "compile", "verify")
        assert run.failure is not None
        assert run.failure.kind == "OutOfBounds"
        assert str(run.failure.message) == (
            "Line 5: out-of-bounds read of element 5000 of x, which has 5000 elements, block (39, 0, 0), thread (7, 0, 0); "
            "guard the index by the size of x."
        )
        assert (gate(run, "reads"), gate(run, "bounds")) == ("failed", "not run")


async def test_a_read_that_ends_the_worker_names_array_element_and_line_too(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(SAXPY.replace("x[i]", "x[i == 7 ? i + 1000000 : i]"), "compile", "verify")
        assert run.failure is not None
        assert str(run.failure.message) == (
            "Line 5: out-of-bounds read of element 1000007 of x, which has 5000 elements, block (0, 0, 0), thread (7, 0, 0); "
            "guard the index by the size of x."
        )
        assert [(line.line, "x[i == 7" in line.text) for line in run.failure.lines] == [(5, True)]
        assert (gate(run, "reads"), gate(run, "bounds")) == ("failed", "not run")


async def test_an_application_is_not_compared_with_a_baseline_that_failed_its_own_verification(tmp_path: Path) -> None:
    wrong = SAXPY.replace("a * x[i]", "1.5f * a * x[i]")
    async with bench(make_project(tmp_path / "p", wrong, toml=QUICK, pipeline=True)) as on:
        run = await on.run(SAXPY)
        assert run.failure is None
        found = next(found for found in run.gates if found.gate == "pipeline")
        assert found.status == "not run"
        assert str(found.sentence).startswith("The baseline failed its own verification, so its output is no measure: ")
        ledger = build_ledger(on.project, on.store.versions(), on.store.runs(), "emulator")
        assert [line.chip for line in ledger.lines] == ["WRONG ANSWER", "passed"]


async def test_a_race_that_no_answer_shows_fails_the_sanitizer_gate_with_both_lines(tmp_path: Path) -> None:
    source = SAXPY.replace("out[i] = ", "if (i + 1 < n && threadIdx.x + 1 < blockDim.x) out[i + 1] = 0.f;\n    out[i] = ")
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(source, "compile", "verify", "sanitize")
        record = run.last("sanitize")
        assert record is not None
        assert record.sanitize is not None
        assert gate(run, "numeric") == "passed"
        assert gate(run, "sanitizer") == "failed"
        assert {(one.kind, one.array, one.lines) for one in record.sanitize.errors} == {("RaceInBlock", "out", (6, 5))}
        assert exit_code(run) == ExitCode.FAILED_GATE


async def test_a_wild_write_ends_the_worker_and_the_next_run_is_not_blamed(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        bad = await on.run(SAXPY.replace("out[i]", "out[(size_t)i * 1000000000ull + n]"), "compile", "verify")
        assert bad.failure is not None
        assert bad.failure.kind == "OutOfBounds"
        good = await on.run(SAXPY.replace("a * x[i]", "x[i] * a"), "compile", "verify")
        assert good.failure is None


async def test_a_compile_error_is_at_its_line(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(SAXPY.replace("out[i] =", "out[i] = undeclared +"), "compile", "verify")
        assert run.failure is not None
        assert run.failure.kind == "CompileFailed"
        assert [line.line for line in run.failure.lines if line.severity == "error"] == [5]


async def test_a_kernel_that_changes_its_inputs_is_caught(tmp_path: Path) -> None:
    source = SAXPY.replace("const float* x", "float* x").replace("y[i];", "y[i]; x[i] = 0;")
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(source, "compile", "verify")
        assert gate(run, "inputs") == "failed"


async def test_a_block_of_2048_threads_is_refused_and_no_answer_is_believed(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run("// ledger: block=2048 grid=ceil(n/2048)\n" + SAXPY, "compile", "verify")
        assert run.failure is not None
        assert run.failure.kind == "LaunchRefused"
        assert "2048" in str(run.failure.message)
        assert "1024" in str(run.failure.message)


async def test_an_entry_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        run = await on.run(SAXPY.replace("saxpy", "other"), "compile", "verify")
        assert run.failure is not None
        assert "other" in str(run.failure.message)


async def test_a_project_whose_python_is_not_trusted_is_not_run(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", toml=QUICK)
    async with engine() as context:
        store = open_session(tmp_path / "s.db")
        with pytest.raises(NotTrusted, match=r"reference\.py"):
            await run_candidate(context, store, RunRequest(project, "emulator"), lambda step, done, total: None)
        assert not store.runs()
        store.close()


async def test_a_reference_with_an_error_is_told_with_its_line(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", reference="def saxpy(x, y, a):\n    return {'out': x / nothing}\n")
    async with bench(project) as on:
        run = await on.run(None, "compile", "verify")
        assert run.failure is not None
        assert "reference.py, line 2" in str(run.failure.message)


async def test_without_a_reference_the_baseline_stands_in_and_is_named(tmp_path: Path) -> None:
    toml = QUICK.replace('[reference]\npython = "reference.py:saxpy"\n', "")
    async with bench(make_project(tmp_path / "p", toml=toml)) as on:
        good = await on.run(SAXPY.replace("a * x[i]", "x[i] * a"))
        assert good.failure is None
        verified = good.last("verify")
        assert verified is not None
        assert verified.verify is not None
        assert verified.verify.reference == "baseline"
        bad = await on.run(SAXPY.replace("a * x[i]", "a * x[i] * 1.01f"))
        assert bad.failure is not None
        assert bad.failure.kind == "WrongAnswer"


async def test_an_unknown_device_names_those_there_are(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path / "p", toml=QUICK)) as on:
        with pytest.raises(WrongInput, match="emulator"):
            on.context.plugins.find_device("cuda:77")
