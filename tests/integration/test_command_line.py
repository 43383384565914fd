"""The commands that read and edit: what they print, their JSON documents and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pypdf
import pytest

from tests.helpers.command_line import QUICK, Walked, ledger, python
from tests.helpers.openai_server import openai_server
from tests.helpers.projects import make_project
from workbench.cli import COMMANDS, cli

BASE = b"int a = 1;\nint b = 2;\nint c = 3;\n"
EXACT = "<<<<<<< SEARCH\nint b = 2;\n=======\nint b = 20;\n>>>>>>> REPLACE\n"


def test_help_names_every_command_and_all_four_exit_codes() -> None:
    done = ledger("--help")
    assert done.code == 0
    for word in COMMANDS:
        assert f"\n  {word} " in done.out
    for line in ("0  finished", "1  a wrong answer", "2  wrong use", "3  no result"):
        assert line in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    command = cli.get_command(None, name)  # type: ignore[arg-type]  # it needs no context
    assert command is not None
    assert command.help
    assert any("--json" in option.opts for option in command.params) == (name != "source"), "source prints a file's bytes"


def test_a_start_loads_no_more_than_it_needs() -> None:
    heavy = ("numpy", "rich", "scipy", "tree_sitter", "reportlab", "sqlite3", "tomlkit", "asyncio")
    code = f"import sys, workbench.cli.edit_commands\nprint([name for name in {heavy} if name in sys.modules])"
    assert python(code) == "[]"


def test_a_run_is_one_document_with_passes_gates_and_environment(walked: Walked) -> None:
    assert walked.run.code == 0, walked.run.err
    document = walked.run.document
    assert (document["schema"], document["name"], document["exit_code"]) == (1, "fused", 0)
    run = document["run"]
    assert [record["name"] for record in run["passes"]] == ["compile", "verify", "sanitize", "time", "trace"]
    assert all(record["status"] == "finished" for record in run["passes"])
    assert run["environment"]["device"]["id"] == "emulator"
    assert isinstance(run["seed"], int)


def test_a_log_has_one_line_for_each_pass_of_each_version(walked: Walked) -> None:
    lines = walked.run.err.splitlines()
    assert len(lines) <= 14, lines
    assert lines[0] == "Compiling baseline"
    assert sum("fused" in line for line in lines) == 4


def test_the_ledger_as_text_and_as_a_document(walked: Walked) -> None:
    text = ledger("ledger", walked.session)
    assert text.code == 0
    assert "baseline" in text.out
    assert "CPU TIME" in text.out
    found = ledger("ledger", walked.folder, "--json").document["ledger"]
    assert [line["name"] for line in found["lines"]] == ["baseline", "fused"]
    assert found["lines"][1]["speedup"]["value"] is None
    assert found["lines"][1]["hypothesis"] == "one instruction"


def test_the_account_as_text_and_as_a_document(walked: Walked) -> None:
    text = ledger("account", walked.session, "--version", "fused")
    assert (text.code, "Not attributed" in text.out) == (0, True)
    found = ledger("account", walked.session, "--json").document["account"]
    assert found["after_name"] == "fused"
    assert found["stages"]


def test_a_comparison_as_text_and_as_a_document(walked: Walked) -> None:
    text = ledger("compare", walked.session, "baseline", "fused")
    assert (text.code, "CPU time" in text.out) == (0, True)
    document = ledger("compare", walked.session, "baseline", "fused", "--json").document
    assert document["device"] == "emulator"
    assert document["comparison"]["verdict"] != "FASTER"
    by_hash = ledger("compare", walked.session, document["a"][:10], document["b"][:10], "--json").document
    assert by_hash["b"] == document["b"]


def test_an_unknown_version_is_wrong_input_and_named_once(walked: Walked) -> None:
    done = ledger("compare", walked.session, "baseline", "nope", "--json")
    assert done.code == 2
    assert done.document == {"schema": 1, "error": done.sentence, "exit_code": 2}
    assert "nope" in done.sentence
    assert "fused" in done.sentence


def test_the_report_in_four_forms(walked: Walked, tmp_path: Path) -> None:
    for ending in (".pdf", ".md", ".csv", ".json"):
        target = tmp_path / f"ledger{ending}"
        done = ledger("report", walked.session, "-o", target, "--json")
        assert (done.code, done.document["report"]) == (0, str(target))
    assert "fused" in pypdf.PdfReader(tmp_path / "ledger.pdf").pages[0].extract_text()
    assert "fused" in (tmp_path / "ledger.md").read_text(encoding="utf-8")
    assert "fused" in (tmp_path / "ledger.csv").read_text(encoding="utf-8-sig")
    json.loads((tmp_path / "ledger.json").read_text(encoding="utf-8"))
    refused = ledger("report", walked.session, "-o", tmp_path / "ledger.docx")
    assert (refused.code, ".pdf" in refused.sentence) == (2, True)


def test_the_sessions_that_were_opened_are_listed(walked: Walked) -> None:
    assert f"{walked.session}  2 versions, 2 runs\n" in ledger("sessions").out
    rows = ledger("sessions", "--json").document["sessions"]
    mine = next(row for row in rows if row["path"] == str(walked.session))
    assert (mine["versions"], mine["devices"]) == (2, ["emulator"])


def test_one_version_and_one_run_are_said_in_the_singular(tmp_path: Path) -> None:
    make_project(tmp_path, toml=QUICK)
    assert ledger("run", tmp_path, "--trust").code == 0
    assert f"{tmp_path / '.ledger' / 'session.db'}  1 version, 1 run\n" in ledger("sessions").out


def test_the_devices_are_listed_with_the_reason_why_not() -> None:
    assert "emulator" in ledger("devices").out
    found = {device["id"]: device for device in ledger("devices", "--json").document["devices"]}
    assert found["emulator"]["available"] is True
    assert all(device["available"] or device["reason"] for device in found.values())


def test_a_compiler_of_the_users_that_does_not_run_is_named_beside_the_device() -> None:
    assert "$CXX" not in ledger("devices", change={"CXX": None}).out
    named = {"CXX": "no-such-compiler"}
    assert "$CXX names “no-such-compiler”, which gave no version" in ledger("devices", change=named).out
    found = {device["id"]: device for device in ledger("devices", "--json", change=named).document["devices"]}
    assert (found["emulator"]["available"], "no-such-compiler" in found["emulator"]["remark"]) == (True, True)


def test_a_new_project_is_made_and_never_over_another(tmp_path: Path) -> None:
    done = ledger("new", tmp_path / "größe 1", "--json")
    assert (done.code, Path(done.document["project"]).is_file()) == (0, True)
    again = ledger("new", tmp_path / "größe 1")
    assert (again.code, "not empty" in again.sentence) == (2, True)


def test_the_prompt_is_printed_and_asks_nobody(walked: Walked) -> None:
    done = ledger("prompt", walked.folder, "--version", "baseline", "--json")
    assert done.code == 0
    assert done.document["version"] == "baseline"
    assert done.document["prompt"].strip() == ledger("prompt", walked.folder, "--version", "baseline").out.strip()
    assert "saxpy" in done.document["prompt"]


def test_a_model_is_asked_and_its_answer_is_kept_and_written(walked: Walked, tmp_path: Path) -> None:
    with openai_server() as server:
        change = {
            "KERNEL_LEDGER_OPENAI_BASE": server.base,
            "KERNEL_LEDGER_OPENAI_MODEL": "tiny",
            "KERNEL_LEDGER_OPENAI_KEY": "k-1",
        }
        target = tmp_path / "answer.md"
        done = ledger("suggest", walked.folder, "-o", target, "--json", change=change)
        assert done.code == 0, done.err
        kept = done.document["suggestion"]
        assert kept["hypothesis"] == "fewer loads."
        assert kept["input_tokens"] == 12
        assert target.read_text(encoding="utf-8") == kept["answer"]
        assert "k-1" not in done.out + done.err


def test_without_any_model_the_sentence_says_what_to_do(walked: Walked) -> None:
    nothing = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "KERNEL_LEDGER_OPENAI_BASE"))
    done = ledger("suggest", walked.folder, "--json", change=nothing)
    assert (done.code, done.document["exit_code"]) == (3, 3)
    assert "copy and paste" in done.sentence


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (EXACT, "applied", 0),
        (EXACT.replace("int b = 2;", "int  b=2;"), "needs-confirmation", 1),
        (EXACT.replace("int b = 2;", "entirely different words"), "refused", 1),
        (EXACT.replace("int b = 2;", "int b = 5;").replace("int b = 20;", "int b = 2;"), "already-applied", 0),
        (EXACT.replace("int b = 20;", "int b = 2;"), "no-change", 0),
    ],
)
def test_an_answer_is_applied_or_not_by_its_outcome(tmp_path: Path, answer: str, outcome: str, code: int) -> None:
    target, answered = tmp_path / "k.cu", tmp_path / "answer.md"
    target.write_bytes(BASE)
    answered.write_text(answer, encoding="utf-8")
    done = ledger("apply", answered, "--to", target, "--json")
    assert (done.document["outcome"], done.code) == (outcome, code)
    assert set(done.document) >= {"schema", "outcome", "notices", "hunks", "written"}
    assert target.read_bytes() == (BASE.replace(b"b = 2", b"b = 20") if outcome == "applied" else BASE)


def test_only_yes_writes_what_needs_confirmation(tmp_path: Path) -> None:
    target, answered = tmp_path / "k.cu", tmp_path / "answer.md"
    target.write_bytes(BASE)
    answered.write_text(EXACT.replace("int b = 2;", "int  b=2;"), encoding="utf-8")
    assert ledger("apply", answered, "--to", target).code == 1
    assert target.read_bytes() == BASE
    done = ledger("apply", answered, "--to", target, "--yes")
    assert (done.code, done.out.splitlines()[0]) == (0, "applied")
    assert target.read_bytes() == BASE.replace(b"b = 2", b"b = 20")


@pytest.mark.parametrize("hunks", ["x", "1;2", "7", "²"])
def test_hunks_that_are_not_there_are_wrong_use(tmp_path: Path, hunks: str) -> None:
    target, answered = tmp_path / "k.cu", tmp_path / "answer.md"
    target.write_bytes(BASE)
    answered.write_text(EXACT, encoding="utf-8")
    done = ledger("apply", answered, "--to", target, "--hunks", hunks)
    assert (done.code, done.out) == (2, "")
    assert target.read_bytes() == BASE
