"""`kernel-ledger demo` from end to end, as `make demo` runs it on a machine without a screen."""

from __future__ import annotations

import importlib.abc
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.helpers.command_line import ledger
from workbench.cli import open_window
from workbench.errors import Unavailable

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}


@pytest.mark.timeout(600)
def test_the_demo_leaves_session_ledgers_and_picture_and_says_what_to_do_next(tmp_path: Path) -> None:
    out = tmp_path / "Käthes Ergebnisse"
    done = ledger("demo", "--out", out, "--device", "emulator", "--no-window", change=NO_GPU, limit=500)
    assert done.code == 0, done.err
    written, following = done.out.strip().splitlines()[-2:]
    files = [out / name for name in ("ledger.pdf", "h200-ledger.pdf", "window.png")]
    assert written == f"Written: {', '.join(map(str, files))}."
    assert following.endswith(f"in the window: kernel-ledger '{out / 'session.db'}'")
    assert [path.read_bytes()[:4] for path in files] == [b"%PDF", b"%PDF", b"\x89PNG"]
    names = sqlite3.connect(out / "session.db").execute("SELECT name FROM versions ORDER BY rowid").fetchall()
    assert names == [("baseline",), ("vector loads",), ("shared-memory tile",)]


class _Breaking(importlib.abc.MetaPathFinder):
    """An installation whose window does not import."""

    def __init__(self, error: ImportError) -> None:
        self.error = error

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        """Raise for the window's module."""
        if name == "ui.__main__":
            raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ImportError("libEGL.so.1: cannot open shared object file: No such file or directory"), "system library libEGL.so.1"),
        (ModuleNotFoundError("No module named 'PySide6'", name="PySide6"), "The window needs PySide6"),
    ],
)
def test_what_the_window_lacks_is_named(monkeypatch: pytest.MonkeyPatch, error: ImportError, said: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delitem(sys.modules, "ui.__main__", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Breaking(error), *sys.meta_path])
    with pytest.raises(Unavailable, match=said):
        open_window(None, stay=False)


def test_a_mistake_of_our_own_is_not_called_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delitem(sys.modules, "ui.__main__", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Breaking(ImportError("cannot import name 'nonsense'")), *sys.meta_path])
    with pytest.raises(ImportError, match="nonsense"):
        open_window(None, stay=False)
