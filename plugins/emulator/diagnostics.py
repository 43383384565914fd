"""What a C++ compiler said, as places in the kernel's own source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from plugins.emulator.refusals import refuse
from workbench.plugin_api import Failure, Fault, SourceLine, message

USER_FILE = "kernel.cu"
ENTRY_FILE = "entry"
"""The part of a compiled copy that calls the kernel; its errors belong to the kernel's first line."""

Severity = Literal["error", "warning", "note"]
_LINE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+)(?::\d+)?: (?P<severity>fatal error|error|warning|note): (?P<text>.*)$")
_PLACE = re.compile(rf"(?:^|from )(?:\./)?{re.escape(USER_FILE)}:(?P<line>\d+)")
_MISSING = re.compile(r"(?:fatal error: )?'?(?P<name>[^\s':]+)'?(?:: No such file or directory| file not found)")
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


def missing_header(output: str, name: str) -> Fault | None:
    """Return the refusal of a header the emulator has not got, None when that is not what went wrong."""
    for line in parse(output):
        found = _MISSING.search(line.text)
        if line.severity == "error" and found:
            sentence = message(
                "Line {line}: {name} includes {header}, which is not in the project and which the emulator has not got; "
                "put it into the project's folder, paste what the kernel needs from it into the file, or use a CUDA device.",
                line=line.line, name=name, header=found["name"],
            )  # fmt: skip
            return Fault(Failure("NotSupported", sentence, (SourceLine(line.line, f"#include {found['name']}"),), output[-4000:]))
    return None
