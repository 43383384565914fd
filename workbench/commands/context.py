"""What the engine hands out to every command, and what a session and a pool of workers must be able to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.errors import NotTrusted
from workbench.model.device import Environment
from workbench.model.events import Trace
from workbench.model.project import Project
from workbench.model.run import PassRecord, Run
from workbench.model.suggestion import Suggestion
from workbench.model.version import Version
from workbench.settings import Settings, is_trusted, with_recent, with_trust
from workbench.texts import Message

if TYPE_CHECKING:  # who only reads a session needs neither
    from workbench.plugin_manager import PluginManager
    from workbench.worker.pool import Pool

Progress = Callable[[Message, int, int], None]
"""Called with the step, steps done, steps in all (0 is not known)."""


class SessionStore(Protocol):
    """One open session. Every method commits before it returns; a read-only one raises WrongInput on writing."""

    path: Path
    read_only: Message | None
    damage: Message | None
    """What could be read of a damaged file; it is then read-only for the same reason."""

    def set_project(self, project: Project) -> None:
        """Keep the project's text (never its folder), so that the session can be read without it."""

    def project(self) -> Project | None:
        """Return the project as kept; its `folder` is empty."""

    def add_version(self, version: Version) -> Version:
        """Keep a version; one with the same hash is returned as it is already kept."""

    def versions(self) -> Sequence[Version]:
        """Return all versions, oldest first."""

    def find_version(self, name_or_hash: str) -> Version:
        """Return a version by name or by a unique prefix of its hash. Raises WrongInput naming what is there."""

    def start_run(self, version: str, device: str, environment: Environment, seed: int, confirms: int | None = None) -> int:
        """Begin a run and return its id."""

    def add_pass(self, run: int, record: PassRecord) -> None:
        """Keep one pass of a run."""

    def finish_run(self, run: int) -> None:
        """Mark a run as ended by itself."""

    def runs(self, version: str | None = None) -> Sequence[Run]:
        """Return runs with their passes, oldest first."""

    def latest_runs(self) -> Sequence[Run]:
        """Return the newest runs of each version and device with those they confirm, oldest first: a ledger needs no more."""

    def add_trace(self, run: int, side: str, trace: Trace) -> None:
        """Keep the events of one traced repeat; `side` is "a" (baseline) or "b"."""

    def trace(self, run: int, side: str) -> Trace | None:
        """Return a kept trace."""

    def add_suggestion(self, suggestion: Suggestion) -> Suggestion:
        """Keep a suggestion and return it with its id."""

    def update_suggestion(self, suggestion: Suggestion) -> None:
        """Replace decision, accepted hunks and result of a kept suggestion."""

    def suggestions(self) -> Sequence[Suggestion]:
        """Return all suggestions, oldest first."""

    def close(self) -> None:
        """Close the file; a session written to is left without its write-ahead log."""


@dataclass
class Context:
    """The engine's things, as every command gets them."""

    plugins: PluginManager
    pool: Pool
    settings: Settings
    open_store: Callable[[Path, bool], SessionStore]
    """(path, write) -> session; made when it is not there and may be written."""
    save_settings: Callable[[Settings], None]

    def trust(self, project: Project) -> None:
        """Remember that the user lets this project's Python run."""
        self.settings = with_trust(self.settings, project.folder)
        self.save_settings(self.settings)

    def remember(self, session: Path) -> None:
        """Name a session among the recent ones."""
        self.settings = with_recent(self.settings, session.resolve())
        self.save_settings(self.settings)

    def check_trust(self, project: Project) -> None:
        """Raise NotTrusted when running this project would run Python the user has not allowed."""
        if project.runs_python and not is_trusted(self.settings, project.folder):
            files = sorted({spec.partition(":")[0] for spec in _python_files(project)})
            raise NotTrusted(project.folder, project.name, ", ".join(files))


def _python_files(project: Project) -> list[str]:
    pipeline = project.pipeline.python if project.pipeline else None
    return [spec for spec in (project.reference, project.inputs, pipeline) if spec]
