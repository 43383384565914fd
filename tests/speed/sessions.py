"""Opening a SYNTHETIC session of 10,000 runs: on the command line and in the window, beside SQLite reading the same rows."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.helpers.visitor import Visitor
from tests.speed.figures import Figure, environment, hand_over, repeated
from tests.speed.large_session import RUNS, VERSIONS, large_session
from tests.speed.stalls import Heart
from ui.__main__ import Opened, make_application
from ui.main_window import MainWindow
from ui.tasks import run_application
from workbench.engine import engine

LIMIT = 1.0
REPEATS = 5


def _command(path: Path) -> float:
    started = time.perf_counter()
    command = [str(Path(sys.executable).with_name("kernel-ledger")), "ledger", str(path), "--json"]
    subprocess.run(command, env=environment(), stdout=subprocess.DEVNULL, check=True, timeout=120)
    return time.perf_counter() - started


def _bare(path: Path) -> float:
    """Read every run and pass without looking into them: what no program can be much quicker than."""
    started = time.perf_counter()
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        database.execute("SELECT * FROM runs").fetchall()
        database.execute("SELECT id, run, name, status, kernel_seconds FROM passes").fetchall()
    database.close()
    return time.perf_counter() - started


async def _in_window(user: Visitor, path: Path, other: Path) -> tuple[list[float], list[float]]:
    """Open the large session several times with a small one between; return seconds and the longest time the loop was away."""
    heart = Heart()
    seconds, away = [], []
    for number in range(REPEATS + 1):
        await user.window.bridge.commands.open_session(other)
        await asyncio.sleep(0.5)
        heart.taken()
        started = time.perf_counter()
        await user.window.bridge.commands.open_session(path)
        await user.until(lambda: len(user.rows()) == VERSIONS, "the versions of the large session")
        await asyncio.sleep(0)
        if number:
            seconds.append(time.perf_counter() - started)
            away.append(float(heart.taken()[1].max()))
    heart.stop()
    return seconds, away


def main() -> None:
    """Make the session once, then open it every way."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    path = large_session()
    command, bare = repeated(REPEATS, lambda: _command(path)), repeated(REPEATS, lambda: _bare(path))
    make_application()

    async def live() -> tuple[list[float], list[float]]:
        life = asyncio.ensure_future(Opened(None, False, None, True).live(engine))
        await asyncio.sleep(2)
        window = next(one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))
        try:
            return await _in_window(Visitor(window), path, small)
        finally:
            window.close()
            await life

    small = path.with_name("SYNTHETIC-empty.db")
    _make_empty(small)
    found = run_application(live)
    if found is None:
        sys.exit(1)
    title = f"a session of {RUNS:,} runs opens"
    hand_over([
        Figure(f"{title} in the window", tuple(found[0]), "s", LIMIT, f"{VERSIONS} versions, until they are listed"),
        Figure("  work of the loop without a pause, at most", tuple(found[1]), "ms"),
        Figure(f"{title}: kernel-ledger ledger, the whole process", command, "s", LIMIT, "with the start of Python"),
        Figure("  peer: SQLite alone reads the same rows", bare, "s"),
    ])  # fmt: skip


def _make_empty(path: Path) -> None:
    from sessions import create

    if not path.exists():
        create(path).close()


if __name__ == "__main__":
    main()
