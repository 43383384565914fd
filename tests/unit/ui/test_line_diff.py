"""What the window makes of two aligned texts."""

from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.line_diff import align_lines, calm, counts, margin

LINES = st.lists(st.sampled_from(["a = 1;", "a = 2;", "b(c);", "", "}", "b(c, d);"]), max_size=12)


@given(LINES, LINES, st.integers(1, 90), st.integers(1, 90))
def test_both_pieces_can_be_read_back_with_their_own_numbers(old: list[str], new: list[str], first: int, second: int) -> None:
    rows = align_lines(old, new, first, second)
    assert [row.a_text for row in rows if row.a_number is not None] == old
    assert [row.b_text for row in rows if row.b_number is not None] == new
    assert [row.a_number for row in rows if row.a_number] == list(range(first, first + len(old)))
    assert [row.b_number for row in rows if row.b_number] == list(range(second, second + len(new)))


def test_a_gap_of_blanks_between_changed_words_is_closed_and_changed_blanks_alone_are_not_marked() -> None:
    assert calm("    f(x y);", [(0, 4), (6, 7), (8, 9)]) == ((6, 9),)


def test_the_margin_names_added_changed_and_removed_lines() -> None:
    parent = "one\ntwo words here\nthree\nfour\n"
    text = "zero\none\ntwo words there\nfour\n"
    assert margin(parent, text) == {0: "added", 2: "changed", 3: "removed"}


def test_a_removal_at_the_end_is_marked_on_the_last_line() -> None:
    assert margin("a\nb\n", "a\n") == {0: "removed"}


@given(LINES)
def test_equal_texts_have_no_margin(lines: list[str]) -> None:
    assert margin("\r\n".join(lines), "\n".join(lines)) == {}


def test_counts_tell_changed_added_and_removed_lines() -> None:
    rows = align_lines(["int x = a;", "gone();", "}"], ["int x = b;", "}", "more(1, 2);"], 1, 1)
    assert counts(rows) == (1, 1, 1)
