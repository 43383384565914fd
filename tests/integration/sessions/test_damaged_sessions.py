"""A session with destroyed pages or a missing end is told as damaged, never as empty, and what was read is truly counted."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from sessions import open_session
from sessions.damage import KEPT
from tests.helpers import sample_session as sample
from workbench.commands.read_ledger import ledger_of
from workbench.errors import WrongInput


@pytest.fixture
def session(tmp_path: Path) -> Path:
    sample.gpu_session(tmp_path).close()
    return tmp_path / "gpu.db"


def records(session: Path) -> dict[str, int]:
    connection = sqlite3.connect(session)
    found = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in KEPT}
    connection.close()
    return found


def first_page(session: Path, table: str) -> int:
    connection = sqlite3.connect(session)
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()[0]
    connection.close()
    return int(page) - 1


def destroy(session: Path, start: int, length: int) -> bytes:
    content = bytearray(session.read_bytes())
    content[start : start + length] = random.Random(1).randbytes(length)
    session.write_bytes(content)
    return bytes(content)


@pytest.mark.parametrize("write", [True, False])
def test_a_session_without_one_readable_run_is_damaged_and_not_empty(session: Path, write: bool) -> None:
    traces = records(session)["traces"]
    content = destroy(session, 8 * 1024, 60 * 1024)
    with open_session(session, write=write) as store:
        assert f"records that can be read: {traces}; how many are lost from project, versions, runs, " in str(store.read_only)
        with pytest.raises(WrongInput, match="is damaged and is shown without changing it") as failure:
            ledger_of(store)
        assert failure.value.exit_code == 2
        assert store.verify()
    assert session.read_bytes() == content
    assert [path.name for path in session.parent.iterdir()] == ["gpu.db"]


def test_a_session_of_which_no_record_can_be_read_says_so(session: Path) -> None:
    for table in KEPT:
        destroy(session, first_page(session, table) * 4096, 4096)
    with open_session(session) as store, pytest.raises(WrongInput, match="is damaged and none of its records can be read"):
        ledger_of(store)


def test_lost_records_are_counted_by_the_highest_number_given_out(session: Path) -> None:
    kept = records(session)
    destroy(session, first_page(session, "runs") * 4096, 4096)
    with open_session(session, write=False) as store:
        read = sum(kept.values()) - kept["runs"]
        said = f"(records that can be read: {read}, known to be lost: {kept['runs']}, incomplete: runs)"
        assert said in str(store.read_only)
        assert len(store.versions()) == kept["versions"]
        with pytest.raises(WrongInput, match="incomplete"):
            ledger_of(store)


def test_a_lost_index_loses_no_record_and_says_so(session: Path) -> None:
    kept = records(session)
    destroy(session, first_page(session, "samples_pass") * 4096, 4096)
    with open_session(session, write=False) as store:
        assert f"(records that can be read: {sum(kept.values())}, known to be lost: 0)" in str(store.read_only)
        assert ledger_of(store).device == "cuda:0"


def test_a_record_with_broken_content_is_counted_once_however_often_it_is_read(session: Path) -> None:
    kept = records(session)
    content = session.read_bytes()
    session.write_bytes(content.replace(b'{"compiler":"NVRTC 13.0","seconds"', b'{"compiler":"NVRTC 13.0",;seconds;', 1))
    with open_session(session) as store:
        for _ in range(3):
            list(store.runs())
        assert f"(records that can be read: {sum(kept.values()) - 1}, known to be lost: 1)" in str(store.read_only)


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("left", [30_000, 4096 * 7, 150])
def test_a_session_cut_short_is_told_with_both_sizes(session: Path, left: int, write: bool) -> None:
    content = session.read_bytes()
    session.write_bytes(content[:left])
    with pytest.raises(WrongInput, match=f"is cut short: {left} of its {len(content)} bytes are there"):
        open_session(session, write=write)
    assert session.read_bytes() == content[:left]
    assert [path.name for path in session.parent.iterdir()] == ["gpu.db"]


def test_a_session_with_a_destroyed_list_of_tables_is_told_with_sqlites_reason(session: Path) -> None:
    destroy(session, 100, 3996)
    with pytest.raises(WrongInput, match="is damaged at its very beginning"):
        open_session(session)


def test_a_session_of_a_healthy_file_knows_no_damage(session: Path) -> None:
    with open_session(session, write=False) as store:
        assert store.damage is None
