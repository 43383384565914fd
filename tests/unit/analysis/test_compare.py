"""Two versions side by side: what was measured of both, and their sources aligned."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.sample_session import emulator_runs, gpu_runs, sample_versions
from workbench.analysis.aligned import AlignedLine, Fold, align, fold_unchanged, word_spans
from workbench.analysis.amdahl import build_account
from workbench.analysis.compare import MetricRow, metric_rows
from workbench.analysis.ledger import build_ledger
from workbench.analysis.verdict import compare_versions
from workbench.model.ledger import MISSING, Account
from workbench.model.run import PipelineData, PipelineRepeat, Run

BASELINE, VECTOR, TILE, _ = sample_versions()


def rows_of(runs: tuple[Run, ...], device: str, books_gain: bool) -> dict[str, MetricRow]:
    comparison = compare_versions(runs, BASELINE.hash, TILE.hash, device=device, books_gain=books_gain, names={})
    accounts = build_ledger(None, sample_versions(), runs, device).accounts
    a = next(run for run in runs if run.version == BASELINE.hash)
    b = next(run for run in runs if run.version == TILE.hash)
    rows = metric_rows(a, b, comparison, accounts[BASELINE.hash], accounts[TILE.hash])
    return {row.id: row for row in rows}


def test_the_kernel_time_falls_with_an_interval_and_a_mark() -> None:
    row = rows_of(gpu_runs(), "cuda:0", True)["kernel_time"]
    assert row.difference == pytest.approx(-0.848, abs=0.001)
    assert row.interval is not None
    assert row.difference is not None
    assert row.interval[0] <= row.difference <= row.interval[1]
    assert (row.better, row.evidence, row.relative) == ("better", "measured", True)
    assert str(row.name) == "Kernel time, cold L2"


def test_the_end_to_end_row_is_better_where_the_intervals_do_not_touch() -> None:
    row = rows_of(gpu_runs(), "cuda:0", True)["end_to_end"]
    assert row.better == "better"
    assert row.difference == pytest.approx(-0.2, abs=0.01)


def drifting(drift: float, faster: float, name: str) -> Account:
    """An account against "base" whose host slowed down by `drift` since another run."""
    repeats = []
    for index in range(20):
        now = drift * (1 + 0.001 * index)
        repeats += [PipelineRepeat("a", False, now), PipelineRepeat("b", False, now / faster)]
    data = PipelineData("base", name, tuple(repeats))
    return build_account(data, MISSING, {}, books_gain=True, stop_below=0.03)


def end_to_end(a: Account, b: Account) -> MetricRow:
    comparison = compare_versions((), "A", "B", device="cuda:0", books_gain=True, names={})
    return {row.id: row for row in metric_rows(None, None, comparison, a, b)}["end_to_end"]


def test_two_versions_from_different_moments_are_compared_through_their_pairs_with_the_baseline() -> None:
    row = end_to_end(drifting(1.0, 1.25, "x"), drifting(1.4, 1.5, "y"))
    assert row.a is not None
    assert row.b is not None
    assert row.b > row.a
    assert row.difference == pytest.approx(1.25 / 1.5 - 1)
    assert row.better == "better"
    assert str(row.name) == "End to end, by pairs"


def test_the_baseline_beside_a_version_has_the_wall_of_that_versions_run() -> None:
    row = end_to_end(drifting(1.0, 1.0, "base"), drifting(1.4, 1.25, "x"))
    assert row.a == pytest.approx(1.4, rel=0.02)
    assert row.difference == pytest.approx(1 / 1.25 - 1)
    assert row.interval is not None


def test_cpu_time_is_shown_without_difference_or_mark() -> None:
    rows = rows_of(emulator_runs(), "emulator", False)
    assert rows["kernel_time"].a is not None
    assert rows["kernel_time"].difference is None
    assert rows["kernel_time"].better is None
    assert rows["end_to_end"].better is None
    assert "bandwidth" not in rows


def test_what_neither_run_has_gets_no_row() -> None:
    comparison = compare_versions((), "A", "B", device="cuda:0", books_gain=True, names={})
    assert metric_rows(None, None, comparison) == ()


def test_counts_are_exact_differences() -> None:
    row = rows_of(gpu_runs(), "cuda:0", True)["registers"]
    assert (row.a, row.b, row.difference, row.better) == (40, 40, 0, "same")


def test_a_changed_word_is_marked_and_nothing_else() -> None:
    (line,) = align("float px = src[i];", "float px = tile[i];")
    assert line.kind == "changed"
    assert [line.a_text[slice(*span)] for span in line.a_spans] == ["src"]
    assert [line.b_text[slice(*span)] for span in line.b_spans] == ["tile"]


def test_unlike_lines_stand_apart() -> None:
    kinds = [line.kind for line in align("int a = 0;\nreturn;\n", "int a = 0;\n__syncthreads();\n")]
    assert kinds == ["same", "removed", "added"]


def test_an_inserted_line_leaves_its_neighbours_paired() -> None:
    lines = align("sum += a * x;\nsum += b * y;\n", "sum += a * z;\nfoo(bar, baz);\nsum += b * z;\n")
    assert [line.kind for line in lines] == ["changed", "added", "changed"]


def test_line_ends_are_no_difference() -> None:
    assert all(line.kind == "same" for line in align("a\r\nb\r\n", "a\nb\n"))


def test_long_unchanged_runs_fold_and_can_be_shown() -> None:
    before = "\n".join(f"line {n}" for n in range(40))
    folded = fold_unchanged(align(before, before.replace("line 20", "changed 20")), context=3)
    assert [part.count if isinstance(part, Fold) else part.a_number for part in folded] == [17, 18, 19, 20, 21, 22, 23, 24, 16]


def test_equal_sources_are_one_fold() -> None:
    folded = fold_unchanged(align("a\nb\nc", "a\nb\nc"))
    assert [part.count for part in folded if isinstance(part, Fold)] == [3]


texts = st.lists(st.text("ab x(;", max_size=6), max_size=12).map("\n".join)


@given(texts, texts)
def test_each_side_of_the_rows_is_that_source(a: str, b: str) -> None:
    rows = align(a, b)
    assert [row.a_text for row in rows if row.a_number is not None] == a.splitlines()
    assert [row.b_text for row in rows if row.b_number is not None] == b.splitlines()
    assert [row.a_number for row in rows if row.a_number] == list(range(1, len(a.splitlines()) + 1))
    assert [row.b_number for row in rows if row.b_number] == list(range(1, len(b.splitlines()) + 1))


@given(texts, texts)
def test_outside_the_marked_words_changed_lines_are_equal(a: str, b: str) -> None:
    spans = word_spans(a, b)
    for text, found in ((a, spans[0]), (b, spans[1])):
        assert all(0 <= start < end <= len(text) for start, end in found)
        assert all(left[1] <= right[0] for left, right in itertools.pairwise(found))
    assert unmarked(a, spans[0]) == unmarked(b, spans[1])


def unmarked(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    return "".join(char for index, char in enumerate(text) if not any(start <= index < end for start, end in spans))


@given(texts, texts, st.integers(0, 4))
def test_folding_hides_nothing_but_unchanged_lines(a: str, b: str, context: int) -> None:
    rows = align(a, b)
    folded = fold_unchanged(rows, context)
    opened: list[AlignedLine] = []
    for part in folded:
        if isinstance(part, Fold):
            assert all(line.kind == "same" for line in part.lines)
            opened.extend(part.lines)
        else:
            opened.append(part)
    assert tuple(opened) == rows
