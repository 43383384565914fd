"""What a sanitizer found, as marks at lines of the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from workbench.model.failure import SourceLine
from workbench.model.sanitizer import Finding, SanitizerData, Severity
from workbench.texts import message

_WEIGHTS: Mapping[Severity, Literal["error", "warning", "note"]] = {
    "error": "error", "warning": "warning", "information": "note",
}  # fmt: skip


def finding_marks(data: SanitizerData | None) -> tuple[SourceLine, ...]:
    """Return a mark at each finding's line and a note at the line of a race's earlier access, the worst first."""
    marks = dict.fromkeys(mark for finding in data.findings for mark in _marks(finding)) if data else {}
    return tuple(sorted(marks, key=lambda mark: ("error", "warning", "note").index(mark.severity)))


def _marks(finding: Finding) -> Iterator[SourceLine]:
    line, other = finding.touch.line, finding.other.line if finding.other else 0
    text = without_line(finding)
    if line > 0:
        yield SourceLine(line, text, _WEIGHTS[finding.severity])
    if line > 0 and other > 0 and other != line:
        yield SourceLine(other, str(message("see line {line}: {sentence}", line=line, sentence=text)), "note")


def without_line(finding: Finding) -> str:
    """Return a finding's sentence for a place that tells its line already."""
    sentence = str(finding.sentence)
    rest = sentence.removeprefix(str(message("Line {line}: ", line=finding.touch.line)))
    return rest[:1].upper() + rest[1:] if rest != sentence else sentence
