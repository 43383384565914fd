"""Each version's source against its parent's, line by line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from workbench.model.version import Version
from workbench.reports.blocks import Change, DiffLine, ReportInput
from workbench.texts import Message, message, tr

WHOLE = 60
"""A source up to this many lines is shown whole; a longer one with CONTEXT lines around each hunk."""
CONTEXT = 4


def changes(session: ReportInput) -> tuple[Change, ...]:
    """Return the changes of all versions that were run on the report's device, in the ledger's order."""
    versions = {version.hash: version for version in session.versions}
    shown = [versions[line.version] for line in session.ledger.lines if line.run is not None and line.version in versions]
    metrics = {each.result: each.metric for each in session.suggestions if each.result}
    file = session.project.kernel.source if session.project else tr("source")
    return tuple(_change(version, versions.get(version.parent or ""), metrics.get(version.hash, ""), file) for version in shown)


def _change(version: Version, parent: Version | None, metric: str, file: str) -> Change:
    new = version.code.source.text.splitlines()
    old = parent.code.source.text.splitlines() if parent else new
    lines = tuple(diff_lines(old, new))
    return Change(
        name=version.name,
        parent=parent.name if parent else None,
        hash=version.hash,
        author=_made_by(version),
        hypothesis=version.hypothesis,
        metric=metric,
        file=file,
        lines=lines,
        added=sum(line.kind == "added" for line in lines),
        removed=sum(line.kind == "removed" for line in lines),
    )


def _made_by(version: Version) -> Message:
    """Return who made a version, in words."""
    name = version.author.name
    return {
        "person": message("Written by {name}.", name=name) if name else message("Written by a person."),
        "model": message("Suggested by {name}.", name=name or "a model"),
        "clipboard": message("Pasted from a model's answer."),
        "rules": message("Suggested by a rule."),
        "tuner": message("Found by the tuner."),
        "shipped": message("A shipped answer, not a fresh one."),
    }[version.author.kind]


def diff_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    """Yield the lines of a change; numbers are 1-based. Unchanged lines far from every hunk of a long source become one gap."""
    hunk = 0
    folded = max(len(old), len(new)) > WHOLE and list(old) != list(new)
    opcodes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for index, (tag, a, b, c, d) in enumerate(opcodes):
        if tag == "equal":
            yield from _same(new, (a, c, b - a), folded, index == 0, index == len(opcodes) - 1)
            continue
        hunk += 1
        yield from (DiffLine("removed", number + 1, None, old[number], hunk) for number in range(a, b))
        yield from (DiffLine("added", None, number + 1, new[number], hunk) for number in range(c, d))


def _same(new: Sequence[str], place: tuple[int, int, int], folded: bool, first: bool, last: bool) -> Iterator[DiffLine]:
    """Yield equal lines from `place` (start in old, start in new, count), the middle of a long stretch as a gap."""
    a, c, count = place
    head = 0 if first else CONTEXT
    tail = 0 if last else CONTEXT
    for offset in range(count):
        if folded and head <= offset < count - tail and count > head + tail + 1:
            if offset == head:
                yield DiffLine("gap", None, None, str(count - head - tail))
            continue
        yield DiffLine("same", a + offset + 1, c + offset + 1, new[c + offset])
