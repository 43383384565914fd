"""What the compare page says of two versions, decided without a widget."""

from __future__ import annotations

import msgspec

from tests.helpers import sample_session
from tests.helpers.pages import sample_page_view
from ui.charts.compared_stages import compared_stages
from ui.charts.rounds import pair_clouds
from ui.tables.comparison_rows import headline, metric_cells
from ui.tables.last_run import last_run, ledger_of, shown_device, side
from ui.widgets.line_diff import margin
from workbench.analysis.compare import MetricRow
from workbench.analysis.verdict import compare_versions
from workbench.model.failure import Failure
from workbench.model.run import PassRecord
from workbench.texts import message

BASELINE, VECTOR, TILE, WRONG = sample_session.sample_versions()
VIEW = sample_page_view("gpu")
GPU = "cuda:0"


def test_beside_the_baseline_both_bars_come_from_the_other_versions_run() -> None:
    ledger = ledger_of(VIEW, GPU)
    assert ledger is not None
    account = ledger.accounts[TILE.hash]
    found = compared_stages(ledger, BASELINE, TILE)
    assert found.letters == ("A", "B")
    assert [bar.total for bar in found.bars] == [account.traced_wall_before, account.traced_wall_after]
    assert found.caption.startswith("Both from one run: ")
    turned = compared_stages(ledger, TILE, BASELINE)
    assert [bar.total for bar in turned.bars] == [account.traced_wall_after, account.traced_wall_before]


def test_two_candidates_have_bars_from_two_runs_and_that_is_said() -> None:
    found = compared_stages(ledger_of(VIEW, GPU), VECTOR, TILE)
    assert found.caption.startswith("Each from its own run, not interleaved: ")
    assert "Untraced walls: A " in found.caption


def test_a_version_that_was_not_traced_is_missing_by_name() -> None:
    found = compared_stages(ledger_of(VIEW, GPU), WRONG, TILE)
    assert found.letters == ("B",)
    assert found.caption.startswith(f"{WRONG.name} was not traced on this device: missing.")
    assert compared_stages(None, VECTOR, TILE).bars == ()


def test_a_version_beside_itself_gains_nothing_and_has_no_verdict() -> None:
    comparison = compare_versions(VIEW.runs, TILE.hash, TILE.hash, device=GPU, books_gain=True, names={})
    said = headline(comparison, side(VIEW, TILE.hash, GPU), side(VIEW, TILE.hash, GPU), GPU)
    assert said.sentence == "A and B are the same version, tile prefetch: there is nothing to gain."
    assert said.chip is None


def test_a_version_that_was_never_run_is_missing() -> None:
    bare = msgspec.structs.replace(
        VIEW, runs=tuple(run for run in VIEW.runs if run.version != TILE.hash), ledgers={}, ledger=None
    )
    comparison = compare_versions(bare.runs, VECTOR.hash, TILE.hash, device=GPU, books_gain=True, names={})
    said = headline(comparison, side(bare, VECTOR.hash, GPU), side(bare, TILE.hash, GPU), GPU)
    assert (said.chip, said.sentence) == ("missing", "tile prefetch was not run on cuda:0 yet, so its side is missing.")


def test_the_rounds_of_a_pair_are_those_that_were_timed_together() -> None:
    comparison = compare_versions(VIEW.runs, BASELINE.hash, TILE.hash, device=GPU, books_gain=True, names={})
    first, second = pair_clouds(VIEW.runs, BASELINE, TILE, GPU)
    assert first is not None
    assert second is not None
    assert (first.median.value, second.median.value) == (comparison.a.value, comparison.b.value)
    turned = pair_clouds(VIEW.runs, TILE, BASELINE, GPU)
    assert turned[1] is not None
    assert turned[1].median.value == comparison.a.value


def test_on_a_device_without_runs_the_ledgers_device_is_shown_and_named() -> None:
    assert shown_device(VIEW, "emulator") == GPU
    assert shown_device(VIEW, GPU) == GPU
    strip = last_run(VIEW, TILE.hash, "emulator")
    assert strip.note.endswith("on cuda:0, not run on emulator")
    assert strip.rows[0][-2].text == "16.40 ms"


def test_a_difference_of_shares_is_in_points_and_counts_are_exact() -> None:
    comparison = compare_versions(VIEW.runs, VECTOR.hash, TILE.hash, device=GPU, books_gain=True, names={})
    spread = metric_cells(MetricRow("dispersion", message("Spread"), "fraction", 0.01, 0.03, 0.02), comparison)
    assert spread[3].text == "+2.00 pt"
    counted = metric_cells(MetricRow("registers", message("Registers"), "count", 40, 32, -8), comparison)
    assert (counted[3].text, counted[4].text) == ("−8", "exact")


def test_a_version_that_does_not_compile_says_why_there_is_nothing_to_compare() -> None:
    run = next(run for run in VIEW.runs if run.version == TILE.hash)
    failure = Failure("CompileFailed", message("a.cu does not compile: line 3: no"))
    broken = msgspec.structs.replace(run, passes=(PassRecord("compile", "failed", "2026-11-29T10:00:00", 0.1, failure=failure),))
    others = tuple(other for other in VIEW.runs if other.version != TILE.hash)
    view = msgspec.structs.replace(VIEW, runs=(*others, broken), ledgers={}, ledger=None)
    comparison = compare_versions(view.runs, VECTOR.hash, TILE.hash, device=GPU, books_gain=True, names={})
    said = headline(comparison, side(view, VECTOR.hash, GPU), side(view, TILE.hash, GPU), GPU)
    assert said.chip == "failed"
    assert said.sentence == "tile prefetch has nothing to compare: a.cu does not compile: line 3: no"
    assert last_run(view, TILE.hash, GPU).note.endswith("compile failed")


def test_long_sources_with_one_change_have_the_margin_of_that_change() -> None:
    lines = [f"a[{number}] = b[{number}];" for number in range(20_000)]
    changed = [*lines[:9000], "a[9000] = 2 * b[9000];", *lines[9001:]]
    assert margin("\r\n".join(lines), "\n".join(changed)) == {9000: "changed"}
    assert margin("\n".join(lines), "\n".join([*lines, "more();"])) == {20_000: "added"}
