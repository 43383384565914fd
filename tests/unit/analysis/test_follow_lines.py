"""Findings stay at their lines while the text around them is edited, and go with the line they are about."""

from __future__ import annotations

import pytest

from workbench.analysis.follow_lines import follow_lines
from workbench.model.failure import SourceLine

TEXT = "one\ntwo\nthree\nfour\n"
MARKS = (SourceLine(1, "first"), SourceLine(3, "third"))


@pytest.mark.parametrize(
    ("edited", "lines"),
    [
        (TEXT, [1, 3]),
        ("one\ntwo more\nthree\nfour\n", [1, 3]),
        ("one\ntwo\nthree!\nfour\n", [1]),
        ("one!\ntwo\nthree\nfour\n", [3]),
        ("zero\none\ntwo\nthree\nfour\n", [2, 4]),
        ("one\nthree\nfour\n", [1, 2]),
        ("one\ntwo\nthree\n\nfour\n", [1, 3]),
        ("one\ntwo\n\nthree\nfour\n", [1, 4]),
        ("one\ntwo\nfour\n", [1]),
        ("one\n", [1]),
        ("", []),
        ("something else", []),
        (TEXT + "five\n", [1, 3]),
    ],
)
def test_a_finding_moves_with_its_line_and_goes_when_that_line_is_changed(edited: str, lines: list[int]) -> None:
    found = follow_lines(MARKS, TEXT, edited)
    assert [mark.line for mark in found] == lines
    assert all(mark.text in ("first", "third") for mark in found)


def test_lines_that_are_all_alike_are_not_lost() -> None:
    brace = (SourceLine(2, "here"),)
    assert [mark.line for mark in follow_lines(brace, "}\n}\n}\n", "}\n}\n}\n}\n")] == [2]
