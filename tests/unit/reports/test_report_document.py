"""The one document model: what the first sentence may claim, and what must stand beside it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers import sample_session as sample
from tests.helpers.sample_report import emulator_document, gpu_document, report_input
from workbench.model.device import software_title
from workbench.reports.changes import diff_lines
from workbench.reports.content_hash import content_hash
from workbench.reports.document import build_document


def said(document: object, name: str) -> str:
    return " ".join(str(part) for part in getattr(document, name))


def test_a_confirmed_winner_is_claimed_with_application_and_ceiling() -> None:
    document = gpu_document()
    assert (
        said(document, "headline")
        == "The kernel is 6.58× faster. The application is 1.25× faster. A free kernel would give 1.44×."
    )
    assert document.caveats == ()
    assert [row.line.name for row in document.rows if row.leading] == ["tile prefetch"]


def test_a_winner_without_a_second_run_is_said_to_be_unconfirmed() -> None:
    document = gpu_document(confirmed=False)
    assert "tile prefetch is not yet confirmed: it needs a second run" in said(document, "caveats")


def test_the_emulator_claims_correctness_and_calls_the_gain_missing() -> None:
    document = emulator_document()
    assert said(document, "headline") == (
        "Correctness is proven for 3 of 4 versions. 1 gave a wrong answer. The gain is missing: this device cannot measure it."
    )
    assert [figure.text for figure in document.figures] == ["3 of 4", "missing"]
    assert document.account is not None
    assert document.account.account.ceiling is None
    assert document.account.points == ()
    assert "×" not in said(document, "headline") + said(document, "method")


def test_without_a_measured_baseline_no_speed_up_is_shown() -> None:
    runs = [run for run in sample.gpu_runs() if run.id not in (1,)]
    document = build_document(report_input(runs, "cuda:0"))
    assert said(document, "headline") == "There is no measured baseline on this device, so no speed-up is shown."
    assert document.figures == ()


def test_a_baseline_alone_and_an_empty_session_make_a_report_too() -> None:
    baseline = sample.sample_versions()[0]
    alone = build_document(report_input(sample.gpu_runs()[:1], "cuda:0", [baseline]))
    assert said(alone, "headline") == "Only the baseline was measured."
    empty = build_document(report_input([], "emulator", []))
    assert said(empty, "headline").startswith("Nothing is proven yet.")
    assert empty.account is None


def test_without_a_pipeline_the_application_is_not_measured() -> None:
    runs = [
        msgspec.structs.replace(run, passes=tuple(record for record in run.passes if record.name != "trace"))
        for run in sample.gpu_runs()
    ]
    document = build_document(report_input(runs, "cuda:0"))
    assert said(document, "headline") == "The kernel is 6.58× faster. What the application gains was not measured."
    assert document.figures[1].text == "—"
    assert document.account is None


def test_every_printed_time_has_its_protocol() -> None:
    for document in (gpu_document(), emulator_document()):
        for row in document.rows:
            assert (row.protocol is None) == (row.line.kernel_time.value is None)
        protocol = document.rows[0].protocol
        assert protocol is not None
        assert protocol.regime == ("cold" if document.books_gains else "cpu")
    assert "margin of 0.5 %" in said(gpu_document(), "method")
    assert "Candidates tried: 3." in said(gpu_document(), "ledger_note")


def test_the_account_sentence_names_what_the_kernel_did_not_save() -> None:
    block = gpu_document().account
    assert block is not None
    assert str(block.sentence) == (
        "Traced, the kernel changes by −91.6 ms and the application by −71.0 ms. Outside the kernel: Host to device copy +4.0, "
        "Synchronisation −1.0, Device to host copy +2.0, +15.6 not attributed."
    )
    assert str(block.next_sentence) == "Leave this kernel: free, it would now give 1.06×; Other GPU kernels up to 1.72×."


def test_a_baseline_alone_has_an_account_without_an_after() -> None:
    baseline = sample.sample_versions()[0]
    block = build_document(report_input(sample.gpu_runs()[:1], "cuda:0", [baseline])).account
    assert block is not None
    assert str(block.sentence) == (
        "Where the time of baseline goes: the kernel is 30.7 % of it. "
        "Free, it would make the application 1.44× faster (predicted)."
    )
    assert block.account.ceiling_share is block.account.traced_wall_after is None
    assert str(block.next_sentence).startswith("Leave this kernel: free, it would now give 1.44×; Other GPU kernels up to 1.50×")


def test_the_traced_kernel_stands_beside_the_clock() -> None:
    block = gpu_document().account
    assert block is not None
    assert [str(note) for note in block.notes] == [
        "The traced kernel took 108.0 ms → 16.40 ms a call; the clock says 107.9 ms → 16.40 ms on the declared inputs (0 %, 0 %)."
    ]


def test_labels_carry_the_programs_own_names() -> None:
    assert [software_title(name) for name in ("cuda driver", "nvrtc", "cupy", "numpy", "driver", "compute capability")] == [
        "CUDA driver", "NVRTC", "CuPy", "NumPy", "Driver", "Capability",
    ]  # fmt: skip


def test_the_content_hash_follows_the_evidence_and_nothing_else() -> None:
    given_input = report_input(sample.gpu_runs(), "cuda:0")
    plain = content_hash(given_input)
    later = msgspec.structs.replace(given_input, program="another")
    renumbered = tuple(msgspec.structs.replace(run, id=run.id + 40, started="later") for run in given_input.runs)
    assert content_hash(later) == plain
    assert content_hash(msgspec.structs.replace(given_input, runs=renumbered)) == plain
    first = given_input.runs[0]
    timed = first.passes[2]
    assert timed.time is not None
    group = timed.time.groups[0]
    nudged = msgspec.structs.replace(group, a=(group.a[0] + 1e-9, *group.a[1:]))
    changed = msgspec.structs.replace(timed, time=msgspec.structs.replace(timed.time, groups=(nudged, *timed.time.groups[1:])))
    run = msgspec.structs.replace(first, passes=(*first.passes[:2], changed, *first.passes[3:]))
    assert content_hash(msgspec.structs.replace(given_input, runs=(run, *given_input.runs[1:]))) != plain
    assert content_hash(msgspec.structs.replace(given_input, versions=given_input.versions[:3])) != plain


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "    d"]), max_size=90)


@settings(deadline=None)
@given(LINES, LINES)
def test_a_change_holds_both_sources_whole(old: list[str], new: list[str]) -> None:
    lines = list(diff_lines(old, new))
    hidden = sum(int(line.text) for line in lines if line.kind == "gap")
    shown_old = [line for line in lines if line.kind in ("same", "removed")]
    shown_new = [line for line in lines if line.kind in ("same", "added")]
    assert len(shown_old) + hidden == len(old)
    assert len(shown_new) + hidden == len(new)
    assert all(line.old is not None and old[line.old - 1] == line.text for line in shown_old)
    assert all(line.new is not None and new[line.new - 1] == line.text for line in shown_new)
    assert all((line.hunk > 0) == (line.kind in ("added", "removed")) for line in lines)


def test_a_long_source_shows_only_the_surroundings_of_a_hunk() -> None:
    old = [f"line {number}" for number in range(200)]
    new = [*old[:100], "inserted", *old[100:]]
    lines = list(diff_lines(old, new))
    assert [line.kind for line in lines].count("gap") == 2
    assert len(lines) == 11


@pytest.mark.parametrize("index", range(4))
def test_every_change_says_who_made_it(index: int) -> None:
    words = [
        "Written by a person.",
        "A shipped answer, not a fresh one.",
        "Suggested by synthetic-model.",
        "Pasted from a model's answer.",
    ]
    assert str(gpu_document().changes[index].author) == words[index]
