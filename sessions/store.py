"""One open session: versions, runs, suggestions and traces, every step committed before the method returns.

A connection belongs to the thread that opened it (SQLite's rule): open, use and close a `Store` in one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, TypeVar, cast, overload

import msgspec
from sqlite_utils import Database
from sqlite_utils.db import Table

from sessions import opening, rows
from sessions.lock import WriterLock
from sessions.rows import Row
from sessions.tables import CHUNK, Tables
from workbench.errors import WrongInput
from workbench.model.device import Environment
from workbench.model.events import Trace
from workbench.model.project import Project
from workbench.model.run import PassRecord, Run
from workbench.model.suggestion import Suggestion
from workbench.model.version import Version
from workbench.texts import Message, message

T = TypeVar("T")
_LEDGER_PASSES = frozenset({"verify", "sanitize", "time", "trace", "access"})
_LISTED = 8
"""Version names given in a sentence about an unknown one."""


@dataclass(frozen=True, slots=True)
class RunHead:
    """A run without its passes' contents: what a list of ten thousand runs shows. Times in seconds."""

    id: int
    version: str
    device: str
    started: str
    finished: bool
    confirms: int | None


class RunList(Sequence[Run]):
    """Runs that are read from the file when somebody looks at them, in portions; length and ids cost nothing."""

    def __init__(self, ids: Sequence[int], load: Callable[[Sequence[int]], list[Run]]) -> None:
        self.ids = tuple(ids)
        self._load = load

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> RunList: ...
    def __getitem__(self, index: int | slice) -> Run | RunList:
        if isinstance(index, slice):
            return RunList(self.ids[index], self._load)
        return self._load([self.ids[index]])[0]

    def __iter__(self) -> Iterator[Run]:
        for start in range(0, len(self.ids), CHUNK):
            yield from self._load(self.ids[start : start + CHUNK])


class Store:
    """An open session file. Fulfils `workbench.commands.context.SessionStore`."""

    def __init__(self, path: Path, database: Database, lock: WriterLock | None, read_only: Message | None) -> None:
        self.path = path
        self.read_only = read_only
        self._lock = lock
        self.damage: Message | None = None
        self._database = database
        self._tables = Tables(database, path, self._damaged)
        self._cache: dict[int, Run] = {}
        self._environments: dict[str, Environment] = {}
        self._newest: dict[int, list[Row]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a session written to is left without its write-ahead log. Closing twice is fine."""
        opening.close_file(self._database, self._lock)
        self._lock = None

    # --- state of the file -----------------------------------------------------------------------------------------

    def _damaged(self) -> None:
        self.damage = self.read_only = self._tables.damage.sentence(self.path)

    def expect_damage(self) -> None:
        """Read what can be saved, row by row, from now on."""
        self._tables.expect_damage()

    def _decoded(self, table: str, records: Sequence[Row], read: Callable[[Row], T]) -> list[T]:
        """Return the values of rows; a row whose content is broken is counted as lost."""
        values: list[T] = []
        for record in records:
            try:
                values.append(read(record))
            except (msgspec.MsgspecError, ValueError, TypeError, KeyError):
                self.expect_damage()
                self._tables.damage.broken(table, record["id"])
                self._damaged()
        return values

    def _insert(self, database: Database, table: str, record: Row) -> int:
        return cast(int, cast(Table, database[table]).insert(record).last_pk)

    def _must_write(self) -> None:
        if self.read_only is not None:
            raise WrongInput(self.read_only.text, **dict(self.read_only.arguments))

    def verify(self) -> tuple[Message, ...]:
        """Re-compute every version's hash and look for runs without a version; empty when all is as it was kept."""
        found = [
            message(
                "The source of {name} does not give the hash it was kept under; it was changed afterwards.", name=version.name
            )
            for version in self.versions()
            if version.code.hash != version.hash
        ]
        known = {version.hash for version in self.versions()}
        orphans = sum(head.version not in known for head in self.run_heads())
        if orphans:
            found.append(message("{count} runs belong to versions that are not in the session.", count=orphans))
        if self.damage is not None:
            found.append(self.damage)
        return tuple(found)

    # --- project and versions --------------------------------------------------------------------------------------

    def set_project(self, project: Project) -> None:
        """Keep the project's text (never its folder), so that the session can be read without it."""
        self._must_write()
        with self._tables.writing() as database:
            cast(Table, database["project"]).upsert(rows.project_row(project), pk="id")

    def project(self) -> Project | None:
        """Return the project as kept; its `folder` is empty."""
        found = self._decoded("project", self._tables.select("project"), rows.project_from)
        return found[0] if found else None

    def add_version(self, version: Version) -> Version:
        """Keep a version; one with the same hash is returned as it is already kept. Raises WrongInput for a taken name."""
        same = self._tables.select("versions", key="hash", values=[version.hash])
        kept = self._decoded("versions", same, rows.version_from)
        if kept:
            return kept[0]
        self._must_write()
        if self._tables.select("versions", ("name",), key="name", values=[version.name]):
            raise WrongInput("The session already has another version named {name}; choose another name.", name=version.name)
        with self._tables.writing() as database:
            self._insert(database, "versions", rows.version_row(version))
        return version

    def versions(self) -> Sequence[Version]:
        """Return all versions, oldest first."""
        return self._decoded("versions", self._tables.select("versions"), rows.version_from)

    def find_version(self, name_or_hash: str) -> Version:
        """Return a version by name or by a unique prefix of its hash. Raises WrongInput naming what is there."""
        heads = self._tables.select("versions", ("hash", "name"))
        found = [head for head in heads if head["name"] == name_or_hash]
        found = found or [head for head in heads if name_or_hash and head["hash"].startswith(name_or_hash.lower())]
        if len(found) == 1:
            return rows.version_from(self._tables.select("versions", key="hash", values=[found[0]["hash"]])[0])
        names = ", ".join(head["name"] for head in (found or heads)[:_LISTED]) or "—"
        if found:
            raise WrongInput(
                "{wanted} begins the hashes of more than one version ({names}); give more digits, or a name.",
                wanted=name_or_hash,
                names=names,
            )
        raise WrongInput(
            "The session has no version named {wanted}, and none whose hash begins so; it has {names}.",
            wanted=name_or_hash,
            names=names,
        )

    # --- runs ------------------------------------------------------------------------------------------------------

    def start_run(self, version: str, device: str, environment: Environment, seed: int, confirms: int | None = None) -> int:
        """Begin a run of the version with this hash and return its id."""
        self._must_write()
        record = {
            "version": version,
            "device": device,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "finished": 0,
            "seed": str(seed),
            "confirms": confirms,
            "environment": rows.to_json(environment),
        }
        self._newest.clear()
        with self._tables.writing() as database:
            return self._insert(database, "runs", record)

    def add_pass(self, run: int, record: PassRecord) -> None:
        """Keep one pass of a run, its timed rounds as rows of `samples`."""
        self._must_write()
        self._cache.pop(run, None)
        with self._tables.writing() as database:
            pass_id = self._insert(database, "passes", rows.pass_row(run, record))
            if record.time is not None:
                for sample in rows.sample_rows(pass_id, record.time):
                    self._insert(database, "samples", sample)

    def finish_run(self, run: int) -> None:
        """Mark a run as ended by itself."""
        self._must_write()
        self._cache.pop(run, None)
        with self._tables.writing() as database:
            database.execute("UPDATE runs SET finished = 1 WHERE id = ?", [run])

    def runs(self, version: str | None = None) -> Sequence[Run]:
        """Return runs with their passes, oldest first; each is read from the file when it is looked at."""
        ids = self._tables.select(
            "runs", ("id", "version"), key="version" if version else "", values=[version] if version else ()
        )
        return RunList([row["id"] for row in ids], self._load)

    def run_heads(self) -> Sequence[RunHead]:
        """Return all runs without their passes, oldest first: a list of 10,000 takes some tens of milliseconds."""
        columns = ("id", "version", "device", "started", "finished", "confirms")
        found = self._tables.select("runs", columns)
        return [RunHead(**{name: row[name] for name in columns} | {"finished": bool(row["finished"])}) for row in found]

    def latest_runs(self, keep: int = 3) -> Sequence[Run]:
        """Return what a ledger is made from, however many runs a session holds, oldest first.

        For each version on each device: the newest run, the newest that finished each pass (of the newest `keep`),
        and the runs that these confirm.
        """
        if keep not in self._newest or self._lock is None:  # another program may write what this one only reads
            self._newest[keep] = self._tables.newest_runs(keep)
        heads = self._newest[keep]
        passes = self._tables.select("passes", ("run", "name", "status"), key="run", values=[head["id"] for head in heads])
        finished: dict[int, set[str]] = {}
        for row in passes:
            if row["status"] == "finished" and row["name"] in _LEDGER_PASSES:
                finished.setdefault(row["run"], set()).add(row["name"])
        found: dict[tuple[str, str], set[str]] = {}
        chosen: set[int] = set()
        for head in heads:
            place, new = (head["version"], head["device"]), finished.get(head["id"], set())
            if place not in found or new - found[place]:
                chosen |= {run for run in (head["id"], head["confirms"]) if run is not None}
            found[place] = found.get(place, set()) | new
        return RunList(sorted(chosen), self._load)

    def _load(self, ids: Sequence[int]) -> list[Run]:
        wanted = [run_id for run_id in ids if run_id not in self._cache]
        fresh: dict[int, Run] = {}
        if wanted:
            passes = self._passes(wanted)
            found = self._tables.select("runs", key="id", values=wanted)
            for run in self._decoded("runs", found, lambda row: self._run(row, passes)):
                (self._cache if run.finished else fresh)[run.id] = run
        return [self._cache.get(run_id) or fresh[run_id] for run_id in ids if run_id in self._cache or run_id in fresh]

    def _run(self, row: Row, passes: dict[int, list[PassRecord]]) -> Run:
        return rows.run_from(row, passes.get(row["id"], []), self._environment(row["environment"]))

    def _passes(self, run_ids: Sequence[int]) -> dict[int, list[PassRecord]]:
        found = self._tables.select("passes", key="run", values=run_ids)
        timed = [row["id"] for row in found if row["kind"] == "time"]
        samples: dict[int, list[Row]] = {}
        for row in self._tables.select("samples", key="pass", values=timed):
            samples.setdefault(row["pass"], []).append(row)

        def read(row: Row) -> tuple[int, PassRecord]:
            environment = self._environment(row["environment"]) if row["environment"] else None
            return row["run"], rows.pass_from(row, samples.get(row["id"], []), environment)

        by_run: dict[int, list[PassRecord]] = {}
        for run, record in self._decoded("passes", found, read):
            by_run.setdefault(run, []).append(record)
        return by_run

    def _environment(self, text: str) -> Environment:
        """Return an environment; runs in one sitting mostly share theirs, so equal text is read once."""
        if text not in self._environments:
            self._environments[text] = rows.from_json(text, Environment)
        return self._environments[text]

    # --- traces ----------------------------------------------------------------------------------------------------

    def add_trace(self, run: int, side: str, trace: Trace) -> None:
        """Keep the events of one traced repeat; `side` is "a" (baseline) or "b". A later one replaces an earlier one."""
        self._must_write()
        with self._tables.writing() as database:
            database.execute("DELETE FROM traces WHERE run = ? AND side = ?", [run, side])
            self._insert(database, "traces", rows.trace_row(run, side, trace))

    def trace(self, run: int, side: str) -> Trace | None:
        """Return a kept trace."""
        found = [row for row in self._tables.select("traces", key="run", values=[run]) if row["side"] == side]
        traces = self._decoded("traces", found, rows.trace_from)
        return traces[0] if traces else None

    # --- suggestions -----------------------------------------------------------------------------------------------

    def add_suggestion(self, suggestion: Suggestion) -> Suggestion:
        """Keep a suggestion and return it with its id."""
        self._must_write()
        with self._tables.writing() as database:
            new_id = self._insert(database, "suggestions", rows.suggestion_row(suggestion))
        return msgspec.structs.replace(suggestion, id=new_id)

    def update_suggestion(self, suggestion: Suggestion) -> None:
        """Replace decision, accepted hunks and result of a kept suggestion."""
        self._must_write()
        change: dict[str, Any] = {
            name: rows.suggestion_row(suggestion)[name] for name in ("decision", "accepted_hunks", "result")
        }
        with self._tables.writing() as database:
            cast(Table, database["suggestions"]).update(suggestion.id, change)

    def suggestions(self) -> Sequence[Suggestion]:
        """Return all suggestions, oldest first."""
        return self._decoded("suggestions", self._tables.select("suggestions"), rows.suggestion_from)


def create(path: Path) -> Store:
    """Make an empty session at `path` (and its folder) and open it for writing. Raises WrongInput when a file stands there."""
    opening.make_file(path)
    return open_session(path)


def open_session(path: Path, *, write: bool = True) -> Store:
    """Open a session. Where it cannot be written, it opens for reading and `read_only` says why.

    Raises WrongInput in one sentence for a missing file, one that is no session, or one of a newer format.
    """
    opening.check_place(path)
    if not write:
        return _reading(path, message("The session {path} was opened for reading only.", path=str(path)))
    reason = opening.why_not_writable(path)
    if reason is not None:
        return _reading(path, reason)
    lock = WriterLock(path)
    try:
        if not lock.take():
            return _reading(path, opening.open_elsewhere(path))
        database = opening.connect_writing(path)
    except BaseException:
        lock.give_back()
        raise
    if database is None:
        lock.give_back()
        return _reading(path, message("The session {path} is damaged.", path=str(path)))
    return Store(path, database, lock, None)


def _reading(path: Path, reason: Message) -> Store:
    database = opening.connect_reading(path)
    try:
        damaged = opening.is_damaged(database, path)
    except BaseException:
        database.close()
        raise
    store = Store(path, database, None, reason)
    if damaged:
        store.expect_damage()
    return store
