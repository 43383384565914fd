"""`run` with kernels and projects that fail: one sentence, the exit code that the help promises, later passes not run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers.command_line import QUICK, Done, Walked, ledger
from tests.helpers.projects import REFERENCE, SAXPY, make_project
from workbench.engine import open_session

BODY = "out[i] = a * x[i] + y[i];"
SPIN = "volatile float* p = out; while (p[0] != 1234.5f) { }"
DEEP = "__device__ int deep(int n) { volatile int b[500]; b[n % 500] = n; return n == 0 ? 0 : deep(n - 1) + b[n % 500]; }\n"
SHORT = QUICK + "[limits]\nlaunch = 1.5\nverify = 3\n"


def run_kernel(folder: Path, source: str, toml: str = QUICK) -> Done:
    make_project(folder, source, toml)
    return ledger("run", folder, "--trust", "--json")


@pytest.mark.parametrize(
    ("source", "kind", "code", "words"),
    [
        (SAXPY.replace("out[i] =", "out[i] = undeclared +"), "CompileFailed", 1, "line 5"),
        (SAXPY.replace("a * x[i]", "1.01f * a * x[i]"), "WrongAnswer", 1, ""),
        (SAXPY.replace("i < n", "i < n + 1"), "OutOfBounds", 1, "Line 5"),
        (SAXPY.replace(BODY, f"float* q = 0; q[i] = 1; {BODY}"), "OutOfBounds", 1, "0x0"),
        ("// ledger: shared_bytes=300000\n" + SAXPY, "LaunchRefused", 3, "232448"),
        (SAXPY.replace(BODY, f'asm(""); {BODY}'), "NotSupported", 3, "Line 5"),
        (SAXPY.replace("y[i];", "y[i"), "CompileFailed", 1, "line [56]"),  # clang names the token that came instead
        (SAXPY.replace("(i < n)", "(i < n"), "CompileFailed", 1, "line 4"),
        (SAXPY.rstrip("}\n"), "CompileFailed", 1, "line"),
        (SAXPY.replace("saxpy", "other"), "WrongInput", 2, "it has: other"),
        ("", "WrongInput", 2, "no kernel"),
        (SAXPY.replace(BODY, f"if (i == 7) __trap(); {BODY}"), "DeviceFault", 3, "__trap"),
        (DEEP + SAXPY.replace(BODY, f"out[i] = deep(1000000 + i); {BODY}"), "DeviceFault", 3, "stack"),
    ],
)
def test_a_kernel_that_fails_ends_in_one_sentence_and_its_code(
    tmp_path: Path, source: str, kind: str, code: int, words: str
) -> None:
    done = run_kernel(tmp_path, source)
    assert done.code == code, done.err
    assert done.sentence.startswith(f"{kind}: ")
    assert re.search(words, done.sentence)
    document = done.document
    assert document["exit_code"] == code
    states = [record["status"] for record in document["run"]["passes"]]
    failed = states.index("failed")
    assert set(states[failed + 1 :]) == {"not run"}


def test_a_kernel_that_never_ends_is_timed_out_and_the_next_command_works(tmp_path: Path) -> None:
    done = run_kernel(tmp_path, SAXPY.replace(BODY, SPIN), SHORT)
    assert (done.code, done.document["run"]["passes"][1]["failure"]["kind"]) == (3, "TimedOut")
    assert "1.5 s" in done.sentence
    gates = done.document["run"]["passes"][1]["gates"]
    assert {gate["status"] for gate in gates} == {"not run"}, "no case ended, so nothing was seen"
    assert "gave no answer" in str(gates[0]["sentence"])
    line = ledger("ledger", tmp_path, "--json").document["ledger"]["lines"][0]
    assert (line["chip"], "1.5 s" in line["sentence"]) == ("failed", True)
    (tmp_path / "good.cu").write_text(SAXPY, encoding="utf-8")
    assert (
        ledger("run", tmp_path, "--source", tmp_path / "good.cu", "--json").document["run"]["passes"][1]["status"] == "finished"
    )


@pytest.mark.parametrize(
    ("reference", "code", "words"),
    [
        ("def saxpy(x, y, a):\n    raise ValueError('nope')\n", 2, "reference.py, line 2: ValueError: nope"),
        ("def saxpy(x, y, a:\n", 2, "reference.py, line 1: this is not valid Python"),
        ("import sys\n\n\ndef saxpy(x, y, a):\n    sys.exit(3)\n", 2, "line 5: SystemExit: 3"),
        ("def saxpy(x, y, a):\n    return {'out': x[:3]}\n", 2, "shape (3,)"),
        ("def saxpy(x, y, a):\n    return {'out': [object()] * len(x)}\n", 2, "real numbers"),
        ("def saxpy(x, y, nonsense):\n    return None\n", 2, "asks for nonsense"),
        ("import os\n\n\ndef saxpy(x, y, a):\n    os._exit(4)\n", 3, "status 4"),
        ("import time\n\n\ndef saxpy(x, y, a):\n    time.sleep(60)\n", 3, "The reference did not answer within 3 s"),
    ],
)
def test_a_faulty_reference_is_blamed_and_not_the_kernel(tmp_path: Path, reference: str, code: int, words: str) -> None:
    make_project(tmp_path, toml=SHORT, reference=reference)
    done = ledger("run", tmp_path, "--trust", "--json")
    assert done.code == code, done.err
    assert words in done.sentence
    assert not any(gate["status"] == "failed" for record in done.document["run"]["passes"] for gate in record["gates"])


def test_a_reference_that_prints_changes_nothing(tmp_path: Path) -> None:
    shouting = REFERENCE.replace("    return", "    print('hello' * 1000, flush=True)\n    return")
    make_project(tmp_path, toml=QUICK, reference=shouting)
    done = ledger("run", tmp_path, "--trust", "--json")
    assert (done.code, done.document["exit_code"]) == (0, 0)


def test_the_text_form_names_every_gate_and_the_line(tmp_path: Path) -> None:
    make_project(tmp_path, SAXPY.replace("i < n", "i < n + 1"), QUICK)
    done = ledger("run", tmp_path, "--trust")
    assert done.code == 1
    assert "kernel.cu:5: error:" in done.out
    assert "OutOfBounds" in done.out
    assert max(map(len, done.err.splitlines())) == len(done.sentence)


def test_names_with_brackets_and_other_markup_are_printed_as_they_are(walked: Walked) -> None:
    candidate = walked.folder / "marked.cu"
    candidate.write_text("// [/bold] [red]\n" + SAXPY, encoding="utf-8")
    done = ledger(
        "run", walked.folder, "--source", candidate, "--name", "[/bold] :smile: [red]x", "--session", walked.folder / "b.db"
    )
    assert done.code == 0, done.err
    assert "[/bold] :smile: [red]x" in done.out


def test_the_same_seed_gives_the_same_cases(tmp_path: Path) -> None:
    make_project(tmp_path, toml=QUICK)
    found = [
        [
            (case["sizes"], case["distribution"], case["seed"], case["worst"])
            for case in ledger("run", tmp_path, "--trust", "--json", "--seed", seed).document["run"]["passes"][1]["verify"][
                "cases"
            ]
        ]
        for seed in (5, 5, 6)
    ]
    assert found[0] == found[1]
    assert found[0] != found[2]


@pytest.mark.parametrize(
    "content",
    [
        b"// gr\xf6\xdfe\r\n" + SAXPY.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + SAXPY.replace("\n", "\r\n").encode(),
        "// größe\n".encode() + SAXPY.rstrip("\n").encode(),
    ],
    ids=["latin-1 and CRLF", "BOM and CRLF", "UTF-8 without a last line end"],
)
def test_a_source_is_kept_byte_for_byte_and_edited_in_its_own_form(tmp_path: Path, content: bytes) -> None:
    project = make_project(tmp_path, toml=QUICK)
    (project.folder / "kernel.cu").write_bytes(content)
    done = ledger("run", tmp_path, "--trust", "--json")
    assert done.code == 0, done.err
    store = open_session(tmp_path / ".ledger" / "session.db", False)
    assert store.versions()[0].code.source.to_bytes() == content
    store.close()
    assert ledger("source", tmp_path / ".ledger" / "session.db", "baseline", "-o", tmp_path / "out.cu").code == 0
    assert (tmp_path / "out.cu").read_bytes() == content
    answer = tmp_path / "answer.md"
    answer.write_text("<<<<<<< SEARCH\n    if (i < n) {\n=======\n    if (i < n && true) {\n>>>>>>> REPLACE\n", encoding="utf-8")
    assert ledger("apply", answer, "--to", tmp_path / "kernel.cu").code == 0
    assert (tmp_path / "kernel.cu").read_bytes() == content.replace(b"i < n)", b"i < n && true)")


def test_a_source_with_host_code_runs_its_kernel(tmp_path: Path) -> None:
    host = (
        "#include <cstdio>\n#include <iostream>\n" + SAXPY + "int main() { saxpy<<<1, 1>>>(0, 0, 0, 1.f, 0); std::cout << 1; }\n"
    )
    done = run_kernel(tmp_path / "ядро カーネル ü 'final' (v2)", host)
    assert done.code == 0, done.err


def test_a_baseline_that_does_not_compile_is_told_before_a_candidate_is_compared(tmp_path: Path) -> None:
    make_project(tmp_path, SAXPY.replace("out[i] =", "out[i] = undeclared +"), QUICK)
    good = tmp_path / "good.cu"
    good.write_text(SAXPY, encoding="utf-8")
    done = ledger("run", tmp_path, "--trust", "--source", good)
    assert done.code == 2
    assert "baseline" in done.sentence
    assert "undeclared" in done.sentence
