"""An answer in markdown, cut into prose and fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*$")
_CONTAINERS = frozenset({"", "md", "markdown", "text", "txt"})
_PATH = re.compile(r"(?:[\w.+@~-]+[/\\])*[\w.+@~-]+\.(?:cu|cuh|h|hh|hpp|hip|c|cc|cpp|cxx|inl|py)\b")
_LABEL = re.compile(r"\W*(?:hypothesis|(?:profiler |confirming )?metric)\W*[:：]", re.IGNORECASE)
_LEAD = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)?\s*")


@dataclass(frozen=True)
class Segment:
    """Consecutive lines of an answer: prose, or the inside of one fence. `before` are the last prose lines above a fence."""

    lines: tuple[str, ...]
    fenced: bool = False
    closed: bool = True
    info: str = ""
    before: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """First word of the fence's info, lower case."""
        return re.split(r"[\s:{,]", self.info.strip(), maxsplit=1)[0].lower()

    @property
    def file(self) -> str | None:
        """The path named in the fence's info or alone on the line above it."""
        found = _PATH.search(self.info)
        if found:
            return found[0].replace("\\", "/")
        return path_on_line(self.before[-1]) if self.before else None

    @property
    def title(self) -> str:
        """The last prose line above the fence that is no path."""
        return title_of(self.before)


def path_on_line(line: str) -> str | None:
    """Return the path when a line holds nothing else (`**kernel.cu**`, `### File: kernel.cu`, `kernel.cu:`)."""
    bare = _LEAD.sub("", line).strip().strip("*`_:\"' ")
    bare = re.sub(r"^(?:file(?:name)?|path)\s*[:=]\s*", "", bare, flags=re.IGNORECASE).strip("*`_\"' ")
    return bare.replace("\\", "/") if _PATH.fullmatch(bare) else None


def last_paragraph(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the last lines that belong together: the paragraph before an edit, and the path below it if there is one."""
    rest = list(lines)
    paths: list[str] = []
    taken: list[str] = []
    while rest and (not rest[-1].strip() or (not taken and not paths and path_on_line(rest[-1]))):
        line = rest.pop()
        paths += [line] if line.strip() else []
    while rest and rest[-1].strip():
        taken.append(rest.pop())
    return (*reversed(taken), *paths)


def title_of(lines: Sequence[str]) -> str:
    """Return the paragraph above an edit as a title, without list marks and a closing colon.

    Empty where it is no title: longer than 120 characters, or the hypothesis or metric itself.
    """
    words = " ".join(_LEAD.sub("", line).strip() for line in last_paragraph(lines) if path_on_line(line) is None)
    text = words.strip("*_ ").rstrip(":").strip("*_ ")
    return "" if len(text) > 120 or _LABEL.match(text) else text


def split_answer(text: str) -> list[Segment]:
    """Return the segments of an answer in order. CRLF becomes LF; a fence that never closes is marked so."""
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return _split(lines)


def _split(lines: Sequence[str]) -> list[Segment]:
    segments: list[Segment] = []
    prose: list[str] = []
    index = 0
    while index < len(lines):
        found = _FENCE.match(lines[index])
        if found is None:
            prose.append(lines[index])
            index += 1
            continue
        if prose:
            segments.append(Segment(tuple(prose)))
        end, after = _find_end(lines, index, found["ticks"], found["info"])
        inside = [_unindent(line, found["indent"]) for line in lines[index + 1 : end]]
        before = last_paragraph(prose)
        segments += _fence(inside, found["info"], before, closed=after > end and end < len(lines))
        prose, index = [], after
    if prose:
        segments.append(Segment(tuple(prose)))
    return segments


def _fence(inside: list[str], info: str, before: tuple[str, ...], *, closed: bool) -> list[Segment]:
    """One fence, or what is inside it where it only wraps other fences."""
    if not closed and not any(line.strip() for line in inside):
        return []
    segment = Segment(tuple(inside), True, closed, info, before)
    if segment.language in _CONTAINERS and any(_FENCE.match(line) for line in inside):
        return _split(inside)
    return [segment]


def _find_end(lines: Sequence[str], start: int, ticks: str, info: str) -> tuple[int, int]:
    """Return where a fence's inside ends and where reading goes on (the same line where a new fence cuts it off)."""
    wraps = info.strip().lower() in _CONTAINERS
    depth = 0
    for index in range(start + 1, len(lines)):
        found = _FENCE.match(lines[index])
        if found is None or found["ticks"][0] != ticks[0]:
            continue
        if found["info"]:
            if wraps:
                depth += 1
            elif len(found["ticks"]) >= len(ticks):
                return index, index
        elif len(found["ticks"]) >= len(ticks) or depth:
            if depth == 0:
                return index, index + 1
            depth -= 1
    return len(lines), len(lines)


def _unindent(line: str, indent: str) -> str:
    return line.removeprefix(indent)
