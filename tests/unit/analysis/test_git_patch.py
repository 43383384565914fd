"""Patches that the real git takes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from workbench.analysis.git_patch import git_patch, git_patch_bytes
from workbench.errors import WrongInput
from workbench.model.source import SourceText, decode

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@needs_git
@pytest.mark.parametrize("path", ["k.cu", "kernels/with space.cu", "kernels/größe.cu"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\nd\r\n"),
        (b"a\nb", b"a\nb\nc"),
        (b"a\nb", b"a\nb\n"),
        (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfA\nb\n"),
        (b"// gr\xf6\xdfe\nb\n", b"// gr\xf6\xdfe\nb2\n"),
        (b"", b"a\nb\n"),
        (b"-- a\n++ b\n", b"++ a\n-- b\n"),
        (b"a\x0cb\n", b"a\x0cc\n"),
    ],
)
def test_git_apply_takes_the_patch_and_gives_the_new_bytes(tmp_path: Path, path: str, old: bytes, new: bytes) -> None:
    target = tmp_path / path
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(old)
    patch = tmp_path / "change.patch"
    patch.write_bytes(git_patch_bytes(decode(old), decode(new), path))
    done = subprocess.run(["git", "apply", "--whitespace=nowarn", str(patch)], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert target.read_bytes() == new


def test_no_change_is_an_empty_patch() -> None:
    assert git_patch(SourceText("a\n"), SourceText("a\n"), "k.cu") == ""


def test_a_patch_can_be_read() -> None:
    text = git_patch(SourceText("a\nb\n"), SourceText("a\nc\n"), "k.cu")
    assert text == "diff --git a/k.cu b/k.cu\n--- a/k.cu\n+++ b/k.cu\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../k.cu", "C:\\k.cu"])
def test_a_path_out_of_the_project_is_refused(path: str) -> None:
    with pytest.raises(WrongInput, match="leads out"):
        git_patch(SourceText("a\n"), SourceText("b\n"), path)
