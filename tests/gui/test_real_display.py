"""`kernel-ledger FOLDER` as a process of its own on a real X server: it paints, and Ctrl+C and SIGTERM end it in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest

from tests.helpers.projects import make_project
from tests.helpers.x_server import HEIGHT, WIDTH, XServer, is_there, x_server
from ui import theme

pytestmark = pytest.mark.skipif(not is_there(), reason="Xvfb is not installed: apt-get install xvfb")
PATIENCE = 90.0


def _start(server: XServer, project: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"DISPLAY": server.display, "QT_QPA_PLATFORM": "xcb"}
    return subprocess.Popen(
        [sys.executable, "-m", "ui", str(project)], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _until(shown: Callable[[], object], program: subprocess.Popen[str], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not shown():
        assert program.poll() is None, f"the program ended with {program.returncode}: {program.communicate()[0]}"
        if time.monotonic() > deadline:
            program.kill()
            raise AssertionError(f"not shown: {what}; the program said {program.communicate()[0]}")
        time.sleep(0.05)


def _grounds() -> set[int]:
    """Return the page's colour in either theme as 0xRRGGBB."""
    return {theme.load(name).color("page").rgb() & 0xFFFFFF for name in ("dark", "light")}


def _is_painted(server: XServer) -> bool:
    pixels = server.pixels()
    values, counts = np.unique(pixels, return_counts=True)
    page = sum(int(count) for value, count in zip(values, counts, strict=True) if int(value) in _grounds())
    return page > WIDTH * HEIGHT // 10 and len(values) > 100


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_window_in_order(how: signal.Signals, tmp_path: Path) -> None:
    project = make_project(tmp_path / "saxpy").folder
    session = project / ".ledger" / "session.db"
    with x_server(tmp_path) as server:
        program = _start(server, project)
        _until(lambda: _is_painted(server), program, "the window on the X server")
        _until(session.exists, program, "the project's session")
        _until(lambda: psutil.Process(program.pid).children(), program, "a warm worker")
        family = psutil.Process(program.pid).children(recursive=True)
        program.send_signal(how)
        said, _ = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, said
    assert said == ""
    gone, alive = psutil.wait_procs(family, timeout=10)
    assert not alive, f"still running: {alive}; ended: {gone}"
    assert not session.with_name("session.db-wal").exists(), "the session was not closed"
