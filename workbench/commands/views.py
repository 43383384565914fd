"""Reads a session into what the window shows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from workbench.analysis.ledger import Reckoned, build_ledger
from workbench.commands.context import SessionStore
from workbench.commands.read_ledger import devices_of
from workbench.model.project import Project
from workbench.model.run import Run
from workbench.state.workspace import SessionView
from workbench.texts import Message, message
from workbench.worker.pool import State

PORTION = 10
"""Runs that are read in one turn of the loop: a hundredth of a second."""


WORKER_STATES: Mapping[State, Message] = {
    "none": message("No worker yet"),
    "starting": message("Worker starting"),
    "ready": message("Worker ready"),
    "spare warm": message("Worker ready, spare warm"),
    "busy": message("Worker busy"),
}
"""What the worker is doing, in the status line."""


class ViewReader:
    """Reads one session for the window again and again: what is shown of runs that have not changed is not made anew."""

    def __init__(self, store: SessionStore, project: Project | None) -> None:
        self._store = store
        self._project = project
        """The project on disk, None when only the session is there."""
        self._reckoned: dict[str, Reckoned] = {}

    async def open(self) -> SessionView:
        """Return the view for the first time: runs are read in portions, ledgers are made beside the loop."""
        runs, found = self._store.latest_runs(), list[Run]()
        for start in range(0, len(runs), PORTION):
            found += runs[start : start + PORTION]
            await asyncio.sleep(0)
        return await asyncio.to_thread(self._with_ledgers, self._read(found))

    def read(self) -> SessionView:
        """Return the view as the session is now."""
        return self._with_ledgers(self._read(self._store.latest_runs()))

    def _read(self, runs: Sequence[Run]) -> SessionView:
        """Return all that comes from the file."""
        return SessionView(
            path=str(self._store.path),
            project=self._project or self._store.project(),
            versions=tuple(self._store.versions()),
            runs=tuple(runs),
            suggestions=tuple(self._store.suggestions()),
            read_only=self._store.read_only,
        )

    def _with_ledgers(self, view: SessionView) -> SessionView:
        ledgers = {
            device: build_ledger(view.project, view.versions, view.runs, device, reckoned=self._reckoned.setdefault(device, {}))
            for device in devices_of(view.runs)
        }
        return msgspec.structs.replace(view, ledger=next(iter(ledgers.values()), None), ledgers=ledgers)


def read_view(store: SessionStore, project: Project | None) -> SessionView:
    """Return everything the window shows of a session. `project` is the one on disk, None when only the session is there."""
    return ViewReader(store, project).read()


def newest_pair(view: SessionView) -> tuple[str | None, str | None]:
    """Return the first and the newest version, which are compared when a session opens; None without versions."""
    if not view.versions:
        return None, None
    return view.versions[0].hash, view.versions[-1].hash
