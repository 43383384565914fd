"""Files that are no session, damaged, newer, read-only or open elsewhere; a full disk; a killed program."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions import create, open_session
from tests.helpers import sample_session as sample
from workbench.errors import WrongInput
from workbench.model.version import Author, make_version

ROOT = Path(__file__).parents[3]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    sample.gpu_session(tmp_path).close()
    return tmp_path / "gpu.db"


def child(text: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{text}", *arguments]


def test_a_missing_file_a_folder_and_a_taken_name_are_one_sentence_each(tmp_path: Path, session: Path) -> None:
    with pytest.raises(WrongInput, match="There is no session at"):
        open_session(tmp_path / "none.db")
    with pytest.raises(WrongInput, match="is a folder"):
        open_session(tmp_path)
    with pytest.raises(WrongInput, match="already stands at"):
        create(session)


@pytest.mark.parametrize("content", [b"", b"hello, no database\n" * 50, b"SQLite format 3\0" + b"\xff" * 4096])
def test_what_is_no_session_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "text.db"
    path.write_bytes(content)
    for write in (True, False):
        with pytest.raises(WrongInput, match="is not a kernel ledger session"):
            open_session(path, write=write)
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["text.db"]


def test_another_programs_sqlite_file_is_refused_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE versions (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(WrongInput, match="is not a kernel ledger session"):
        open_session(path)
    assert path.read_bytes() == before


def test_a_newer_format_is_refused_with_both_numbers(session: Path) -> None:
    connection = sqlite3.connect(session)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(WrongInput, match="has format 99 and this program reads formats up to 2"):
        open_session(session)


def test_a_second_writer_reads_only_and_says_why_and_the_first_goes_on(session: Path) -> None:
    with open_session(session) as first, open_session(session) as second:
        assert second.read_only is not None
        assert "another window or command has the session" in str(second.read_only)
        first.start_run(first.versions()[0].hash, "cuda:0", sample.gpu_environment(), 1)
        assert len(second.runs()) == 6
        with pytest.raises(WrongInput, match="open for writing, so it is shown here"):
            second.finish_run(1)
    with open_session(session) as third:
        assert third.read_only is None


def test_reading_leaves_no_trace_beside_the_file(session: Path) -> None:
    before = session.read_bytes()
    with open_session(session, write=False) as store:
        assert "opened for reading only" in str(store.read_only)
        assert len(list(store.runs())) == 5
        assert [path.name for path in session.parent.iterdir()] == ["gpu.db"]
    assert session.read_bytes() == before


READ = """
import os
from pathlib import Path
from sessions import open_session
if os.getuid() == 0:  # root may write everywhere
    os.setgid(65534)
    os.setuid(65534)
with open_session(Path(sys.argv[1])) as store:
    print(store.read_only)
    print(len(list(store.runs())))
"""


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that another user can enter (pytest's own cannot)."""
    with tempfile.TemporaryDirectory(prefix="ledger öffentlich ") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_an_ordinary_user_opens_a_read_only_session(public_folder: Path, mode: str) -> None:
    """`WAL` stands for a file copied while it was open: its header asks for a log that cannot be made there."""
    sample.gpu_session(public_folder).close()
    path = public_folder / "gpu.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.close()
    path.chmod(0o444)
    public_folder.chmod(0o555)
    answer = subprocess.run(child(READ, str(path)), capture_output=True, text=True, cwd="/", check=True)
    public_folder.chmod(0o755)
    assert "may only be read" in answer.stdout
    assert answer.stdout.endswith("\n5\n")


def test_broken_pages_open_read_only_with_what_can_be_saved(session: Path) -> None:
    content = bytearray(session.read_bytes())
    start = content.index(b'"sizes":{"width":1,"height":1,"batch":1}') & ~4095  # a page full of verified cases
    content[start : start + 8192] = b"\xa5" * 8192
    session.write_bytes(content)
    with open_session(session) as store:
        assert store.read_only is not None
        assert "is damaged" in str(store.read_only)
        assert [version.name for version in store.versions()] == ["baseline", "vector loads", "tile prefetch", "fast math"]
        runs = list(store.runs())
        assert len(runs) == 5
        assert 0 < sum(len(run.passes) for run in runs) < 20
        assert store.verify()
        with pytest.raises(WrongInput, match="is damaged"):
            store.finish_run(1)
    assert session.read_bytes() == bytes(content)


def test_every_single_destroyed_page_leaves_a_session_that_opens_or_says_one_sentence(session: Path) -> None:
    whole = session.read_bytes()
    opened = 0
    for page in range(len(whole) // 4096):
        session.write_bytes(whole[: page * 4096] + b"\x11" * 4096 + whole[(page + 1) * 4096 :])
        try:
            store = open_session(session)
        except WrongInput:
            continue
        with store:
            list(store.runs())
            list(store.versions())
            list(store.suggestions())
            store.trace(1, "a")
            opened += 1
            assert store.read_only is not None
    assert opened >= len(whole) // 4096 - 4  # the list of tables fills the first pages; without it nothing can be named


def test_a_record_with_broken_text_is_left_out_and_counted(session: Path) -> None:
    content = session.read_bytes()
    session.write_bytes(content.replace(b'{"compiler":"NVRTC 13.0","seconds"', b'{"compiler":"NVRTC 13.0",;seconds;', 1))
    with open_session(session) as store:
        assert sum(len(run.passes) for run in store.runs()) == 19
        assert "1" in str(store.read_only)


def test_a_full_disk_is_one_sentence_and_nothing_kept_is_lost(tmp_path: Path) -> None:
    store = sample.gpu_session(tmp_path)
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    record = sample.gpu_runs()[0].passes[2]

    def fill() -> None:
        for _ in range(100):
            store.add_pass(5, record)

    with pytest.raises(WrongInput, match="the disk or the quota is full") as failure:
        fill()
    assert failure.value.exit_code == 2
    kept = len(store.runs()[4].passes)
    store._database.execute("PRAGMA max_page_count = 100000")
    store.add_pass(5, record)
    store.close()
    with open_session(tmp_path / "gpu.db") as again:
        assert len(again.runs()[4].passes) == kept + 1
        assert again.verify() == ()


FILL = """
import resource, signal
from pathlib import Path
from sessions import create, open_session
from workbench.errors import WrongInput
from tests.helpers import sample_session as sample
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = sample.gpu_session(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
kept = 0
try:
    while True:
        store.add_pass(5, sample.gpu_runs()[0].passes[1])
        kept += 1
except WrongInput as error:
    print(kept, error)
store.close()
"""


def test_a_file_that_may_not_grow_ends_in_the_same_sentence(tmp_path: Path) -> None:
    answer = subprocess.run(child(FILL, str(tmp_path)), capture_output=True, text=True, check=True, cwd=ROOT)
    kept, sentence = answer.stdout.split(" ", 1)
    assert "the disk or the quota is full" in sentence
    with open_session(tmp_path / "gpu.db") as store:
        assert len(store.runs()[4].passes) == 4 + int(kept)
        assert store.verify() == ()


WRITE_FOR_EVER = """
from pathlib import Path
from sessions import open_session
from tests.helpers import sample_session as sample
store = open_session(Path(sys.argv[1]))
record = sample.gpu_runs()[0].passes[2]
run = store.start_run(store.versions()[0].hash, "cuda:0", sample.gpu_environment(), 1)
number = 0
while True:
    store.add_pass(run, record)
    number += 1
    print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 3, 20])
def test_a_killed_program_loses_at_most_the_running_pass_and_leaves_no_lock(session: Path, after: int) -> None:
    process = subprocess.Popen(child(WRITE_FOR_EVER, str(session)), stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    for _ in range(after):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    said = after + len(process.stdout.read().split())
    process.wait()
    process.stdout.close()
    with open_session(session) as store:
        assert store.read_only is None
        run = store.runs()[5]
        assert said <= len(run.passes) <= said + 1
        assert not run.finished
        assert store.verify() == ()
    assert sorted(path.name for path in session.parent.iterdir()) == ["gpu.db"]


def test_a_killed_writer_can_also_be_read_without_writing(session: Path) -> None:
    process = subprocess.Popen(child(WRITE_FOR_EVER, str(session)), stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    process.stdout.readline()
    with open_session(session, write=False) as beside:
        assert len(beside.runs()[5].passes) >= 1
    process.kill()
    process.communicate()
    with open_session(session, write=False) as store:
        assert len(store.runs()[5].passes) >= 1


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WrongInput, match="cannot be made"):
        create(tmp_path / "file" / "session.db")


def test_a_version_added_to_a_full_disk_is_not_half_there(tmp_path: Path) -> None:
    with create(tmp_path / "s.db") as store:
        store._database.execute("PRAGMA max_page_count = 30")
        code = sample.sample_versions()[0].code
        big = make_version(
            "big", type(code)(code.source.with_text("x" * 200_000), "cuda", "k", sample.LAUNCH), None, Author("person"), "2026"
        )
        with pytest.raises(WrongInput, match="full"):
            store.add_version(big)
        assert list(store.versions()) == []
