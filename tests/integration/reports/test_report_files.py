"""The files themselves, read back by other programs."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pypdf import PdfReader

from tests.helpers import sample_session as sample
from tests.helpers.sample_findings import with_findings
from tests.helpers.sample_report import emulator_document, gpu_document, report_input
from workbench.errors import WrongInput
from workbench.reports.as_csv import as_csv
from workbench.reports.as_json import as_json
from workbench.reports.as_markdown import as_markdown
from workbench.reports.as_pdf import as_pdf
from workbench.reports.blocks import DiffLine, Document
from workbench.reports.document import build_document
from workbench.reports.pdf.pen import colors
from workbench.reports.write import write_report


@pytest.fixture(scope="module")
def gpu_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(gpu_document(), tmp_path_factory.mktemp("gpu") / "ledger.pdf")


@pytest.fixture(scope="module")
def emulator_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(emulator_document(), tmp_path_factory.mktemp("emulator") / "ledger.pdf")


def words(path: Path, first: int = 1, last: int = 99) -> str:
    """Return the text of some pages as poppler reads it, in one line."""
    command = ["pdftotext", "-layout", "-f", str(first), "-l", str(last), str(path), "-"]
    return " ".join(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_the_first_page_has_claim_ledger_environment_method_and_hash(gpu_pdf: Path) -> None:
    text = words(gpu_pdf, 1, 1)
    document = gpu_document()
    claim = ("The kernel is 6.58× faster.", "A free kernel would give 1.44×.", "6.58", "1.25", "(predicted)")
    ledger = ("tile prefetch", "16.40 ms", "FASTER", "confirmed", "not yet", "WRONG", "Candidates tried: 3.")
    setting = ("NVIDIA H200", "580.159", "1980 MHz", "L2 cache cold", "noise floor 0.08 %", "margin of 0.5 %", "page 1 of 11")
    for part in (*claim, *ledger, *setting, document.content_hash[:8]):
        assert part in text


def test_the_second_page_is_the_account_of_the_running_example(gpu_pdf: Path) -> None:
    text = words(gpu_pdf, 2, 2)
    for part in (
        "Target kernel 108.0 ms 16.4 ms −91.6 ms 5.8 %",
        "Not attributed 0.0 ms 15.6 ms +15.6 ms",
        "−71.0 ms",
        "1.44×",
        "1.35×",
        "66 %",
    ):
        assert part in text
    assert "30.7 % → 5.8 %" in text
    assert "Leave this kernel" in text


@pytest.fixture(scope="module")
def baseline_document() -> Document:
    return build_document(report_input(sample.gpu_runs()[:1], "cuda:0", [sample.sample_versions()[0]]))


def test_a_baselines_own_account_has_one_column_and_no_share_of_a_ceiling(baseline_document: Document, tmp_path: Path) -> None:
    path = write_report(baseline_document, tmp_path / "r.pdf")
    text = words(path, 2, 2)
    assert "Target kernel 108.0 ms 30.7 %" in text
    assert "ceiling, predicted" in text
    assert "What next" in text
    for word in ("before", "after", "change", "→", "ceiling reached", "—"):
        assert word not in text
    assert "1 version " in words(path, 1, 1)
    markdown = as_markdown(baseline_document)
    assert "| stage | baseline (ms) |" in markdown
    assert "reached" not in markdown
    value = json.loads(as_json(baseline_document))["account"]["account"]
    assert value["alone"] is True
    assert value["ceiling_share"] is value["traced_wall_after"] is value["stages"][0]["after"] is None
    assert value["speedup"]["value"] is value["wall_after"]["value"] is None


def test_all_of_the_account_stands_on_one_page(gpu_pdf: Path) -> None:
    assert "What next" in words(gpu_pdf, 2, 2)
    assert "Proof of baseline" in words(gpu_pdf, 3, 3)


def test_gates_are_counted_alike_in_every_format(gpu_pdf: Path) -> None:
    assert "8 of 9" in words(gpu_pdf, 1, 1)
    assert "8 of 9 gates passed, 1 not run." in words(gpu_pdf, 3, 3)
    assert "| 8 of 9, 1 not run |" in as_markdown(gpu_document())


def drawn(lines: int, tail: int) -> Document:
    """Return the GPU report with a change of `lines` added lines and `tail` unchanged ones after them."""
    document = gpu_document()
    body = [DiffLine("added", None, number + 1, f"line {number};", 1) for number in range(lines)]
    end = [DiffLine("same", number + 1, lines + number + 1, f"end {number};") for number in range(tail)]
    change = msgspec.structs.replace(document.changes[1], lines=(*body, *end), hypothesis="")
    return msgspec.structs.replace(document, changes=(document.changes[0], change, *document.changes[2:]))


def test_no_page_is_turned_for_a_few_unchanged_lines_at_the_end(tmp_path: Path) -> None:
    sheets = []
    for lines in range(55, 70):
        text = words(write_report(drawn(lines, 3), tmp_path / f"{lines}.pdf"))
        sheets.append("unchanged line" in text)
        assert f"line {lines - 1};" in text
        assert "end 2;" in text or sheets[-1]
    assert any(sheets)


def test_the_emulators_report_never_speaks_of_a_gain(emulator_pdf: Path) -> None:
    text = words(emulator_pdf)
    first = words(emulator_pdf, 1, 1)
    assert "The gain is missing: this device cannot measure it." in first
    assert "CPU TIME" in first
    assert "×" not in first
    for word in ("FASTER", "Amdahl", "ceiling reached", "free kernel", "What next"):
        assert word not in text


def test_an_unconfirmed_winner_is_said_on_the_first_page(tmp_path: Path) -> None:
    path = write_report(gpu_document(confirmed=False), tmp_path / "r.pdf")
    assert "tile prefetch is not yet confirmed: it needs a second run" in words(path, 1, 1)


def test_the_file_has_title_author_language_outline_and_embedded_fonts(gpu_pdf: Path) -> None:
    assert gpu_pdf.stat().st_size < 3 * 2**20
    reader: Any = PdfReader(gpu_pdf)
    assert reader.metadata.title == "image-preprocess: kernel ledger report"
    assert reader.metadata.author == "kernel-ledger test"
    assert reader.trailer["/Root"]["/Lang"] == "en"
    titles = [entry["/Title"] for entry in reader.outline if not isinstance(entry, list)]
    assert titles[:3] == ["image-preprocess", "The account", "Proof of baseline"]
    assert titles[-1] == "Limits and hashes"
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            face = font.get_object()
            if face["/BaseFont"] != "/Helvetica":  # reportlab names it on every page and sets no text in it
                assert "/FontFile2" in face["/FontDescriptor"]
    assert f"page {len(reader.pages)} of {len(reader.pages)}" in words(gpu_pdf, len(reader.pages))


def test_the_source_of_every_version_is_searchable_text(gpu_pdf: Path) -> None:
    text = words(gpu_pdf)
    assert "__syncthreads();" in text
    assert "Pasted from a model's answer." in text
    assert "hunk 1" in text


def test_nothing_predicted_is_printed_in_the_green_of_what_is_proven(gpu_pdf: Path) -> None:
    """The account page holds every predicted value and no proven one."""
    green = [int(colors()["proven"][index : index + 2], 16) / 255 for index in (1, 3, 5)]
    content = PdfReader(gpu_pdf).pages[1].get_contents()
    assert content is not None
    used = [line.split() for line in content.get_data().decode("latin-1").splitlines() if line.endswith((" rg", " RG"))]
    assert used
    assert not [
        parts for parts in used if all(abs(float(part) - value) < 0.004 for part, value in zip(parts, green, strict=False))
    ]


def test_the_same_document_gives_the_same_bytes() -> None:
    assert as_pdf(gpu_document()) == as_pdf(gpu_document())


def strange(text: str) -> Document:
    """Return a document whose names, hypotheses and source hold `text`."""
    baseline, vector, *_ = sample.sample_versions()
    odd = msgspec.structs.replace(vector, name=text[:60], hypothesis=text * 6, hash=vector.hash)
    code = msgspec.structs.replace(
        odd.code, source=odd.code.source.with_text(odd.code.source.text + f"// {text * 8}\n\t// {text}\n")
    )
    return build_document(report_input(sample.gpu_runs(), "cuda:0", [baseline, msgspec.structs.replace(odd, code=code)]))


@pytest.mark.parametrize(
    "text",
    [
        "核函数速度是基线的六倍",
        "x" * 300,
        "=cmd|' /C calc'!A0",
        "a <b> & \\c | d `e` ```f```",
        "Ж é ł Ω → ≤ \u202f × 🚀",
        "{name} {0} %s",
    ],
)
def test_any_name_and_source_can_be_printed_in_every_format(tmp_path: Path, text: str) -> None:
    document = strange(text)
    path = write_report(document, tmp_path / "r.pdf")
    assert path.stat().st_size < 3 * 2**20
    assert text[:4] in "".join(words(path).split()) or " " in text[:4] or "🚀" in text
    rows = list(csv.DictReader(io.StringIO(as_csv(document))))
    assert rows[1]["version"].lstrip("'") == text[:60]
    assert not rows[1]["version"].startswith("=")
    assert json.loads(as_json(document))["rows"][1]["line"]["name"] == text[:60]
    assert as_markdown(document)


def test_chinese_text_is_read_back_and_its_font_is_embedded(tmp_path: Path) -> None:
    path = write_report(strange("核函数速度是基线的六倍"), tmp_path / "r.pdf")
    assert "核函数速度是基线的六倍" in "".join(words(path).split())
    fonts = subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True).stdout
    assert "WenQuanYi" in fonts.replace("-", "")


def test_a_report_with_many_versions_goes_over_pages_with_the_heads_repeated(tmp_path: Path) -> None:
    baseline, *_ = sample.sample_versions()
    versions = [baseline]
    for number in range(60):
        code = msgspec.structs.replace(
            baseline.code, source=baseline.code.source.with_text(f"// {number}\n" + baseline.code.source.text)
        )
        versions.append(msgspec.structs.replace(baseline, name=f"try {number}", code=code, hash=code.hash, parent=baseline.hash))
    document = build_document(report_input(sample.gpu_runs()[:1], "cuda:0", versions))
    text = words(write_report(document, tmp_path / "r.pdf"))
    assert "try 59" in text
    assert text.count("version kernel application verdict gates passed") >= 3


def test_json_is_one_stable_document_with_its_schema() -> None:
    value = json.loads(as_json(gpu_document()))
    assert value["schema"] == 1
    assert value["kind"] == "kernel-ledger report"
    assert [row["line"]["chip"] for row in value["rows"]] == ["BASELINE", "FASTER", "FASTER", "WRONG ANSWER"]
    assert value["rows"][3]["line"]["kernel_time"] == {"value": None, "low": None, "high": None, "evidence": "missing"}
    assert value["account"]["account"]["ceiling_share"] == pytest.approx(0.6566, abs=1e-3)
    assert as_json(gpu_document()) == as_json(gpu_document())


def test_csv_has_one_row_for_each_version_and_empty_cells_for_what_is_missing() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(gpu_document()))))
    assert [row["version"] for row in rows] == ["baseline", "vector loads", "tile prefetch", "fast math"]
    assert float(rows[2]["speedup"]) == pytest.approx(6.58, abs=0.01)
    assert rows[3]["kernel_seconds"] == ""
    assert rows[2]["confirmed"] == "True"
    emulator = list(csv.DictReader(io.StringIO(as_csv(emulator_document()))))
    assert {row["speedup"] for row in emulator} == {""}


def test_markdown_has_the_claim_the_tables_and_the_diffs() -> None:
    text = as_markdown(gpu_document())
    assert text.startswith("# image-preprocess\n\n**The kernel is 6.58× faster.")
    assert "| tile prefetch | vector loads | 16.40 ms [16.38, 16.41] ms | cold | 6.58× [6.58, 6.59] |" in text
    assert "| Not attributed | 0.0 | 15.6 |" in text
    assert "```diff\n" in text
    assert "- share of the ceiling reached: 66 %" in text


@pytest.mark.parametrize("suffix", [".pdf", ".md", ".csv", ".json", ".PDF"])
def test_the_suffix_chooses_the_format_and_an_older_file_is_replaced(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "ünï cödé" / f"report{suffix}"
    path.parent.mkdir()
    path.write_text("old")
    write_report(gpu_document(), path)
    assert path.stat().st_size > 1000
    assert os.listdir(path.parent) == [path.name]


def test_an_unknown_suffix_is_one_sentence_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match=r"must end in \.pdf, \.md, \.csv, \.json"):
        write_report(gpu_document(), tmp_path / "report.docx")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WrongInput, match="cannot be written"):
        write_report(gpu_document(), tmp_path / "file" / "report.json")
    (tmp_path / "r.json").mkdir()
    with pytest.raises(WrongInput, match="cannot be written"):
        write_report(gpu_document(), tmp_path / "r.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "r.json"]


def test_the_sanitizers_findings_stand_in_every_format(tmp_path: Path) -> None:
    version = sample.sample_versions()[1]
    document = build_document(report_input(with_findings(sample.emulator_runs(), version.hash), "emulator"))
    race = "Line 7: thread (32, 0, 0) reads row[31] after thread (31, 0, 0) wrote it at line 5."
    assert f"| error | {race} | 446 |" in as_markdown(document)
    text = words(write_report(document, tmp_path / "ledger.pdf"))
    for part in ("Sanitizer", race, "error 446", "information 14"):
        assert part in text
    proof = next(one for one in json.loads(as_json(document))["proofs"] if one["findings"])
    first = {"severity": "error", "kind": "RaceInBlock", "sentence": race, "lines": [7, 5], "count": 446}
    assert (proof["row"]["line"]["name"], proof["findings"][0]) == (version.name, first)
    rows = {row["version"]: row for row in csv.DictReader(io.StringIO(as_csv(document)))}
    watched, other = rows[version.name], rows["tile prefetch"]
    assert (watched["sanitizer_errors"], watched["sanitizer_warnings"]) == ("1", "1")
    assert (other["sanitizer_errors"], other["sanitizer_warnings"]) == ("", "")


@pytest.mark.parametrize("count", range(3, 15))
def test_no_page_of_a_proof_carries_the_runs_facts_alone_however_much_was_found(count: int) -> None:
    version = sample.sample_versions()[1]
    document = build_document(report_input(with_findings(sample.emulator_runs(), version.hash), "emulator"))
    proof = next(one for one in document.proofs if one.findings)
    proof = msgspec.structs.replace(proof, findings=(proof.findings * 5)[:count])
    pages = PdfReader(io.BytesIO(as_pdf(msgspec.structs.replace(document, proofs=(proof,), changes=())))).pages
    run = [text for page in pages if "of the session." in (text := page.extract_text())]
    assert len(run) == 1
    assert "Worst error" in run[0]
