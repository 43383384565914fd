"""What the user sees running: each job is a task with progress, an end and a cancel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

import msgspec

from workbench import units
from workbench.commands.context import Progress
from workbench.errors import JobStopped, LedgerError
from workbench.state.workspace import KEPT_LINES, Job, LogLine, Workspace
from workbench.texts import Message, message

T = TypeVar("T")
KEPT_JOBS = 20
QUIET_SECONDS = 0.05
"""Steps that follow one another faster than this are shown together: a timed round is shorter than a frame."""


def _succeeded(_: object) -> None:
    return None


class Jobs:
    """Starts jobs and keeps the workspace's list of them true."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._tasks: dict[int, asyncio.Task[object]] = {}
        self._next = 1

    async def run(
        self, title: Message, work: Callable[[Progress], Awaitable[T]], why_failed: Callable[[T], Message | None] = _succeeded
    ) -> T:
        """Run `work` as a job and return its result; the job failed where `why_failed` of the result is a sentence.

        Raises what `work` raises; cancelling ends it as *cancelled*.
        """
        number = self._next
        self._next += 1
        started = time.monotonic()
        job = Job(number, title, message("Starting"))
        self._put(job)
        task = asyncio.ensure_future(work(self._progress(number, started)))
        self._tasks[number] = task
        try:
            result = await task
        except asyncio.CancelledError:
            self._end(number, started, "cancelled", message("Stopped; what had ended is kept."))
            if _cancelled_outside(task):
                raise
            raise JobStopped(title) from None
        except LedgerError as error:
            self._end(number, started, "failed", error.message)
            raise
        except BaseException:
            self._end(number, started, "failed", message("A fault in the program ended this job; the log has its traceback."))
            raise
        finally:
            self._tasks.pop(number, None)
        reason = why_failed(result)
        self._end(number, started, "finished" if reason is None else "failed", reason)
        return result

    def cancel(self, number: int) -> None:
        """End a job; one that has ended is left as it is."""
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()

    async def cancel_all(self) -> None:
        """End every job and wait until each has."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def log(self, text: Message, level: str = "info", detail: str = "") -> None:
        """Add one line to the log."""
        line = msgspec.convert(
            {"time": datetime.now().strftime("%H:%M:%S"), "level": level, "message": text, "detail": detail},
            LogLine,
            from_attributes=True,
        )
        self._workspace.log.set((*self._workspace.log.value, line)[-KEPT_LINES:])

    def _put(self, job: Job) -> None:
        others = tuple(other for other in self._workspace.jobs.value if other.id != job.id)
        self._workspace.jobs.set((*others, job)[-KEPT_JOBS:])

    def _get(self, number: int) -> Job | None:
        return next((job for job in self._workspace.jobs.value if job.id == number), None)

    def _progress(self, number: int, started: float) -> Progress:
        shown = 0.0

        def show(step: Message, done: int, total: int) -> None:
            nonlocal shown
            now = time.monotonic()
            job = self._get(number)
            if job is None or (now - shown < QUIET_SECONDS and done != total and step.text == job.step.text):
                return
            shown = now
            self._put(msgspec.structs.replace(job, step=step, done=done, total=total, seconds=now - started))

        return show

    def _end(self, number: int, started: float, status: str, outcome: Message | None) -> None:
        job, seconds = self._get(number), time.monotonic() - started
        if job is None:
            return
        self._put(msgspec.structs.replace(job, status=status, outcome=outcome, seconds=seconds))
        if status == "finished":  # why another one ended is told where that is known
            self.log(message("{job}: finished after {time}.", job=str(job.title), time=units.duration(seconds)))


def _cancelled_outside(task: asyncio.Task[object]) -> bool:
    """Tell a cancelled caller from a cancelled job: only the job's own task was ended by `cancel`."""
    current = asyncio.current_task()
    return current is not None and current.cancelling() > 0
