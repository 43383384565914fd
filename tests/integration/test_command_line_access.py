"""`kernel-ledger access`: the terminal's table, the JSON document and what the session keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions.store import open_session
from tests.helpers.command_line import ledger
from tests.helpers.projects import make_project
from workbench.analysis.access import newest_access


@pytest.fixture(scope="module")
def project(own_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("access project")
    make_project(folder)
    return folder


def test_json_has_totals_by_metric_and_one_entry_a_source_line(project: Path) -> None:
    done = ledger("access", project, "--trust", "--json")
    assert done.code == 0, done.err
    document = done.document
    assert document["totals"]["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] > 0
    assert document["totals"]["gpu__time_duration.sum"] is None
    numbers = [line["line"] for line in document["lines"]]
    assert numbers == sorted(set(numbers))
    assert all(access["sectors_per_request"] > 0 for line in document["lines"] for access in line["accesses"])
    assert document["exit_code"] == 0


def test_the_table_shows_lines_and_totals(project: Path) -> None:
    done = ledger("access", project, "--trust")
    assert done.code == 0, done.err
    assert "global write" in done.out
    assert "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" in done.out


def test_caches_are_predicted_for_the_gpu_that_is_named(project: Path) -> None:
    done = ledger("access", project, "--trust", "--json", "--hardware", "A100")
    assert done.code == 0, done.err
    cache = done.document["cache"]
    assert "A100" in cache["hardware"]
    assert cache["evidence"] == "predicted"
    assert cache["total"]["reads"] > 0
    shares = [cache["total"], *cache["arrays"].values(), *cache["lines"].values()]
    assert all(one["hit_rate"] == (one["hits"] / one["reads"] if one["reads"] else None) for one in shares)
    assert set(cache["lines"]) <= {str(line["line"]) for line in done.document["lines"]}


def test_the_table_ends_with_each_arrays_predicted_hits(project: Path) -> None:
    done = ledger("access", project, "--trust")
    assert "L2 of NVIDIA H200 (SXM) (predicted)" in done.out
    arrays = [line for line in done.out.splitlines() if line.endswith("written (predicted)")]
    assert len(arrays) >= 2


def test_reads_that_many_blocks_repeat_carry_a_doubt_and_others_none(project: Path, tmp_path: Path) -> None:
    alike = tmp_path / "alike.cu"
    source = next((project).rglob("*.cu")).read_text(encoding="utf-8")
    alike.write_text(
        source.replace("y[i];", "y[i] * 0.0f + x[i % 256] + y[i % 256];").replace("x[i] +", "0.0f +"), encoding="utf-8"
    )
    for version, doubted in ((alike, True), (None, False)):
        named = ("--source", version) if version else ()
        done = ledger("access", project, "--trust", "--json", "--session", tmp_path / "s.db", *named)
        assert done.code == 0, done.err
        assert any("four in ten" in note for note in done.document["notes"]) == doubted


def test_an_unknown_gpu_is_one_sentence_with_those_that_are_known(project: Path) -> None:
    done = ledger("access", project, "--trust", "--hardware", "gtx970")
    assert done.code == 2
    assert "There is no hardware file gtx970; choose one of a100, h100, h200, jetson-agx-orin, rtx4090, v100." in done.err


def test_the_session_keeps_the_report_beside_the_newest_run(project: Path) -> None:
    with open_session(project / ".ledger" / "session.db", write=False) as store:
        runs = store.runs()
        assert newest_access(runs) is not None
        assert len(runs) == 1


def test_a_kernel_that_leaves_its_memory_answers_1(project: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.cu"
    source = next((project).rglob("*.cu")).read_text(encoding="utf-8")
    bad.write_text(source.replace("[i] =", "[i + 1] ="), encoding="utf-8")
    done = ledger("access", project, "--trust", "--source", bad)
    assert done.code == 1
    assert "OutOfBounds" in done.err
