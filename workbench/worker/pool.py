"""The workers: one spare is kept warm for each device, so that a run does not wait for a new context."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Literal, NamedTuple

from workbench.errors import LedgerError, Unavailable
from workbench.model.device import DeviceInfo
from workbench.worker import protocol
from workbench.worker.client import CallFailed, Child, Role

OPEN_LIMIT = 120.0
State = Literal["none", "starting", "ready", "spare warm", "busy"]
PluginOf = Callable[[DeviceInfo], tuple[str, str]]
"""Device -> (plugin id, folder of a user's plugin or empty)."""


def _nobody() -> None:
    """Listen to nothing."""


def _is_there(task: asyncio.Task[Child]) -> bool:
    """Tell whether a start that is over gave a living child."""
    return not task.cancelled() and task.exception() is None and task.result().alive


class _Kind(NamedTuple):
    """What a child is started as."""

    role: Role
    interpreter: str | None
    stands_back: bool


def _child(kind: _Kind) -> Child:
    return Child(kind.role, kind.interpreter, stands_back=kind.stands_back)


class Worker:
    """A child with an open device."""

    def __init__(self, child: Child, opened: protocol.DeviceOpened) -> None:
        self.child = child
        self.opened = opened


class Pool:
    """Hands out workers and judges. Nothing it started outlives `close`."""

    def __init__(self, plugin_of: PluginOf) -> None:
        self._plugin_of = plugin_of
        self._spares: dict[str, asyncio.Task[Worker]] = {}
        """Open, and nobody used them yet."""
        self._idle: dict[str, Worker] = {}
        """Used before and sound."""
        self._foreseen: dict[_Kind, list[asyncio.Task[Child]]] = {}
        """Started, with no device open, for calls that will come."""
        self._out: set[Child] = set()
        self._turn = asyncio.Lock()
        self.behind_window = False
        """A window sets it: judges, and workers whose time is no claim, then run at a lower priority than it. A worker of a GPU
        never does: how soon it is served decides the gaps between launches and the host's stages, which are measured."""
        self.changed: Callable[[], None] = _nobody
        """Called on the loop whenever `state` may have changed; the window listens."""

    def state(self) -> State:
        """Return what the workers are doing, for the user to see."""
        if any(child.role == "device" for child in self._out):
            return "busy"
        if any(not task.done() for task in self._spares.values()):
            return "starting"
        if any(not task.cancelled() and task.exception() is None for task in self._spares.values()):
            return "spare warm"
        return "ready" if self._idle else "none"

    @contextlib.asynccontextmanager
    async def worker(self, device: DeviceInfo, *, fresh: bool = False, interpreter: str | None = None) -> AsyncIterator[Worker]:
        """Lend a worker with `device` open; it is kept for the next run while it is sound.

        `fresh` gives a process that nobody used and ends it afterwards (method section 2). Raises Unavailable.
        """
        worker = await self._take(device, fresh, interpreter)
        self._out.add(worker.child)
        self.changed()
        try:
            yield worker
        finally:
            self._out.discard(worker.child)
            if worker.child.alive and not fresh and interpreter is None and device.id not in self._idle:
                self._idle[device.id] = worker
            else:
                await worker.child.end()
            self.changed()

    async def _take(self, device: DeviceInfo, fresh: bool, interpreter: str | None) -> Worker:
        if interpreter is not None:
            return await self._open(device, interpreter)
        idle = None if fresh else self._idle.pop(device.id, None)
        if idle is not None and idle.child.alive:
            return idle
        spare = self._spares.pop(device.id, None)
        worker = await self._ready(spare) if spare is not None else None
        return worker or await self._open(device, None)

    def warm(self, device: DeviceInfo) -> None:
        """Start a spare for `device` in the background, unless there is one."""
        if device.id not in self._spares:
            task = asyncio.create_task(self._open(device, None))
            self._spares[device.id] = task
            task.add_done_callback(self._spare_is_there)
            self.changed()

    def _spare_is_there(self, _task: asyncio.Task[Worker]) -> None:
        self.changed()

    def foresee_workers(self, device: DeviceInfo, count: int) -> Sequence[asyncio.Task[Child]]:
        """Let `count` workers for `device` start side by side, with it not open yet; await what is returned to have them idle.

        Starting Python and NumPy takes longer than many kernels' rounds.
        """
        return self._foresee(self._kind_of_worker(device, None), count)

    def foresee_judges(self, interpreter: str | None = None, count: int = 1) -> Sequence[asyncio.Task[Child]]:
        """Let `count` judges start; await what is returned to have them idle."""
        return self._foresee(_Kind("judge", interpreter, self.behind_window), count)

    def _kind_of_worker(self, device: DeviceInfo, interpreter: str | None) -> _Kind:
        return _Kind("device", interpreter, self.behind_window and not device.books_gains)

    def _foresee(self, kind: _Kind, count: int) -> Sequence[asyncio.Task[Child]]:
        waiting = self._foreseen.setdefault(kind, [])
        waiting[:] = [task for task in waiting if not task.done() or _is_there(task)]
        waiting += [asyncio.create_task(_child(kind).start(self._turn)) for _ in range(count - len(waiting))]
        return tuple(waiting)

    async def _start(self, kind: _Kind) -> Child:
        waiting = self._foreseen.get(kind, [])
        while waiting:
            task = waiting[0]
            await asyncio.wait([task])
            if task in waiting:
                waiting.remove(task)
                if _is_there(task):
                    return task.result()
        return await _child(kind).start(self._turn)

    @contextlib.asynccontextmanager
    async def judge(self, interpreter: str | None) -> AsyncIterator[Child]:
        """Lend a fresh judge and end it afterwards."""
        child = await self._start(_Kind("judge", interpreter, self.behind_window))
        self._out.add(child)
        try:
            yield child
        finally:
            self._out.discard(child)
            await child.end()

    async def drop_spare(self, device: DeviceInfo) -> None:
        """End the spare of a device: in exclusive mode and while timing alone it would be another process."""
        spare = self._spares.pop(device.id, None)
        if spare is not None and (worker := await self._ready(spare)) is not None:
            await worker.child.end()

    @property
    def pids(self) -> tuple[int, ...]:
        """Our own processes, which are not *another process on the GPU*."""
        spares = [
            task.result() for task in self._spares.values() if task.done() and not task.cancelled() and not task.exception()
        ]
        children = (*self._out, *(worker.child for worker in (*spares, *self._idle.values())))
        return tuple(child.pid for child in children if child.pid is not None)

    async def close(self) -> None:
        """End everything."""
        for task in self._spares.values():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, LedgerError, CallFailed):
                await (await task).child.end()
        for child in (*self._out, *(worker.child for worker in self._idle.values())):
            await child.end()
        for waiting in self._foreseen.values():
            for started in waiting:
                started.cancel()
                with contextlib.suppress(asyncio.CancelledError, LedgerError):
                    await (await started).end()
        self._foreseen.clear()
        self._spares.clear()
        self._idle.clear()
        self._out.clear()

    async def _ready(self, spare: asyncio.Task[Worker]) -> Worker | None:
        try:
            worker = await asyncio.shield(spare)
        except (LedgerError, CallFailed):
            return None
        return worker if worker.child.alive else None

    async def _open(self, device: DeviceInfo, interpreter: str | None) -> Worker:
        plugin, folder = self._plugin_of(device)
        child = await self._start(self._kind_of_worker(device, interpreter))
        self._out.add(child)
        request = protocol.OpenDevice(plugin, device.id, folder)
        try:
            opened = await child.call(request, protocol.DeviceOpened, limit=OPEN_LIMIT, step="open")
        except CallFailed as error:
            await child.end()
            raise Unavailable(error.failure.message.text, **dict(error.failure.message.arguments)) from error
        finally:
            self._out.discard(child)
        return Worker(child, opened)
