"""Cold process start to the first paint of the window, on a real X server where there is one."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.x_server import is_there, x_server
from tests.speed.figures import Figure, environment, hand_over, repeated

LIMIT = 1.0
REPEATS = 7


@contextlib.contextmanager
def _display() -> Iterator[dict[str, str]]:
    if not is_there():
        yield {"QT_QPA_PLATFORM": "offscreen"}
        return
    with tempfile.TemporaryDirectory() as folder, x_server(Path(folder)) as server:
        yield {"QT_QPA_PLATFORM": "xcb", "DISPLAY": server.display}


def _paint(which: str, display: dict[str, str]) -> tuple[float, float]:
    """Return wall seconds and processor seconds until the first paint."""
    command = [sys.executable, "-m", "tests.speed.first_paint", which, repr(time.time())]
    done = subprocess.run(command, env=environment() | display, capture_output=True, text=True, check=True, timeout=120)
    wall, processor = done.stdout.split()
    return float(wall), float(processor)


def main() -> None:
    """Measure both windows in turn."""
    processor: list[float] = []
    with _display() as display:

        def once() -> float:
            wall, spent = _paint("program", display)
            processor.append(spent)
            return wall

        def peer() -> float:
            return _paint("bare", display)[0]

        ours, theirs = repeated(REPEATS, once), repeated(REPEATS, peer)
    where = f"on {'Xvfb' if display['QT_QPA_PLATFORM'] == 'xcb' else 'no display (offscreen)'}"
    hand_over([
        Figure("window on screen after start", ours, "s", LIMIT, where),
        Figure("  of it: processor time of the process", tuple(processor[1:]), "s"),
        Figure("  peer: Qt's own empty main window", theirs, "s", note=where),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
