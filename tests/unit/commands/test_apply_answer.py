"""`apply` on real files: what is written, what is kept, and what happens when it cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbench.cli.edit_commands import apply
from workbench.commands.apply import apply_answer, write_in_place
from workbench.errors import WrongInput

BASE = b"int a = 1;\nint b = 2;\nint c = 3;\n"
EXACT = "<<<<<<< SEARCH\nint b = 2;\n=======\nint b = 20;\n>>>>>>> REPLACE\n"
LOOSE = EXACT.replace("int b = 2;", "int  b=2;")


def files(folder: Path, base: bytes, answer: str) -> tuple[Path, Path]:
    target, answered = folder / "k.cu", folder / "answer.md"
    target.write_bytes(base)
    answered.write_text(answer, encoding="utf-8")
    return answered, target


def test_an_exact_edit_is_written_and_permissions_are_kept(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    target.chmod(0o640)
    result = apply_answer(answer, target, None, yes=False)
    assert (result.outcome, result.written) == ("applied", True)
    assert target.read_bytes() == BASE.replace(b"b = 2", b"b = 20")
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answer.md", "k.cu"]


def test_nothing_that_needs_confirmation_is_written_without_yes(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, LOOSE)
    result = apply_answer(answer, target, None, yes=False)
    assert (result.outcome, result.written) == ("needs-confirmation", False)
    assert any("--yes" in notice for notice in result.notices)
    assert target.read_bytes() == BASE
    confirmed = apply_answer(answer, target, None, yes=True)
    assert (confirmed.outcome, confirmed.written) == ("applied", True)
    assert target.read_bytes() == BASE.replace(b"b = 2", b"b = 20")


def test_yes_does_not_force_a_refused_edit(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT + EXACT.replace("int b = 2;", "entirely different words"))
    result = apply_answer(answer, target, None, yes=True)
    assert (result.outcome, result.written) == ("refused", False)
    assert target.read_bytes() == BASE


def test_chosen_hunks_are_applied_and_the_rest_is_named(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT + EXACT.replace("int b = 2;", "entirely different words"))
    result = apply_answer(answer, target, [1], yes=False)
    assert result.outcome == "applied"
    assert "Left out: hunk 2." in result.notices
    with pytest.raises(WrongInput, match="no hunk"):
        apply_answer(answer, target, [7], yes=False)


@pytest.mark.parametrize(
    "base",
    [
        b"\xef\xbb\xbf" + BASE,
        BASE.replace(b"\n", b"\r\n"),
        b"// gr\xf6\xdfe\n" + BASE,
        BASE.rstrip(b"\n"),
        BASE.replace(b"1;\n", b"1;\r\n"),
    ],
)
def test_bom_encoding_and_line_ends_are_kept(tmp_path: Path, base: bytes) -> None:
    answer, target = files(tmp_path, base, EXACT)
    assert apply_answer(answer, target, None, yes=False).outcome == "applied"
    assert target.read_bytes() == base.replace(b"b = 2", b"b = 20")


def test_applying_twice_says_so_and_the_same_text_is_no_change(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    apply_answer(answer, target, None, yes=False)
    assert apply_answer(answer, target, None, yes=False).outcome == "already-applied"
    answer.write_text(f"```cuda\n{target.read_text()}```\n", encoding="utf-8")
    assert apply_answer(answer, target, None, yes=False).outcome in ("no-change", "refused")


def test_the_terminal_says_once_that_a_hunk_is_already_there(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    apply_answer(answer, target, None, yes=False)
    said = CliRunner().invoke(apply, [str(answer), "--to", str(target)]).output
    assert said.count("The file already has this change.") == 1
    assert "hunk 1: already-applied" in said


def test_a_hunk_that_was_left_out_still_says_why_it_does_not_fit(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT + EXACT.replace("int b = 2;", "entirely different words"))
    said = CliRunner().invoke(apply, [str(answer), "--to", str(target), "--hunks", "1"]).output
    assert said.split("hunk 2: refused\n")[1].strip()


def test_the_result_is_one_json_document(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    document = json.loads(json.dumps(apply_answer(answer, target, None, yes=False).to_json()))
    assert document["outcome"] == "applied"
    assert document["hunks"][0] | {"notices": []} == {
        "number": 1, "status": "applied", "chosen": True, "line": 2, "similarity": 1.0,
        "added": 1, "removed": 1, "title": "", "notices": [],
    }  # fmt: skip


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    link = tmp_path / "link.cu"
    link.symlink_to(target)
    apply_answer(answer, link, None, yes=False)
    assert link.is_symlink()
    assert b"b = 20" in target.read_bytes()


def test_a_read_only_file_is_left_alone_with_one_sentence(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    target.chmod(0o444)
    with pytest.raises(WrongInput, match="read-only"):
        apply_answer(answer, target, None, yes=False)
    assert target.read_bytes() == BASE


def test_missing_and_binary_files_are_named(tmp_path: Path) -> None:
    answer, target = files(tmp_path, BASE, EXACT)
    with pytest.raises(WrongInput, match="cannot be read"):
        apply_answer(tmp_path / "none.md", target, None, yes=False)
    target.write_bytes(b"\0\1\2")
    with pytest.raises(WrongInput, match="is no source: it is larger than 4 MiB or contains zero bytes"):
        apply_answer(answer, target, None, yes=False)


@pytest.mark.skipif(sys.platform == "win32", reason="limits on a file's size are POSIX")
def test_when_the_disk_takes_no_more_the_file_is_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "k.cu"
    target.write_bytes(BASE)
    code = (
        "import resource, sys; from pathlib import Path; from workbench.commands.apply import write_in_place\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))\n"
        "from workbench.errors import WrongInput\n"
        "try:\n    write_in_place(Path(sys.argv[1]), b'x' * 4096)\n"
        "except WrongInput as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code, str(target)], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout
    assert target.read_bytes() == BASE
    assert os.listdir(tmp_path) == ["k.cu"]


def test_writing_in_place_replaces_all_bytes(tmp_path: Path) -> None:
    target = tmp_path / "k.cu"
    target.write_bytes(BASE)
    write_in_place(target, b"short\n")
    assert target.read_bytes() == b"short\n"
