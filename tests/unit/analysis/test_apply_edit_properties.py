"""What must hold for every text: exact diffs give their target, line ends are kept, refusals change nothing."""

from __future__ import annotations

import difflib

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from workbench.analysis.apply_edit import apply_hunks, outcome_of, plan
from workbench.suggest.read_reply import read_reply

CODE = st.text(alphabet="abxyz01 ={}();/*+-@#\t<>.", max_size=12)
LINES = st.lists(CODE, min_size=1, max_size=14)


def unified(old: list[str], new: list[str], fence: bool = True) -> str:
    body = "\n".join(difflib.unified_diff(old, new, "a/k.cu", "b/k.cu", lineterm=""))
    return f"```diff\n{body}\n```\n" if fence else body + "\n"


def blocks(old: list[str], new: list[str]) -> str:
    head, tail = "<<<<<<< SEARCH", ">>>>>>> REPLACE"
    return "\n".join([head, *old, "=======", *new, tail, ""])


@st.composite
def edited_numbered_text(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """A text whose lines all differ, and the same text edited."""
    old = [f"    v{index} = {draw(CODE)}" for index in range(draw(st.integers(1, 14)))]
    new = list(old)
    for index in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(new)))
        match draw(st.sampled_from(["insert", "delete", "replace"])):
            case "insert":
                new.insert(at, f"    n{index} = {draw(CODE)}")
            case "delete" if at < len(new):
                del new[at]
            case "replace" if at < len(new):
                new[at] = f"    r{index} = {draw(CODE)}"
            case _:
                pass
    return old, new


@given(edited_numbered_text(), st.booleans())
def test_an_exact_diff_of_a_text_without_repetition_is_applied_and_gives_its_target(
    texts: tuple[list[str], list[str]], fence: bool
) -> None:
    old, new = texts
    assume(old != new and new)
    base = "\n".join(old) + "\n"
    made = plan(base, read_reply(unified(old, new, fence)), "k.cu")
    assert made.outcome == "applied", [str(notice) for hunk in made.hunks for notice in hunk.notices]
    assert apply_hunks(base, made, made.acceptable) == "\n".join(new) + "\n"


@settings(max_examples=200)
@given(LINES, LINES)
def test_an_exact_diff_of_any_text_gives_its_target_or_is_not_applied(old: list[str], new: list[str]) -> None:
    base = "\n".join(old) + "\n"
    made = plan(base, read_reply(unified(old, new)), "k.cu")
    if made.outcome == "applied":
        assert apply_hunks(base, made, made.acceptable) == "\n".join(new) + "\n"


@given(edited_numbered_text(), st.booleans())
def test_line_ends_of_answer_and_file_make_no_difference_to_the_lines(texts: tuple[list[str], list[str]], newline: bool) -> None:
    old, new = texts
    lf = "\n".join(old) + ("\n" if newline else "")
    expected = plan(lf, read_reply(unified(old, new)), "k.cu")
    wanted = apply_hunks(lf, expected, expected.acceptable)
    for base, end in ((lf, "\n"), (lf.replace("\n", "\r\n"), "\r\n")):
        for answer in (unified(old, new), unified(old, new).replace("\n", "\r\n")):
            made = plan(base, read_reply(answer), "k.cu")
            assert [hunk.status for hunk in made.hunks] == [hunk.status for hunk in expected.hunks]
            if len(old) > 1:
                assert apply_hunks(base, made, made.acceptable) == wanted.replace("\n", end)


@given(LINES, st.lists(CODE, min_size=1, max_size=4), st.lists(CODE, max_size=4))
def test_old_lines_that_stand_twice_are_refused(text: list[str], old: list[str], new: list[str]) -> None:
    assume(old != new)
    base = "\n".join([*old, *text, *old]) + "\n"
    made = plan(base, read_reply(blocks(old, new)), "k.cu")
    assert made.outcome == "refused"


@given(LINES, st.text(max_size=200))
def test_any_answer_gives_a_plan_and_accepting_nothing_leaves_the_text_alone(lines: list[str], answer: str) -> None:
    base = "\n".join(lines)
    made = plan(base, read_reply(answer), "k.cu")
    assert apply_hunks(base, made, ()) == base
    assert outcome_of(made, ()) == "refused"


@given(edited_numbered_text())
def test_applying_an_answer_twice_changes_nothing_the_second_time(texts: tuple[list[str], list[str]]) -> None:
    old, new = texts
    assume(old != new and new)
    base = "\n".join(old) + "\n"
    first = plan(base, read_reply(unified(old, new)), "k.cu")
    once = apply_hunks(base, first, first.acceptable)
    second = plan(once, read_reply(unified(old, new)), "k.cu")
    assert second.outcome != "applied"
