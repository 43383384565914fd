"""Unified diffs of an answer, with the damage that models do to them, and the `*** Begin Patch` form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.model.edit import ProposedEdit
from workbench.suggest.diff_hunks import HEADER, HunkBody
from workbench.suggest.segments import Segment, title_of
from workbench.texts import Message, message

_OLD = re.compile(r"^--- (?P<path>\S.*?)\s*$")
_NEW = re.compile(r"^\+\+\+ (?P<path>\S.*?)\s*$")
_GIT = re.compile(
    r"^(?:diff --git |Index: |index [0-9a-f]{4,}\.\.|(?:new|deleted) file mode \d|(?:old|new) mode \d|"
    r"similarity index \d|dissimilarity index \d|rename (?:from|to) |Binary files )"
)
_GIT_PATH = re.compile(r"^diff --git \S+ (?P<path>\S.*?)\s*$")
_CODEX = re.compile(
    r"^\*\*\* (?P<what>Begin Patch|End Patch|End of File|Update File|Add File|Delete File|Move to)(?::\s*(?P<path>.*?))?\s*$"
)
DIFF_LANGUAGES = frozenset({"diff", "patch", "udiff"})


def has_diff(segment: Segment) -> bool:
    """True when a segment holds a diff of any of the known forms."""
    if segment.fenced and segment.language in DIFF_LANGUAGES:
        return True
    lines = segment.lines
    return any(
        line.startswith("@@") or line.startswith("*** Begin Patch") or _CODEX.match(line) or _pair(lines, index)
        for index, line in enumerate(lines)
    )


def _pair(lines: Sequence[str], index: int) -> bool:
    return bool(_OLD.match(lines[index])) and index + 1 < len(lines) and bool(_NEW.match(lines[index + 1]))


def clean_path(text: str) -> str:
    """Return a diff's path without quotes, time stamp and the `a/` or `b/` before it."""
    path = text.split("\t")[0].strip().strip('"').replace("\\", "/")
    return path if path == "/dev/null" else re.sub(r"^(?:[ab]/|\./)", "", path)


class _Reader:
    """Goes through the lines of one segment; what is open is the file and the hunk that lines belong to now."""

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.lines = segment.lines
        self.edits: list[ProposedEdit] = []
        self.file = segment.file
        self.file_notices: list[Message] = []
        self.refusal: Message | None = None
        self.hunk: HunkBody | None = None
        self.in_file = segment.fenced
        self.codex = False
        self.prose = list(segment.before)

    def read(self) -> list[ProposedEdit]:
        index = 0
        while index < len(self.lines):
            index += self._line(index)
        if self.hunk is not None:
            unknown_end = self.hunk.claims is None and not self.codex
            self.hunk.cut_off = not self.segment.closed and (self.hunk.short or unknown_end or self.codex)
        self._close(last=True)
        return self.edits

    def _line(self, index: int) -> int:
        """Take the line at `index`; return how many lines were used."""
        line = self.lines[index]
        codex = _CODEX.match(line)
        if codex:
            self._codex(codex)
        elif _GIT.match(line):
            self._close()
            found = _GIT_PATH.match(line)
            if found:
                self._open_file(clean_path(found["path"]))
        elif self._is_file_header(index):
            return self._file_header(index)
        elif line.startswith("@@"):
            self._close()
            self.hunk = HunkBody(HEADER.match(line))
        elif self.hunk is not None:
            self._hunk_line(index)
        elif line[:1] in ("+", "-", " ") and line.strip() and self.in_file:
            self.hunk = HunkBody(None, [line])
        else:
            self.prose.append(line)
        return 1

    def _is_file_header(self, index: int) -> bool:
        """A `---`/`+++` pair (or one of both) before an `@@`; the counts of the hunk before it have no say."""
        following = self.lines[index + 1 : index + 3]
        if _pair(self.lines, index):
            at_hunk = len(following) < 2 or following[1].startswith("@@") or not following[1].strip()
            return at_hunk or self.hunk is None or self.hunk.satisfied
        alone = _OLD.match(self.lines[index]) or _NEW.match(self.lines[index])
        return bool(alone) and self.hunk is None and bool(following) and following[0].startswith("@@")

    def _file_header(self, index: int) -> int:
        self._close()
        used = 2 if _pair(self.lines, index) else 1
        paths = [clean_path(line[4:]) for line in self.lines[index : index + used]]
        self._open_file(next((path for path in reversed(paths) if path != "/dev/null"), None))
        if len(paths) == 2 and paths[0] == "/dev/null":
            self.file_notices.append(message("The diff says that the file is new (--- /dev/null)."))
        if len(paths) == 2 and paths[1] == "/dev/null":
            self.refusal = message("The answer wants to delete the whole file {file}; that is not done here.", file=paths[0])
        return used

    def _codex(self, found: re.Match[str]) -> None:
        self._close()
        match found["what"]:
            case "Begin Patch":
                self.codex = self.in_file = True
            case "End Patch":
                self.codex = self.in_file = False
            case "Update File" | "Add File":
                self.codex = True
                self._open_file(clean_path(found["path"] or ""))
                self.file_notices.append(message("The patch has no line numbers; places were found by their text."))
            case "Delete File":
                path = clean_path(found["path"] or "")
                self._open_file(path)
                refusal = message("The answer wants to delete the whole file {file}; that is not done here.", file=path)
                self.edits.append(ProposedEdit("diff", ((),), path, refusal=refusal))

    def _open_file(self, path: str | None) -> None:
        self.file, self.file_notices, self.refusal, self.in_file = path or self.segment.file, [], None, True

    def _hunk_line(self, index: int) -> None:
        line = self.lines[index]
        hunk = self.hunk
        if hunk is None or self._ends_hunk(index, hunk):
            self._close()
            self.prose = [line]
            self.in_file = self.in_file and (self.segment.fenced or self.codex)
        else:
            hunk.raw.append(line)

    def _ends_hunk(self, index: int, hunk: HunkBody) -> bool:
        """True where prose goes on after an unfenced diff (or a mail's signature after a patch)."""
        line = self.lines[index]
        if line in ("-- ", "--") and hunk.satisfied:
            return True
        if line[:1] in ("+", "-", " ", "\\", "\t") or self.segment.fenced or self.codex:
            return False
        if line.strip():
            return hunk.claims is None or not hunk.short
        following = next((other for other in self.lines[index + 1 :] if other.strip()), "")
        return following[:1] not in ("+", "-", " ", "@", "\t")

    def _close(self, *, last: bool = False) -> None:
        """Turn the open hunk into an edit."""
        if self.hunk is None:
            return
        doubtful = not self.segment.closed or (last and self.codex and not self.segment.fenced)
        if last and not self.segment.fenced and self.hunk.short and not self.codex:
            doubtful = True
        edit = self.hunk.finish(self.file, title_of(self.prose), doubtful=doubtful, notices=self.file_notices)
        if edit is not None and self.refusal is not None:
            edit = ProposedEdit(edit.kind, edit.readings, edit.file, edit.title, refusal=self.refusal)
        self.edits += [edit] if edit is not None else []
        self.hunk, self.prose = None, []


def read_diff(segment: Segment) -> list[ProposedEdit]:
    """Return one edit for each hunk of a segment, in order."""
    return _Reader(segment).read()
