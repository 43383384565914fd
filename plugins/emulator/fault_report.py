"""The short report that a kernel's wild access leaves behind when it ends the worker (exit code 77).

The file holds UTF-8 lines `key=value`: `kind`, `text` (an English template), `arg.NAME` for its arguments, `access` (`read`,
`write`, or empty: not known), and `binary` and `code` for the place. It is written by resources/emulator/runtime/faults.cpp.
This module touches no device.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from plugins.emulator.code_lines import line_of, source_line
from workbench.plugin_api import Failure, Message, OutsideAccess, SourceLine

EXIT_CODE = 77
"""What a worker's process answers after it wrote a report."""

_ACCESSES: Mapping[str, Literal["read", "write"]] = {"read": "read", "write": "write"}


def read_fault(path: Path) -> Failure | None:
    """Return the failure that a report describes, with its source line where that can be found; None without a report."""
    try:
        content = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return explain(content)


def explain(content: str) -> Failure | None:
    """Return the failure that a report's text describes, as `read_fault` does."""
    fields = dict(line.split("=", 1) for line in content.splitlines() if "=" in line)
    if "kind" not in fields or "text" not in fields:
        return None
    arguments = {name.removeprefix("arg."): _number(value) for name, value in fields.items() if name.startswith("arg.")}
    lines: tuple[SourceLine, ...] = ()
    line = _line(fields)
    text = fields["text"]
    if line is not None:
        text = "Line {line}: " + text
        arguments["line"] = line
        lines = (SourceLine(line, source_line(Path(fields["binary"]), line)),)
    sentence = Message(text, arguments)
    if fields["kind"] != "OutOfBounds":
        return Failure("DeviceFault", sentence, lines, content)
    return Failure("OutOfBounds", sentence, lines, content, _outside(fields, line or 0))


def _outside(fields: Mapping[str, str], line: int) -> OutsideAccess:
    numbers = {key: int(text) for key, text in fields.items() if text.lstrip("-").isdecimal()}
    argument = numbers.get("arg.argument")
    return OutsideAccess(
        _ACCESSES.get(fields.get("access", ""), ""),
        None if argument is None else argument - 1,
        numbers.get("arg.offset", 0),
        line,
        fields.get("arg.block", ""),
        fields.get("arg.thread", ""),
    )


def _number(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdigit() else text


def _line(fields: dict[str, str]) -> int | None:
    try:
        return line_of(Path(fields["binary"]), int(fields["code"], 16))
    except (KeyError, ValueError):
        return None
