"""What goes into a session comes out of it, and a person can read it with plain SQLite."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions import create, open_session, rows
from sessions.migrations import FORMAT
from tests.helpers import sample_session as sample
from workbench.analysis.access import newest_access
from workbench.errors import WrongInput
from workbench.model.source import SourceText, decode
from workbench.model.version import Author, Code, make_version

KEPT = Path(__file__).parents[2] / "data" / "sessions"


def test_a_reopened_session_gives_back_the_values_it_was_given(tmp_path: Path) -> None:
    sample.gpu_session(tmp_path).close()
    with open_session(tmp_path / "gpu.db") as store:
        assert store.read_only is None
        assert store.project() == sample.sample_project()
        assert tuple(store.versions()) == sample.sample_versions()
        kept = [
            msgspec.structs.replace(run, started=wanted.started)
            for run, wanted in zip(store.runs(), sample.gpu_runs(), strict=True)
        ]
        assert tuple(kept) == sample.gpu_runs()
        assert [msgspec.structs.replace(each, id=0) for each in store.suggestions()] == list(sample.sample_suggestions())
        assert store.verify() == ()


def test_a_closed_session_is_one_file_without_log_or_lock(tmp_path: Path) -> None:
    store = sample.emulator_session(tmp_path)
    assert (tmp_path / "emulator.db-wal").exists()
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["emulator.db"]


def test_a_trace_keeps_every_nanosecond(tmp_path: Path) -> None:
    with sample.gpu_session(tmp_path) as store:
        kept, given_trace = store.trace(1, "a"), sample.sample_trace(sample.BEFORE)
        assert kept is not None
        assert store.trace(1, "c") is None
        for column in ("start", "duration", "kind", "lane", "name"):
            assert np.array_equal(getattr(kept, column), getattr(given_trace, column))
        assert (kept.names, kept.lanes, kept.wall) == (given_trace.names, given_trace.lanes, given_trace.wall)


def test_a_suggestion_is_updated_in_place(tmp_path: Path) -> None:
    with sample.gpu_session(tmp_path) as store:
        waiting = store.suggestions()[1]
        store.update_suggestion(msgspec.structs.replace(waiting, decision="refused", accepted_hunks=()))
        assert [each.decision for each in store.suggestions()] == ["accepted", "refused"]


def test_the_project_folder_is_never_stored(tmp_path: Path) -> None:
    with create(tmp_path / "s.db") as store:
        store.set_project(msgspec.structs.replace(sample.sample_project(), folder=tmp_path))
        project = store.project()
    assert project is not None
    assert project.folder == Path()
    assert str(tmp_path).encode() not in (tmp_path / "s.db").read_bytes()


def test_runs_are_read_when_looked_at_and_newest_per_version_can_be_asked_for(tmp_path: Path) -> None:
    with sample.gpu_session(tmp_path) as store:
        tile = sample.sample_versions()[2].hash
        assert [run.id for run in store.runs(tile)] == [4, 5]
        assert [run.id for run in store.latest_runs(keep=1)] == [1, 2, 3, 4, 5]  # 5 confirms 4, so 4 comes along
        assert [head.finished for head in store.run_heads()] == [True] * 5
        assert [run.id for run in store.runs()[1:3]] == [2, 3]


def test_of_many_runs_those_that_decided_are_enough(tmp_path: Path) -> None:
    with sample.gpu_session(tmp_path) as store:
        tile, passes = sample.sample_versions()[2].hash, sample.gpu_runs()[4].passes
        for _ in range(3):
            again = store.start_run(tile, "cuda:0", sample.gpu_environment(), 1)
            for record in passes:
                store.add_pass(again, record)
        begun = store.start_run(tile, "cuda:0", sample.gpu_environment(), 1)
        newest = [run.id for run in store.latest_runs() if run.version == tile]
        assert newest == [again, begun], "the newest run, and the newest that was verified, timed and traced"


def test_an_access_analysis_is_still_there_after_a_newer_run_without_one(tmp_path: Path) -> None:
    with sample.emulator_session(tmp_path) as store:
        tile = sample.sample_versions()[2].hash
        analysed = newest_access(store.latest_runs())
        again = store.start_run(tile, "emulator", sample.emulator_environment(), 1)
        for record in sample.emulator_runs()[2].passes:
            if record.name != "access":
                store.add_pass(again, record)
        assert analysed is not None
        assert newest_access([run for run in store.latest_runs() if run.version == tile]) == analysed


def test_a_version_is_found_by_name_and_by_a_unique_prefix_of_its_hash(tmp_path: Path) -> None:
    with sample.gpu_session(tmp_path) as store:
        baseline = sample.sample_versions()[0]
        assert store.find_version("baseline") == baseline
        assert store.find_version(baseline.hash[:9].upper()) == baseline
        with pytest.raises(WrongInput, match="no version named tiles") as unknown:
            store.find_version("tiles")
        assert "tile prefetch" in str(unknown.value)


def test_a_prefix_that_fits_two_versions_is_refused_with_their_names(tmp_path: Path) -> None:
    with create(tmp_path / "s.db") as store:
        code = sample.sample_versions()[0].code
        for index in range(17):  # more versions than first digits
            source = code.source.with_text(code.source.text + "\n" * index)
            store.add_version(
                make_version(f"v{index}", msgspec.structs.replace(code, source=source), None, Author("person"), "2026")
            )
        first = [version.hash[0] for version in store.versions()]
        twice = next(digit for digit in first if first.count(digit) > 1)
        with pytest.raises(WrongInput, match="more than one version"):
            store.find_version(twice)


def test_the_same_content_is_kept_once_and_a_taken_name_is_refused(tmp_path: Path) -> None:
    with sample.gpu_session(tmp_path) as store:
        baseline, vector, *_ = sample.sample_versions()
        again = store.add_version(msgspec.structs.replace(baseline, name="another name"))
        assert again.name == "baseline"
        assert len(store.versions()) == 4
        other = msgspec.structs.replace(vector.code, entry="other")
        with pytest.raises(WrongInput, match="already has another version named baseline"):
            store.add_version(make_version("baseline", other, None, Author("person"), "2026"))


@settings(deadline=None)
@given(st.binary(max_size=200).filter(lambda content: b"\0" not in content))
def test_any_source_comes_back_byte_for_byte(content: bytes) -> None:
    code = Code(decode(content), "cuda", "k", sample.LAUNCH)
    version = make_version("v", code, None, Author("person"), "2026")
    assert rows.version_from(rows.version_row(version)) == version


def test_a_latin_1_source_with_only_ascii_left_keeps_its_encoding() -> None:
    code = Code(SourceText("int a;\r\n", "latin-1"), "cuda", "k", sample.LAUNCH)
    version = make_version("v", code, None, Author("person"), "2026")
    assert rows.version_from(rows.version_row(version)).code.source.encoding == "latin-1"


def test_plain_sqlite_shows_runs_rounds_and_gates_in_words(tmp_path: Path) -> None:
    sample.gpu_session(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "gpu.db")
    version, device, kernel_ms = connection.execute("SELECT version, device, kernel_ms FROM runs_view WHERE run = 4").fetchone()
    assert (version, device) == ("tile prefetch", "cuda:0")
    assert kernel_ms == pytest.approx(16.4, rel=0.01)
    assert connection.execute("SELECT count(*) FROM samples_view WHERE run = 4 AND side = 'version'").fetchone() == (100,)
    assert connection.execute("SELECT status FROM gates_view WHERE version = 'fast math'").fetchall() == [("failed",)]
    assert "__shared__" in connection.execute("SELECT source FROM versions_view WHERE name = 'tile prefetch'").fetchone()[0]
    assert json.loads(connection.execute("SELECT value FROM project").fetchone()[0])["name"] == "image-preprocess"
    connection.close()


def test_verify_names_a_version_whose_source_was_changed_behind_its_hash(tmp_path: Path) -> None:
    sample.gpu_session(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "gpu.db")
    with connection:
        connection.execute("UPDATE versions SET source = CAST('changed' AS BLOB) WHERE name = 'vector loads'")
    connection.close()
    with open_session(tmp_path / "gpu.db", write=False) as store:
        assert [str(each) for each in store.verify()] == [
            "The source of vector loads does not give the hash it was kept under; it was changed afterwards."
        ]


@pytest.mark.parametrize("number", range(1, FORMAT + 1))
def test_a_kept_file_of_every_format_opens_and_can_be_gone_on_with(tmp_path: Path, number: int) -> None:
    copy = tmp_path / "old.db"
    copy.write_bytes((KEPT / f"format-{number}.db").read_bytes())
    with open_session(copy) as store:
        assert [version.name for version in store.versions()] == ["baseline", "vector loads", "tile prefetch", "fast math"]
        assert len(list(store.runs())) == 4
        assert store.start_run(store.versions()[0].hash, "emulator", sample.emulator_environment(), 1) == 5
        assert store.verify() == ()
