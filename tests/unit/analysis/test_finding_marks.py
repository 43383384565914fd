"""A sanitizer's findings as marks at lines of the source."""

from __future__ import annotations

import msgspec

from tests.helpers.sample_findings import race, sample_findings, with_findings
from tests.helpers.sample_session import emulator_runs, sample_versions
from workbench.analysis.finding_marks import finding_marks, without_line
from workbench.commands.edit_version import edited, findings
from workbench.model.failure import SourceLine
from workbench.model.sanitizer import Touch
from workbench.state.workspace import Draft, SessionView
from workbench.texts import message

RACE = "Thread (32, 0, 0) reads row[31] after thread (31, 0, 0) wrote it at line 5."


def test_both_lines_of_a_race_are_marked_and_the_worst_stands_first() -> None:
    assert finding_marks(sample_findings()) == (
        SourceLine(7, RACE, "error"),
        SourceLine(8, "Lanes of one warp meet in row[2].", "warning"),
        SourceLine(5, f"see line 7: {RACE}", "note"),
        SourceLine(9, "The same value is written twice.", "note"),
    )


def test_without_findings_or_lines_there_is_no_mark() -> None:
    assert finding_marks(None) == ()
    nowhere = msgspec.structs.replace(race(), touch=Touch("read", 0, (0, 0, 0), (0, 0, 0)))
    assert finding_marks(msgspec.structs.replace(sample_findings(), findings=(nowhere,))) == ()


def test_a_sentence_that_does_not_begin_with_its_line_stays_whole() -> None:
    assert without_line(msgspec.structs.replace(race(), sentence=message("The heap is full."))) == "The heap is full."


def test_a_draft_begins_with_the_findings_of_the_newest_run_and_they_follow_their_lines() -> None:
    version = sample_versions()[1]
    runs = with_findings(emulator_runs(), version.hash)
    view = SessionView("synthetic.db", None, sample_versions(), runs)
    assert findings(view, version.hash, "emulator") == finding_marks(sample_findings())
    assert findings(view, version.hash, "cuda:0") == ()
    text = version.code.source.text
    changed = edited(Draft(version.hash, text), "// a new first line\n" + text, view, "emulator")
    assert [mark.line for mark in changed.marks] == [8, 9, 6, 10]
