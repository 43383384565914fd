"""What pages say, decided without a widget."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import sample_session
from tests.helpers.pages import sample_page_view, sample_plan, suggestion
from ui.charts.amdahl_chart import curve_of, label_places
from ui.charts.rounds import cloud_of, outline, reach, timing_of
from ui.charts.stages import bars_of, labels, place
from ui.tables.account_rows import columns, headline, next_rows, stage_rows, stop_sentence
from ui.tables.cells import Column, kept_columns
from ui.tables.comparison_rows import Pair, difference_of, pair_of, text_of
from ui.tables.hunk_choice import begin, unified
from ui.tables.last_run import last_run
from ui.tables.suggestion_words import source
from workbench.analysis.amdahl import account_from_stages, build_account
from workbench.analysis.compare import MetricRow
from workbench.model.ledger import MISSING, Estimate
from workbench.model.run import PipelineData, PipelineRepeat
from workbench.model.version import Author
from workbench.texts import message

BASELINE, VECTOR, TILE, WRONG = sample_session.sample_versions()
BEFORE = {"kernel": 0.108, "cpu": 0.038, "h2d": 0.042, "other": 0.118, "sync": 0.026, "d2h": 0.020}
AFTER = {"kernel": 0.0164, "cpu": 0.038, "h2d": 0.046, "other": 0.118, "sync": 0.025, "d2h": 0.022}


def test_the_running_example_gives_exactly_its_account() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in stage_rows(account)}
    assert rows["Not attributed"] == ["0.0", "15.6", "+15.6", "—", "0.0 %", "5.6 %"]
    assert rows["Wall time, traced"][:4] == ["352.0", "281.0", "−71.0", "−20.2 %"]
    kernel = next(row for row in stage_rows(account) if row[1].text == "108.0")
    assert [cell.text for cell in kernel[4:]] == ["−84.8 %", "30.7 %", "5.8 %"]


def test_time_saved_walls_and_ratio_are_one_claim_and_pairs_are_said_where_they_do_not_divide() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")
    assert "Time saved is 71.0 ms of the 108 ms that a free kernel would save." in headline(account).below
    assert "pairs" not in headline(account).below
    drifted = msgspec.structs.replace(account, speedup=Estimate(1.14, 1.1, 1.18, "measured"))
    assert "The ratio is of interleaved pairs" in headline(drifted).below
    assert headline(drifted, message("The host drifted.")).below.endswith(" The host drifted.")


def test_a_baselines_own_account_has_no_after() -> None:
    repeat = PipelineRepeat("a", True, 0.352, BEFORE, 1)
    pipeline = PipelineData("A", "A", (repeat,), stage_titles={"kernel": "Target kernel"})
    clock = Estimate(0.110, evidence="measured")
    account = build_account(pipeline, MISSING, {"A": "first"}, books_gain=True, stop_below=0.03, clock=(clock, clock))
    assert [column.title for column in columns(account)] == ["Stage of the wall time", "time, ms", "share"]
    assert {len(row) for row in stage_rows(account)} == {3}
    assert [bar.title for bar in bars_of(account)] == ["first"]
    assert headline(account).chip == "BASELINE"
    said = "The traced kernel took 108.0 ms a call; the clock says 110.0 ms on the declared inputs (−2 %)."
    assert said in headline(account).below
    curve = curve_of(account)
    assert curve is not None
    assert curve.measured is None


def test_the_prediction_lies_on_the_curve_at_the_traced_kernels_speed_up_not_the_clocks() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")
    slower_by_the_clock = msgspec.structs.replace(account, kernel_speedup=Estimate(5.0, 4.9, 5.1, "measured"))
    curve = curve_of(slower_by_the_clock)
    assert curve is not None
    assert curve.predicted is not None
    assert curve.measured is not None
    kernel, whole = curve.predicted
    assert kernel == pytest.approx(108.0 / 16.4)
    assert abs(np.interp(np.log10(kernel), curve.kernel, curve.whole) - whole) < 1e-3
    assert curve.measured[0] == 5.0


def test_labels_of_dots_of_nearly_one_height_are_stacked() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")
    curve = curve_of(account)
    assert curve is not None
    near = label_places([("m", "proven", 0.4, 1.22), ("p", "accent", 0.5, 1.23)], curve)
    assert [(place, anchor) for *_, place, anchor in near] == [((0.545, 1.22), (0.0, 0.0)), ((0.545, 1.22), (0.0, -1.0))]
    apart = label_places([("m", "proven", 0.5, 1.05), ("p", "accent", 0.5, 1.35)], curve)
    assert [(place, anchor) for *_, place, anchor in apart] == [((0.545, 1.05), (0.0, 0.0)), ((0.545, 1.35), (0.0, 0.0))]


def test_predicted_ceilings_and_single_traces_are_never_green() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")
    assert all(cell.tone != "proven" for row in [*next_rows(account), *stage_rows(account)] for cell in row)


def test_a_negative_remainder_is_shown_and_explained() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.260), kernel="kernel")
    rest = next(row for row in stage_rows(account) if row[0].text == "Not attributed")
    assert rest[2].text == "−5.4"
    assert "negative" in headline(account).below
    assert all(segment.kind != "rest" for segment in bars_of(account)[1].segments)


def test_the_stop_sentence_follows_the_projects_threshold() -> None:
    account = account_from_stages(BEFORE, AFTER, (0.352, 0.281), kernel="kernel")
    assert stop_sentence(account, 0.03).startswith("Go on: ")
    assert stop_sentence(msgspec.structs.replace(account, go_on=False), 0.9).startswith("Stop: ")
    assert stop_sentence(msgspec.structs.replace(account, go_on=None), 0.03) == ""


@given(st.lists(st.floats(1e-6, 10.0), min_size=1, max_size=8), st.integers(50, 3000))
def test_pieces_of_a_bar_touch_and_never_overlap(seconds: list[float], width: int) -> None:
    stages = {f"s{number}": value for number, value in enumerate(seconds)}
    account = account_from_stages(stages, stages, (sum(seconds), sum(seconds)), kernel="s0")
    bar = bars_of(account)[0]
    placed = place(bar, sum(seconds), 10, width)
    assert placed[0].left == 10
    assert all(one.right == other.left for one, other in itertools.pairwise(placed))
    assert abs(placed[-1].right - 10 - width) <= 1
    assert all(len(text) for text in labels(bar.segments[0]))


def test_columns_drop_in_the_stated_order() -> None:
    columns = (Column("a"), Column("b", drop=1), Column("c", drop=2))
    assert kept_columns(columns, (50, 50, 50), 150) == (True, True, True)
    assert kept_columns(columns, (50, 50, 50), 149) == (True, True, False)
    assert kept_columns(columns, (50, 50, 50), 60) == (True, False, False)
    assert kept_columns(columns, (50, 50, 50), 10) == (True, False, False)


def test_the_pair_is_what_was_chosen_else_the_selected_version_and_its_parent() -> None:
    view = sample_page_view("gpu")
    assert pair_of(view, (BASELINE.hash, WRONG.hash), TILE.hash, "cuda:0") == Pair(BASELINE.hash, WRONG.hash)
    assert pair_of(view, (None, None), TILE.hash, "cuda:0") == Pair(VECTOR.hash, TILE.hash)
    assert pair_of(view, (TILE.hash, TILE.hash), BASELINE.hash, "cuda:0") == Pair(VECTOR.hash, TILE.hash)
    assert pair_of(view, (BASELINE.hash, BASELINE.hash), BASELINE.hash, "cuda:0") == Pair(VECTOR.hash, BASELINE.hash)
    assert pair_of(view, ("gone", "gone"), VECTOR.hash, "cuda:0") == Pair(BASELINE.hash, VECTOR.hash)
    alone = msgspec.structs.replace(view, versions=(BASELINE,))
    assert pair_of(alone, (None, None), BASELINE.hash, "cuda:0") == Pair(None, BASELINE.hash)


def test_metrics_carry_their_units_and_signs() -> None:
    row = MetricRow("spills", message("Spilled bytes"), "bytes", 0, 4096, 4096.0)
    assert (text_of(row, row.b), difference_of(row)) == ("4.0 KiB", "+4.0 KiB")
    less = msgspec.structs.replace(row, unit="count", difference=-3.0)
    assert difference_of(less) == "−3"
    assert difference_of(msgspec.structs.replace(row, difference=None)) == ""
    assert text_of(row, None) == "—"


def test_missing_numbers_of_a_version_that_was_not_timed_are_dashes() -> None:
    found = last_run(sample_page_view("gpu"), WRONG.hash, "cuda:0")
    time = next(row for row in found.rows if row[0].text.startswith("Kernel time"))
    assert time[-2].text == "—"
    assert time[-1].text == "—"
    assert all(row[0].chip != "CPU TIME" for row in found.rows)


def test_the_emulators_last_run_wears_its_chip_and_gives_no_change() -> None:
    found = last_run(sample_page_view("emulator"), TILE.hash, "emulator")
    assert found.rows[0][0].chip == "CPU TIME"
    assert found.rows[0][-1].text == "—"


def test_a_model_without_a_known_price_says_so_and_a_clipboard_says_nothing_of_money() -> None:
    asked = suggestion()
    assert source(asked) == "model · synthetic-model · 1\u202f200 tokens in, 480 out · $0.0040"
    assert source(msgspec.structs.replace(asked, price_usd=None)).endswith("unknown price")
    assert source(msgspec.structs.replace(asked, author=Author("clipboard"), input_tokens=None)) == "clipboard"


def test_a_decision_taken_twice_is_taken_back() -> None:
    choices = begin(sample_plan(), suggestion())
    once = choices.decide(1, "accepted")
    assert once.numbers("accepted") == (1,)
    assert once.decide(1, "accepted").open == choices.open
    assert once.decide(3, "accepted").numbers("accepted") == (1,)


def test_accepting_the_exact_ones_leaves_what_needs_a_look() -> None:
    plan = sample_plan()
    hunks = tuple(msgspec.structs.replace(hunk, status="needs-confirmation") if hunk.number == 2 else hunk for hunk in plan.hunks)
    choices = begin(msgspec.structs.replace(plan, hunks=hunks), suggestion()).accept_exact()
    assert choices.numbers("accepted") == (1,)
    assert choices.open == (2,)


def test_of_each_changed_stretch_first_what_goes_then_what_comes() -> None:
    lines = unified(sample_plan().hunks[1], 0)
    assert [line.line.kind for line in lines] == ["removed", "added", "same"]
    assert lines[0].line.parts
    assert lines[0].line.text[slice(*lines[0].line.parts[0])].startswith("4 * (")


def test_rounds_are_deviations_from_their_own_median() -> None:
    timing = timing_of(sample_page_view("gpu").runs, TILE.hash, "cuda:0")
    assert timing is not None
    cloud = cloud_of("tile prefetch", timing)
    assert cloud is not None
    assert abs(float(np.median(cloud.deviation))) < 1e-3
    assert float(np.abs(cloud.lift).max()) <= 1.0
    assert reach([cloud], 0.005) >= 0.01
    assert timing_of(sample_page_view("gpu").runs, WRONG.hash, "cuda:0") is None


@given(st.lists(st.floats(-0.1, 0.1), min_size=3, max_size=50))
def test_an_outline_is_a_density_scaled_to_one(values: list[float]) -> None:
    grid, density = outline(np.array(values))
    assert len(grid) == len(density)
    assert abs(float(density.max()) - 1.0) < 1e-12
    assert float(density.min()) >= 0.0
