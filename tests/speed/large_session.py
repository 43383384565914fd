"""A SYNTHETIC session of 10,000 runs of 200 versions, made once and kept in the cache folder. Nothing in it was measured."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from sessions import create
from tests.helpers import sample_session
from workbench.model.version import Author, Version, make_version
from workbench.paths import cache_folder

RUNS, VERSIONS = 10_000, 200
_FORM = 2
"""Counts up when what is written here changes."""


def large_session() -> Path:
    """Return the file, made now if it is not there: this takes a minute or two."""
    path = cache_folder() / f"SYNTHETIC-{RUNS}-runs-{_FORM}.db"
    if not path.exists():
        half = path.with_name(f"half-{os.getpid()}.db")
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(half)
        half.replace(path)
    return path


def _versions() -> list[Version]:
    base = sample_session.sample_versions()[0]
    made: list[Version] = []
    for number in range(VERSIONS):
        source = base.code.source.with_text(f"{base.code.source.text}// synthetic version {number}\n")
        code = msgspec.structs.replace(base.code, source=source)
        parent = made[(number - 1) // 3].hash if made else None
        made.append(make_version(f"synthetic {number}", code, parent, Author("model"), "2026-01-01T00:00:00+00:00"))
    return made


def _write(path: Path) -> None:
    """Give every version fifty runs: the sample session's passes, with the hashes that they are about."""
    versions = _versions()
    tile = next(run for run in sample_session.gpu_runs() if run.version == sample_session.sample_versions()[2].hash)
    first = next(run for run in sample_session.gpu_runs() if run.version == sample_session.sample_versions()[0].hash)
    with create(path) as store, store._database.atomic():  # one commit, where the program makes one for each pass
        store.set_project(sample_session.sample_project())
        for version in versions:
            store.add_version(version)
        for number in range(RUNS):
            version = versions[number % VERSIONS]
            run = store.start_run(version.hash, "cuda:0", sample_session.gpu_environment(), number)
            for record in (first if version.parent is None else tile).passes:
                timing = record.time and msgspec.structs.replace(record.time, a_hash=versions[0].hash, b_hash=version.hash)
                trace = record.trace and msgspec.structs.replace(record.trace, a_hash=versions[0].hash, b_hash=version.hash)
                store.add_pass(run, msgspec.structs.replace(record, time=timing, trace=trace))
            store.finish_run(run)
