"""Typing in a file keeps the line ends it had."""

from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.indent import after_return, back_from, outdented, smallest_change, to_next_stop
from ui.widgets.line_ends import with_lf, with_own_ends

TEXT = st.text(st.sampled_from("ab \r\n"), max_size=30)
SHOWN = st.text(st.sampled_from("ab \n"), max_size=30)


@given(TEXT, SHOWN)
def test_what_is_shown_after_an_edit_is_what_was_typed(original: str, edited: str) -> None:
    assert with_lf(with_own_ends(original, edited)) == edited


@given(TEXT)
def test_a_text_that_was_not_edited_is_unchanged_to_the_byte(original: str) -> None:
    assert with_own_ends(original, with_lf(original)) == original


def test_a_new_line_in_a_crlf_file_ends_in_crlf() -> None:
    assert with_own_ends("a\r\nb\r\n", "a\nx\nb\n") == "a\r\nx\r\nb\r\n"


def test_lines_that_were_not_touched_keep_their_odd_ends() -> None:
    assert with_own_ends("a\nb\r\nc\r\nd", "a\nb\nC\nd") == "a\nb\r\nC\r\nd"


@given(SHOWN, SHOWN)
def test_the_smallest_change_makes_the_new_text(old: str, new: str) -> None:
    start, end, middle = smallest_change(old, new)
    assert old[:start] + middle + old[end:] == new


def test_a_line_behind_an_open_brace_is_indented_one_step_more() -> None:
    assert after_return("    for (;;) {  // why") == "        "
    assert after_return("    x = 1;") == "    "


def test_tab_and_backspace_move_between_stops() -> None:
    assert to_next_stop(5) == "   "
    assert back_from("      ") == 2
    assert back_from("    ") == 4
    assert back_from("  x") == 1
    assert outdented("      x") == "  x"
    assert outdented("\tx") == "x"
    assert outdented("x") == "x"
