"""What is open, selected and going on now: the one place where pages and panels meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.model.device import DeviceInfo, GpuStatus
from workbench.model.failure import SourceLine
from workbench.model.ledger import Ledger
from workbench.model.project import Project
from workbench.model.run import Run
from workbench.model.suggestion import Suggestion
from workbench.model.version import Version
from workbench.state.observable import Observable
from workbench.texts import Message

KEPT_LINES = 500
"""Lines of the log."""


class Job(msgspec.Struct, frozen=True):
    """What the user sees running. `done`/`total` in steps; total 0 is not known."""

    id: int
    title: Message
    step: Message
    done: int = 0
    total: int = 0
    status: Literal["running", "finished", "failed", "cancelled"] = "running"
    outcome: Message | None = None
    seconds: float = 0.0


class LogLine(msgspec.Struct, frozen=True):
    """One line of the log panel; `time` is local HH:MM:SS."""

    time: str
    level: Literal["info", "warning", "error"]
    message: Message
    detail: str = ""


class SessionView(msgspec.Struct, frozen=True):
    """All that is shown of the open session, read in one go and replaced whole after each pass."""

    path: str
    project: Project | None
    versions: tuple[Version, ...] = ()
    runs: tuple[Run, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    ledger: Ledger | None = None
    ledgers: Mapping[str, Ledger] = {}
    """Device id -> ledger."""
    read_only: Message | None = None
    """Why nothing can be written, None when it can."""

    def version(self, digest: str | None) -> Version | None:
        """Return the version with this hash."""
        return next((version for version in self.versions if version.hash == digest), None)

    def latest_run(self, digest: str, device: str) -> Run | None:
        """Return the newest run of a version on a device."""
        return next((run for run in reversed(self.runs) if run.version == digest and run.device == device), None)


class Draft(msgspec.Struct, frozen=True):
    """The text in the editor: which version it started from, and whether it differs."""

    base: str | None
    text: str
    changed: bool = False
    marks: tuple[SourceLine, ...] = ()
    """Compile errors and detector findings at the lines where they stand in `text` now."""


class Workspace:
    """The observables. Widgets subscribe, commands set; nobody keeps a copy."""

    def __init__(self) -> None:
        self.session: Observable[SessionView | None] = Observable(None)
        self.selected: Observable[str | None] = Observable(None)
        """Hash of the version that proof, editor and account show."""
        self.compared: Observable[tuple[str | None, str | None]] = Observable((None, None))
        self.reviewed: Observable[int | None] = Observable(None)
        """Id of the suggestion in review."""
        self.draft: Observable[Draft | None] = Observable(None)
        self.devices: Observable[tuple[DeviceInfo, ...]] = Observable(())
        self.device: Observable[str] = Observable("emulator")
        self.jobs: Observable[tuple[Job, ...]] = Observable(())
        self.log: Observable[tuple[LogLine, ...]] = Observable(())
        self.gpu: Observable[tuple[GpuStatus, ...]] = Observable(())
        self.gpu_missing: Observable[Message | None] = Observable(None)
        self.worker: Observable[Message | None] = Observable(None)
