"""What a C++ compiler said, as places in the kernel's own source."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from plugins.emulator.headers import is_unknown, named_headers
from plugins.emulator.refusals import refuse
from plugins.emulator.source_lines import line_at
from workbench.plugin_api import Failure, Fault, SourceLine, SourceText, message

USER_FILE = "kernel.cu"
ENTRY_FILE = "entry"
"""The part of a compiled copy that calls the kernel; its errors belong to the kernel's first line."""

Severity = Literal["error", "warning", "note"]
_LINE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+)(?::\d+)?: (?P<severity>fatal error|error|warning|note): (?P<text>.*)$")
_PLACE = re.compile(rf"(?:^|from )(?:\./)?{re.escape(USER_FILE)}:(?P<line>\d+)")
_UNDECLARED = re.compile(
    r"not declared|has not been declared|does not name a type|undeclared|unknown type name|no member named|not a member of"
    r"|no template named|no matching function|no match for"
)
MOST_LINES = 50
_REFUSED = re.compile(r"LEDGER_REFUSED: ([^\"]+?)\"?$")
"""What a static_assert of the shim says of something that the emulator cannot do."""


def parse(output: str, entry_line: int = 1) -> tuple[SourceLine, ...]:
    """Return errors, warnings and notes of g++ or clang++ (text form) at lines of the kernel's source.

    A diagnostic inside a header of the emulator goes to the nearest line of the kernel that the compiler names with it.
    """
    lines = output.splitlines()
    found = []
    for index, line in enumerate(lines):
        match = _LINE.match(line)
        if match is None:
            continue
        place = _place(match, lines, index, entry_line)
        severity: Severity = (
            "error" if "error" in match["severity"] else ("warning" if match["severity"] == "warning" else "note")
        )
        if place is not None:
            found.append(SourceLine(place, _clean(match["text"]), severity))
    return tuple(dict.fromkeys(found))[:MOST_LINES]


def _place(match: re.Match[str], lines: Sequence[str], index: int, entry_line: int) -> int | None:
    name = match["file"].removeprefix("./")
    if name == USER_FILE:
        return int(match["line"])
    if name == ENTRY_FILE:
        return entry_line
    if match["severity"] == "note" or match["severity"] == "warning":
        return None
    around = [*reversed(lines[max(0, index - 12) : index]), *lines[index + 1 : index + 12]]
    return next((int(place["line"]) for text in around if (place := _PLACE.search(text))), entry_line)


def _clean(text: str) -> str:
    text = re.sub(r"\s*\[-W[\w=+-]+\]$", "", text)
    return text.replace("‘", "'").replace("’", "'")


def compile_failed(output: str, name: str, entry_line: int = 1) -> Fault:
    """Return the fault for a compiler that refused the source `name`."""
    lines = parse(output, entry_line)
    first = next((line for line in lines if line.severity == "error"), None)
    if first is not None and (said := _REFUSED.search(first.text)):
        return refuse(said[1], first.line, "")
    if first is None:
        sentence = message("{name} does not compile, and the compiler named no line; its output is in the log.", name=name)
    else:
        sentence = message("{name} does not compile: line {line}: {text}", name=name, line=first.line, text=first.text)
    return Fault(Failure("CompileFailed", sentence, lines, output[-20000:]))


def missing_header(failure: Failure, text: str, includes: Mapping[str, SourceText], name: str) -> Fault | None:
    """Return the refusal of headers that nobody has, where a name that does not compile may come from them; else None.

    `text` is the source and `includes` are the project's headers.
    """
    unknown = unknown_headers(text, includes)
    first = next((line for line in failure.lines if line.severity == "error"), None)
    if not unknown or first is None or not _UNDECLARED.search(first.text):
        return None
    lines = [SourceLine(line, f"#include {header}") for line, header in unknown if line]
    sentence = message(
        "Line {line}: {said}; it may come from what {name} includes and the emulator has not got: {headers}. Put the header into "
        "the project's folder, paste what the kernel needs from it into the file, or use a CUDA device.",
        line=first.line, said=first.text, name=name, headers=", ".join(header for _, header in unknown),
    )  # fmt: skip
    return Fault(Failure("NotSupported", sentence, (first, *lines), failure.detail))


def unknown_headers(text: str, includes: Mapping[str, SourceText]) -> list[tuple[int, str]]:
    """Return line (0: in a header of the project) and name of the headers that are neither the project's nor known here."""
    own = {posixpath.basename(name) for name in includes}
    found = [(line_at(text, at), name) for at, name in named_headers(text)]
    found += [(0, name) for header in includes.values() for _, name in named_headers(header.text)]
    return [(line, name) for line, name in found if is_unknown(name) and posixpath.basename(name) not in own]
