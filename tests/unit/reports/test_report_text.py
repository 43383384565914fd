"""Fonts and lines of text in the PDF: what the arithmetic of the page relies on."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st

import resources
from workbench.reports.pdf.fonts import FALLBACK, FILES, runs, width
from workbench.reports.pdf.highlight import highlighted
from workbench.reports.pdf.pen import TEXT, Style, fit, ink_on, longest, measure, wrap

NEEDED = "ABCxyz 0123456789 ×−≤≥·–—“”→≈µ°αωΩ…±÷"


@pytest.mark.parametrize("name", [name for name in FILES if name != FALLBACK])
def test_every_face_has_the_signs_that_numbers_and_sentences_need(name: str) -> None:
    assert [part for face, part in runs(NEEDED, name) if face == FALLBACK] == []


@pytest.mark.parametrize("name", ["text", "medium", "bold", "code"])
def test_digits_of_text_faces_are_equally_wide_so_that_columns_line_up(name: str) -> None:
    assert len({round(width(digit, name, 10), 6) for digit in "0123456789"}) == 1


@pytest.mark.parametrize("file", sorted(set(FILES.values())))
def test_every_face_has_true_type_outlines(file: str) -> None:
    """reportlab refuses CFF."""
    assert "glyf" in TTFont(resources.path(f"fonts/{file}"), fontNumber=0)


def test_every_face_ships_with_its_licence() -> None:
    names = {path.name.split("-")[0] for path in resources.path("fonts/LICENSES").iterdir()}
    assert names == {"Inter", "JetBrainsMono", "wqy"}


def test_mixed_lines_are_split_into_runs_of_the_face_and_the_fallback() -> None:
    assert list(runs("6.6 倍 faster", "text")) == [("text", "6.6 "), ("fallback", "倍"), ("text", " faster")]
    assert list(runs("", "text")) == []


ANY = st.text(alphabet=st.sampled_from("ab W.,_/倍数 %0\u202f🚀"), max_size=120)


@settings(deadline=None)  # the first example loads the fonts
@given(ANY, st.floats(20, 300))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, length: float) -> None:
    lines = wrap(text, TEXT, length)
    assert all(measure(line, TEXT) <= length or len(line) == 1 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@settings(deadline=None)  # the first example loads the fonts
@given(ANY, st.floats(20, 300))
def test_a_fitted_line_is_whole_or_ends_in_an_ellipsis(text: str, limit: float) -> None:
    line = fit(text, TEXT, limit)
    assert measure(line, TEXT) <= limit
    assert line == text or line.endswith("…")


@settings(deadline=None)  # the first example loads the fonts
@given(ANY, st.floats(0, 200))
def test_the_longest_head_cannot_be_longer(text: str, limit: float) -> None:
    head = longest(text, TEXT, limit)
    assert text.startswith(head)
    assert measure(head, TEXT) <= limit or not head
    assert head == text or measure(text[: len(head) + 1], TEXT) > limit


@settings(deadline=None)  # the first example loads the fonts
@given(
    st.lists(
        st.text(alphabet=st.characters(blacklist_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), max_size=30), max_size=12
    )
)
def test_highlighting_changes_no_character(lines: list[str]) -> None:
    assert ["".join(text for _, text in pieces) for pieces in highlighted(lines)] == lines


def test_a_comment_over_several_lines_stays_a_comment_to_its_end() -> None:
    pieces = highlighted(["/* one", "float two", "*/ float x; // last"])
    assert pieces[1] == [("code_comment", "float two")]
    assert pieces[2][-1] == ("code_comment", "// last")


@pytest.mark.parametrize(
    "token", ["stage_cpu", "stage_h2d", "stage_kernel", "stage_other", "stage_sync", "stage_d2h", "stage_alloc"]
)
def test_numbers_in_bars_are_drawn_in_the_ink_that_reads_better(token: str) -> None:
    assert ink_on(token) in ("page", "text")
    assert ink_on("#ffffff") == "text"
    assert ink_on("#000000") == "page"
    assert Style().color == "text"


def test_a_name_breaks_at_its_hyphen_and_an_exponent_does_not() -> None:
    assert wrap("shared-memory tile", TEXT, 50) == ["shared-", "memory tile"]
    assert wrap("error 1.4e-6", TEXT, 30) == ["error", "1.4e-6"]


def test_a_last_number_does_not_stand_on_a_line_of_its_own() -> None:
    assert wrap("Candidates tried: 3.", TEXT, measure("Candidates tried:", TEXT) + 1)[-1] != "3."
