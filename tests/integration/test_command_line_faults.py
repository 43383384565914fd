"""Bad input, missing things, and programs that are stopped: one sentence, the promised code, nothing lost, nobody left behind."""

from __future__ import annotations

import importlib.util
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_line import PROGRAM, QUICK, Started, Walked, alive_after, environment, ledger
from tests.helpers.projects import SAXPY, make_project
from workbench.engine import open_session
from workbench.worker.arena import OWNER, Arena, remove_left_over

HANG = SAXPY.replace("out[i] = a * x[i] + y[i];", "volatile float* p = out; while (p[0] != 1234.5f) { }")


def copy_session(walked: Walked, folder: Path) -> Path:
    return Path(shutil.copy(walked.session, folder / "session.db"))


# --- words on the command line -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "{}/none"), "kernel-ledger new"),
        (("run", "{}/empty"), "ledger.toml"),
        (("run", "{}/broken"), "line 2"),
        (("run", "{}/good", "--source", "{}/none.cu"), "none.cu"),
        (("run", "{}/good", "--source", "{}/empty"), "cannot be read"),
        (("run", "{}/good"), "reference.py"),
        (("run", "{}/good", "--rounds", "0"), "--rounds is 0; a whole number from 1 to 100000 was expected."),
        (("run", "{}/good", "--seed", "abc"), "--seed is abc; a whole number from 0 to 9223372036854775807 was expected."),
        (("run", "{}/good", "--sede", "1"), "? See: kernel-ledger run --help"),
        (("run", "{}/good/kernel.cu"), "`kernel-ledger new FOLDER` makes one"),
        (("rnu", "{}/good"), "did you mean run?"),
        (("report", "{}/session.db", "-o", "{}/missing/folder/x.pdf"), "there is no folder {}/missing/folder"),
        (("compare", "{}/session.db", "baseline", "baseline"), "A and B are the same version, baseline"),
        (("run", "{}/good", "--trust", "--device", "nonsense:7"), "emulator"),
        (("run", "{}/good", "--trust", "--parent", "nobody", "--source", "{}/good/other.cu"), "nobody"),
        (("run",), "PROJECT"),
        (("ledger", "{}/none.db"), "no session"),
        (("ledger", "{}/empty"), "no session"),
        (("ledger", "{}/good/kernel.cu"), "not a kernel ledger session"),
        (("apply", "{}/none.md", "--to", "{}/good/kernel.cu"), "none.md"),
        (("suggest", "{}/good", "--advisor", "nobody"), "clipboard"),
        (("nonsense",), "no command"),
        (("new", "{}/good/kernel.cu"), "is a file"),
    ],
)
def test_wrong_use_and_input_is_one_sentence_and_code_2(
    tmp_path: Path, walked: Walked, words: tuple[str, ...], said: str
) -> None:
    copy_session(walked, tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "ledger.toml").write_text("[project]\n= 3\n", encoding="utf-8")
    make_project(tmp_path / "good", toml=QUICK)
    (tmp_path / "good" / "other.cu").write_text(SAXPY + "\n", encoding="utf-8")
    done = ledger(*(word.format(tmp_path) for word in words), "--json")
    assert done.code == 2, done.err
    assert said.format(tmp_path) in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert done.document == {"schema": 1, "error": done.sentence, "exit_code": 2}
    assert not (tmp_path / "missing").exists()


def test_no_display_no_gpu_and_no_compiler_are_code_3(tmp_path: Path) -> None:
    make_project(tmp_path, toml=QUICK)
    window = ledger(tmp_path)
    assert (window.code, "no display" in window.sentence) == (3, True)
    gpu = ledger("run", tmp_path, "--trust", "--device", "cuda:0", change={"CUDA_VISIBLE_DEVICES": ""})
    assert gpu.code == 3, gpu.err
    assert len(gpu.err.splitlines()) == 1
    if _has_ziglang():
        return
    bare = ledger("run", tmp_path, "--trust", "--json", change={"PATH": str(tmp_path), "CXX": None, "CUDA_VISIBLE_DEVICES": ""})
    assert (bare.code, bare.document["exit_code"]) == (3, 3)
    assert "g++" in bare.sentence


def _has_ziglang() -> bool:
    return importlib.util.find_spec("ziglang") is not None


def test_a_full_disk_behind_the_output_is_a_sentence(walked: Walked) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "ledger", str(walked.session)],
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith("The output could not be written")
    assert len(done.stderr.splitlines()) == 1


# --- sessions ------------------------------------------------------------------------------------------------------


def test_a_session_of_a_newer_format_is_refused_with_both_numbers(walked: Walked, tmp_path: Path) -> None:
    session = copy_session(walked, tmp_path)
    connection = sqlite3.connect(session)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for words in (("ledger", session), ("run", walked.folder, "--session", session)):
        done = ledger(*words)
        assert done.code == 2
        assert "format 99" in done.sentence


def test_a_damaged_session_shows_what_can_be_saved_and_is_not_written(walked: Walked, tmp_path: Path) -> None:
    session = copy_session(walked, tmp_path)
    connection = sqlite3.connect(session)
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'passes'").fetchone()[0]
    page = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    content = bytearray(session.read_bytes())
    content[(root - 1) * page : root * page] = bytes([7]) * page
    session.write_bytes(content)
    read = ledger("ledger", session)
    assert "damaged" in read.err
    assert "Traceback" not in read.err
    run = ledger("run", walked.folder, "--session", session)
    assert (run.code, "damaged" in run.sentence) == (2, True)
    assert session.read_bytes() == content


def test_a_session_whose_runs_are_all_destroyed_is_damaged_to_every_command(walked: Walked, tmp_path: Path) -> None:
    session = copy_session(walked, tmp_path)
    content = bytearray(session.read_bytes())
    content[8192 : 8192 + 61440] = b"\x5a" * 61440
    session.write_bytes(content)
    before = sorted(tmp_path.iterdir())
    for words in (
        ("ledger", session),
        ("account", session),
        ("report", session, "-o", tmp_path / "ledger.md"),
        ("run", walked.folder, "--session", session),
    ):
        done = ledger(*words)
        assert (done.code, "is damaged" in done.sentence, "no runs" in done.err) == (2, True, False)
    assert sorted(tmp_path.iterdir()) == before
    assert session.read_bytes() == content


def test_a_read_only_session_is_shown_and_not_written(walked: Walked, tmp_path: Path) -> None:
    session = copy_session(walked, tmp_path)
    session.chmod(0o444)
    assert ledger("ledger", session).code == 0
    done = ledger("run", walked.folder, "--session", session, "--json")
    assert (done.code, done.document["exit_code"]) == (2, 2)
    assert done.sentence.startswith("Read-only: the file or its folder may only be read")


def test_when_the_disk_takes_no_more_no_half_session_is_left(walked: Walked, tmp_path: Path) -> None:
    session = tmp_path / "session.db"
    full = (
        sys.executable, "-c",
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)); from workbench.cli import main; main()",
    )  # fmt: skip
    done = ledger("run", walked.folder, "--session", session, program=full)
    assert done.code == 2, done.err
    assert "could not be written" in done.sentence
    assert not session.exists()


# --- stopped and killed programs -----------------------------------------------------------------------------------


def start_hanging_candidate(folder: Path) -> Started:
    make_project(folder, toml=QUICK + "[limits]\nlaunch = 300\n")
    hang = folder / "hang.cu"
    hang.write_text(HANG, encoding="utf-8")
    started = Started(folder, "run", folder, "--trust", "--source", hang, "--name", "hanging", "--json")
    started.wait_for("Verifying hanging")
    started.wait_for_kernel()
    return started


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl+C", "kill"])
def test_a_stopped_run_keeps_what_had_ended_and_leaves_nobody(tmp_path: Path, number: signal.Signals) -> None:
    started = start_hanging_candidate(tmp_path)
    children = started.wait_for_children(2)
    second = ledger("run", tmp_path, "--json")
    assert (second.code, "open for writing" in second.sentence) == (2, True)
    arenas = [Path(child.cwd()) for child in children]
    done = started.end(number)
    assert done.code == 3
    assert done.sentence.startswith("Stopped")
    assert done.document == {"schema": 1, "error": done.sentence, "exit_code": 3}
    assert not alive_after(children)
    assert not any(arena.exists() for arena in arenas)
    store = open_session(tmp_path / ".ledger" / "session.db", True)
    assert store.read_only is None
    runs = store.runs()
    assert [record.name for record in runs[0].passes] == ["compile", "verify", "sanitize", "time", "trace"]
    assert [record.name for record in runs[1].passes] == ["compile"]
    assert not runs[1].finished
    store.close()


def test_a_killed_program_leaves_no_worker_and_no_arena(tmp_path: Path) -> None:
    started = start_hanging_candidate(tmp_path)
    children = started.wait_for_children(2)
    arenas = [Path(child.cwd()) for child in children]
    started.end(signal.SIGKILL)
    assert not alive_after(children)
    assert not any(arena.exists() for arena in arenas)
    assert ledger("ledger", tmp_path).code == 0


def test_a_killed_worker_is_a_sentence_and_the_session_stays_whole(tmp_path: Path) -> None:
    started = start_hanging_candidate(tmp_path)
    worker = next(child for child in started.wait_for_children(2) if "workbench.worker" in child.cmdline())
    worker.kill()
    code = started.process.wait(60)
    done = started.end(signal.SIGCONT)
    assert code == 3
    assert "SIGKILL" in done.sentence
    assert done.document["run"]["passes"][1]["failure"]["kind"] == "Crashed"


def test_an_arena_whose_program_was_killed_is_removed_and_a_living_one_is_not() -> None:
    living = Arena()
    place = living.path.parent
    left = place / "kernel-ledger-left-behind-by-a-test"
    left.mkdir(exist_ok=True)
    (left / OWNER).touch()
    remove_left_over(place, young=3600.0)
    assert left.exists()
    remove_left_over(place, young=-1.0)
    assert not left.exists()
    assert living.path.exists()
    living.remove()
    assert not living.path.exists()


# --- names and terminals -------------------------------------------------------------------------------------------


def test_a_terminal_without_the_signs_and_names_that_are_no_utf8(walked: Walked, tmp_path: Path) -> None:
    plain = ledger("ledger", walked.session, change={"PYTHONIOENCODING": "ascii"})
    assert plain.code == 0, plain.err
    assert plain.out.isascii()
    strange = tmp_path / "\udcff\udcfe"
    strange.mkdir()
    shutil.copytree(walked.folder, strange, dirs_exist_ok=True)
    refused = ledger("run", strange, "--trust", "--json")
    assert (refused.code, "not UTF-8" in refused.sentence) == (2, True)
    assert ledger("ledger", strange / ".ledger" / "session.db", "--json").code == 0


def test_a_source_that_is_kept_already_keeps_its_name_and_says_so(walked: Walked, tmp_path: Path) -> None:
    session = copy_session(walked, tmp_path)
    done = ledger("run", walked.folder, "--session", session, "--name", "other", "--json")
    assert (done.code, done.document["name"]) == (0, "baseline")
    assert "already has this source as baseline" in done.err
