"""Two texts beside each other."""

from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.line_diff import align, counts, fold, margin, split_lines, word_parts
from workbench.analysis.compare import Fold

LINES = st.lists(st.sampled_from(["a = 1;", "a = 2;", "b(c);", "", "}", "b(c, d);"]), max_size=12)


@given(LINES, LINES)
def test_both_texts_can_be_read_back_from_the_rows(old: list[str], new: list[str]) -> None:
    rows = align(old, new)
    assert [row.a_text for row in rows if row.a_number is not None] == old
    assert [row.b_text for row in rows if row.b_number is not None] == new
    assert [row.a_number for row in rows if row.a_number] == list(range(1, len(old) + 1))


@given(LINES, LINES)
def test_folding_hides_equal_lines_only(old: list[str], new: list[str]) -> None:
    rows = align(old, new)
    folded = fold(rows, context=1)
    assert sum(row.count if isinstance(row, Fold) else 1 for row in folded) == len(rows)
    assert counts([row for row in folded if not isinstance(row, Fold)]) == counts(rows)


def test_similar_lines_stand_beside_each_other_and_their_words_are_marked() -> None:
    rows = align(["int x = a[i];", "done"], ["extra;", "int x = b[i];", "done"])
    assert [row.kind for row in rows] == ["added", "changed", "same"]
    old, new = rows[1].a_spans, rows[1].b_spans
    assert rows[1].a_text[slice(*old[0])] == "a"
    assert rows[1].b_text[slice(*new[0])] == "b"


def test_a_gap_of_blanks_between_changed_words_is_closed() -> None:
    assert word_parts("f(x y);", "f(p q);") == (((2, 5),), ((2, 5),))


def test_line_ends_of_any_kind_give_the_same_lines() -> None:
    assert split_lines("a\r\nb\nc") == ["a", "b", "c"]
    assert split_lines("a\n") == ["a"]
    assert split_lines("") == []


def test_the_margin_names_added_changed_and_removed_lines() -> None:
    parent = "one\ntwo words here\nthree\nfour\n"
    text = "zero\none\ntwo words there\nfour\n"
    assert margin(parent, text) == {0: "added", 2: "changed", 3: "removed"}


def test_a_removal_at_the_end_is_marked_on_the_last_line() -> None:
    assert margin("a\nb\n", "a\n") == {0: "removed"}


def test_equal_texts_have_no_margin() -> None:
    assert margin("a\nb", "a\nb") == {}
