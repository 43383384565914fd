"""The warm loop from an edit to its verdict: which share of it is neither compiling, verifying nor timing."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import ClassVar, TypeVar

from tests.helpers.projects import Bench, bench
from tests.speed.figures import Figure, hand_over, scratch
from tests.speed.stalls import demo_copy
from workbench.model.project_file import read_project
from workbench.worker import pool, protocol
from workbench.worker.client import Child, ProgressCall

T = TypeVar("T")
STEPS = ("compile", "verify", "time")
LIMIT = 30.0
REPEATS = 5


class Watched(Child):
    """A child whose calls are added up by their step: what a worker or the judge really does."""

    spent: ClassVar[dict[str, float]] = {}

    async def call(
        self, request: protocol.Request, kind: type[T], *, limit: float, step: str, progress: ProgressCall | None = None
    ) -> T:
        """Call, and add the seconds it took."""
        started = time.perf_counter()
        try:
            return await super().call(request, kind, limit=limit, step=step, progress=progress)
        finally:
            self.spent[step] = self.spent.get(step, 0.0) + time.perf_counter() - started


async def _once(desk: Bench, source: str, number: int) -> tuple[float, dict[str, float]]:
    """Run an edited source; return the seconds of the whole and of each step's calls."""
    Watched.spent.clear()
    started = time.perf_counter()
    run = await desk.run(f"{source}// edit {number} at {time.time_ns()}\n", "compile", "verify", "time", seed=number)
    assert run.failure is None, run.failure
    return time.perf_counter() - started, dict(Watched.spent)


async def _loops(folder: Path) -> list[Figure]:
    project = read_project(folder)
    source = (folder / project.kernel.source).read_text(encoding="utf-8")
    async with bench(project) as desk:
        await desk.run(None, "compile", "verify", "time")
        found = [await _once(desk, source, number) for number in range(REPEATS + 1)][1:]
    shares = tuple(100 * (1 - sum(spent.get(step, 0.0) for step in STEPS) / whole) for whole, spent in found)
    return [
        Figure("warm edit to verdict: share outside the calls that compile, verify and time", shares, "%", LIMIT, "emulator"),
        Figure("  the whole loop", tuple(whole for whole, _ in found), "s"),
        *(Figure(f"  of it: {step}", tuple(spent.get(step, 0.0) for _, spent in found), "s") for step in (*STEPS, "open")),
    ]


def main() -> None:
    """Measure on a fresh copy of the demo."""
    folder = demo_copy(scratch() / "loop")
    vars(pool)["Child"] = Watched
    hand_over(asyncio.run(_loops(folder)))


if __name__ == "__main__":
    main()
