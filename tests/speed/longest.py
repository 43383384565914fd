"""Where the loop's longest turns of work go: `python -m tests.speed.longest` prints the stack of each. No budget: a tool."""

from __future__ import annotations

import asyncio
import collections
import operator
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QApplication

from tests.helpers.visitor import Visitor
from tests.speed.figures import scratch
from tests.speed.stalls import Heart, demo_copy, one_run
from ui.__main__ import Opened, make_application
from ui.main_window import MainWindow
from ui.tasks import run_application
from workbench.engine import engine

PAUSE = 0.001
LONG, LATE = 8.0, 25.0
"""Milliseconds of work between two beats, and of being away for whatever reason, that are worth a look."""
SHOWN, KINDS = 20, 5
RUNS = 6
ROOT = Path(__file__).parents[2]

Stack = tuple[str, ...]


class Turn(NamedTuple):
    """What the loop did between two beats."""

    run: int
    late: float
    worked: float
    seen: Sequence[Stack]


def _stack(thread: int) -> Stack:
    """Return where a thread is, the innermost place first: that one always, of the others those of this program."""
    frame, found = sys._current_frames().get(thread), list[str]()
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        own = (
            path.is_relative_to(ROOT / "ui") or path.is_relative_to(ROOT / "workbench") or path.is_relative_to(ROOT / "sessions")
        )
        if own or not found:
            found.append(f"{path.relative_to(ROOT) if own else path.name}:{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return tuple(found)


class Sampler(threading.Thread):
    """Keeps what Qt's thread does, a look every millisecond. It needs Python's lock, so it makes every turn a little longer."""

    def __init__(self) -> None:
        super().__init__(daemon=True, name="sampler")
        self.looks: collections.deque[tuple[float, Stack]] = collections.deque()
        self.done = threading.Event()
        self._watched = threading.get_ident()

    def run(self) -> None:
        """Look until `done`."""
        while not self.done.wait(PAUSE):
            self.looks.append((time.perf_counter(), _stack(self._watched)))


def _turns(run: int, heart: Heart, looks: collections.deque[tuple[float, Stack]]) -> list[Turn]:
    """Return the turns worth a look."""
    found = []
    for at, late, worked in zip(heart.at, heart.late, heart.worked, strict=True):
        seen = []
        while looks and looks[0][0] <= at:
            seen.append(looks.popleft()[1])
        if worked > LONG or late > LATE:
            found.append(Turn(run, late, worked, seen))
    return found


def _print(turn: Turn) -> None:
    print(f"\nrun {turn.run}: away {turn.late:.1f} ms, {turn.worked:.1f} ms of it work, {len(turn.seen)} looks")
    for stack, count in collections.Counter(turn.seen).most_common(KINDS):
        print(f"  {count} x " + " < ".join(stack))


async def _watch(user: Visitor) -> None:
    await user.until(lambda: user.rows() and user.window.actions_.action("run").isEnabled(), "a device to run on")
    await asyncio.sleep(3)
    heart, found = Heart(), list[Turn]()
    for number in range(RUNS):
        sampler = Sampler()
        sampler.start()
        await one_run(user, heart, number)
        sampler.done.set()
        sampler.join()
        found += _turns(number, heart, sampler.looks)
        heart.taken()
    heart.stop()
    for key, title in (("worked", "most work"), ("late", "longest away")):
        print(f"\n=== {title}")
        for turn in sorted(found, key=operator.attrgetter(key), reverse=True)[:SHOWN]:
            _print(turn)


def main() -> None:
    """Run the demo's kernel in the real window, without a display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()

    async def live() -> None:
        life = asyncio.ensure_future(Opened(demo_copy(scratch() / "longest"), True, None, True).live(engine))
        await asyncio.sleep(2)
        window = next(one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))
        try:
            await _watch(Visitor(window))
        finally:
            window.close()
            await life

    run_application(live)


if __name__ == "__main__":
    main()
