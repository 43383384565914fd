"""Memory access in the report: the same figures in PDF, Markdown, CSV and JSON, predicted and missing told as such."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
from pypdf import PdfReader

from tests.helpers import sample_session as sample
from tests.helpers.sample_access import REPORT, access_pass
from tests.helpers.sample_report import emulator_document, gpu_document, report_input
from workbench.model.cache import CachePrediction, CacheShape, Traffic
from workbench.model.run import Run
from workbench.reports.access_words import access_csv
from workbench.reports.as_json import as_json
from workbench.reports.as_markdown import as_markdown
from workbench.reports.blocks import Document
from workbench.reports.document import build_document
from workbench.reports.write import write_report

TOTALS = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": 960, "gpu__time_duration.sum": None}
SHAPE = CacheShape(128, 32, 16, 4)
SRC, DST = Traffic(1700, 1000, 250, 0), Traffic(0, 0, 0, 2560)
CACHE = CachePrediction(
    "SYNTHETIC GPU", SHAPE, SHAPE, 80, 80, Traffic(1700, 1000, 250, 2560), {"src": SRC, "dst": DST}, {}, None, (), 0
)


def analysed(**changes: object) -> Document:
    """Return the emulator's report with totals, a prediction and `changes` in its analysis."""
    runs = []
    for run in sample.emulator_runs():
        passes = [
            msgspec.structs.replace(
                one, access=msgspec.structs.replace(one.access, **{"totals": TOTALS, "cache": CACHE, **changes})
            )
            if one.access is not None
            else one
            for one in run.passes
        ]
        runs.append(msgspec.structs.replace(run, passes=tuple(passes)))
    return build_document(report_input(runs, "emulator"))


def words(path: Path) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def access_pages(path: Path) -> list[int]:
    return [
        number for number, page in enumerate(PdfReader(path).pages) if "Memory access of tile prefetch" in page.extract_text()
    ]


def test_the_pdf_has_a_page_after_the_proof_of_the_version_that_was_analysed(tmp_path: Path) -> None:
    path = write_report(analysed(), tmp_path / "r.pdf")
    said = words(path)
    for part in (
        "80 of 900 blocks were traced on the emulator at width=640, height=360, batch=1. Compared with SYNTHETIC SASS of sm_90.",
        "global read src",
        "1.77",
        "Line 19: The compiler’s list of accesses was not made: NVRTC is missing.",
        "L2 of SYNTHETIC GPU, predicted: 25 % of 1 000 sectors read hit.",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "gpu__time_duration.sum",
        "missing",
    ):
        assert part in said.replace("\u202f", " ").replace("\u00a0", " ")
    assert len(access_pages(path)) == 1


def test_long_lines_are_cut_with_an_ellipsis_and_the_totals_never_stand_alone(tmp_path: Path) -> None:
    document = analysed()
    entry = document.access[0]
    rows = tuple(msgspec.structs.replace(entry.rows[0], line=number + 1, text="x[i] + " * 60) for number in range(200))
    for count in (1, *range(15, 30), 200):
        many = msgspec.structs.replace(entry, rows=rows[:count])
        path = write_report(msgspec.structs.replace(document, access=(many,)), tmp_path / f"{count}.pdf")
        pages = [page.extract_text() for page in PdfReader(path).pages]
        last = next(text for text in pages if "gpu__time_duration" in text)
        assert "Arrays" in last, count
    assert "…" in pages[access_pages(path)[0]]


def test_markdown_says_predicted_beside_the_hits_and_a_dash_for_what_is_missing() -> None:
    text = as_markdown(analysed()).replace("\u202f", " ").replace("\u00a0", " ")
    assert "## Memory access of tile prefetch" in text
    assert (
        "| 12 | global read src | 960 | 1.77 | 1 | 26.6 | 47 % | 49 % | exact | tile[k / 34][k % 34] = src[v * width + u]; |"
        in text
    )
    assert "| array | size | sectors read | distinct | written | L2 reads (predicted) | L2 hits (predicted) |" in text
    assert "| src | 225.0 KiB | 1 700 | 860 | 0 | 1 000 | 25 % |" in text
    assert "| dst | 900.0 KiB | 0 | 0 | 2 560 | 0 | — |" in text
    assert "| gpu__time_duration.sum | — |" in text


def test_json_holds_the_figures_and_null_for_what_is_missing() -> None:
    (entry,) = json.loads(as_json(analysed()))["access"]
    assert entry["name"] == "tile prefetch"
    assert [row["line"] for row in entry["rows"]] == [12, 12, 19, 20]
    assert entry["rows"][1]["used"] is None
    assert entry["rows"][2]["exactness"] == "source-level"
    assert entry["totals"] == TOTALS
    assert entry["arrays"][0]["l2_hit_rate"] == 0.25


def test_csv_gets_a_second_file_for_the_accesses_and_none_without_an_analysis(tmp_path: Path) -> None:
    write_report(analysed(), tmp_path / "r.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r-access.csv", "r.csv"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "r-access.csv").read_text(encoding="utf-8-sig"))))
    assert [(row["line"], row["space"], row["access"]) for row in rows][:2] == [
        ("12", "global", "read"),
        ("12", "shared", "write"),
    ]
    assert rows[1]["used"] == ""
    other = tmp_path / "other"
    other.mkdir()
    write_report(gpu_document(), other / "r.csv")
    assert [path.name for path in other.iterdir()] == ["r.csv"]


def test_a_source_line_that_a_spreadsheet_would_run_is_text() -> None:
    lines = (msgspec.structs.replace(REPORT.lines[0], text="=HYPERLINK(1)"),)
    rows = list(csv.DictReader(io.StringIO(access_csv(analysed(lines=lines)))))
    assert rows[0]["text"] == "'=HYPERLINK(1)"


def test_an_analysis_made_on_the_emulator_stands_in_the_report_of_the_gpu_too(tmp_path: Path) -> None:
    tile = sample.sample_versions()[2]
    place = sample.emulator_environment()
    extra = Run(90, tile.hash, "emulator", "2026-11-29T10:00:00+00:00", place, 1, (access_pass(),))
    document = build_document(report_input([*sample.gpu_runs(), extra], "cuda:0"))
    assert [entry.name for entry in document.access] == ["tile prefetch"]
    assert access_pages(write_report(document, tmp_path / "r.pdf"))


def test_nothing_is_claimed_of_versions_that_were_not_analysed() -> None:
    assert gpu_document().access == ()
    assert "Memory access" not in as_markdown(gpu_document())
    assert len(emulator_document().access) == 1


def test_an_analysis_without_an_access_is_said_as_that(tmp_path: Path) -> None:
    path = write_report(analysed(lines=(), arrays=(), totals={}, cache=None), tmp_path / "r.pdf")
    assert "The traced blocks touch no memory that is counted." in words(path)
