"""The words of a source under study, while it is typed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ui.widgets.cuda_syntax import CudaSyntax

SOURCE = """// ledger: block=32,8,1
#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(256) scale(const float* __restrict__ a, float* b)
{
    __shared__ float tile[3]; // größe
    int x = blockIdx.x * 32 + 1; /* two
    lines */ float y = fminf(a[x], 0.5f);
    other<<<1, 2>>>(a);
}
"""


def words_of(text: str) -> dict[str, str]:
    syntax = CudaSyntax()
    syntax.update(text)
    lines = text.split("\n")
    found: dict[str, str] = {}
    for line, spans in zip(lines, syntax.spans(0, len(lines)), strict=False):
        found.update({line[start:end]: word for start, end, word in spans})
    return found


def test_words_of_cuda_are_told_apart() -> None:
    words = words_of(SOURCE)
    assert words["__global__"] == words["__shared__"] == words["__restrict__"] == "keyword"
    assert words["float"] == words["blockIdx"] == "type"
    assert words["fminf"] == words["scale"] == "function"
    assert words["0.5f"] == "number"
    assert words["#include"] == words["// ledger: block=32,8,1"] == "directive"
    assert words["// größe"] == "comment"


def test_a_comment_over_two_lines_is_a_comment_on_both() -> None:
    words = words_of(SOURCE)
    assert words["/* two"] == "comment"
    assert words["    lines */"] == "comment"


def test_columns_count_as_qt_counts_them_behind_wide_characters() -> None:
    syntax = CudaSyntax()
    syntax.update("/* 😀 */ int x;\n")
    spans = syntax.spans(0, 0)[0]
    assert (spans[1].start, spans[1].end, spans[1].word) == (9, 12, "type")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 30), st.sampled_from(["", "x", "\n", "/*", "*/", "ä", "{", "float "])),
        max_size=6,
    )
)
def test_edits_one_by_one_end_at_the_same_words_as_the_whole_text(edits: list[tuple[int, int, str]]) -> None:
    text, typed = SOURCE, CudaSyntax()
    typed.update(text)
    for place, removed, added in edits:
        text = text[:place] + added + text[place + removed :]
        typed.update(text)
    fresh = CudaSyntax()
    fresh.update(text)
    last = text.count("\n")
    assert typed.text == fresh.text == text
    assert typed.spans(0, last) == fresh.spans(0, last)


def test_a_bracket_finds_its_partner_on_another_line() -> None:
    syntax = CudaSyntax()
    syntax.update(SOURCE)
    assert syntax.bracket_pair(3, 0) == ((3, 0), (8, 0))
    assert syntax.bracket_pair(8, 0) == ((8, 0), (3, 0))
    assert syntax.bracket_pair(4, 0) is None
    assert syntax.bracket_pair(99, 0) is None


def test_an_empty_text_has_no_words() -> None:
    assert CudaSyntax().spans(0, 0) == [[]]
