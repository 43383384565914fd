"""From an address in a compiled kernel to the line of its source."""

from __future__ import annotations

from pathlib import Path

from plugins.emulator.diagnostics import USER_FILE
from plugins.emulator.source_lines import line_text


def line_of(binary: Path, offset: int) -> int | None:
    """Return the kernel's line for a code offset from the library's start; None where none is known.

    Of inlined calls the innermost one inside the kernel's own source counts.
    """
    from plugins.emulator.dwarf import places  # only a fault needs the reader, which takes 30 ms to import

    try:
        known = places(binary, offset)
    except OSError:
        return None
    return next((line for name, line in known if name == USER_FILE and line > 0), None)


def source_line(binary: Path, line: int) -> str:
    """Return a line of the expanded source that lies beside a binary (or its checked twin), empty when it is gone."""
    try:
        text = binary.with_name(binary.name.split(".")[0] + ".cu").read_text(encoding="utf-8")
    except OSError:
        return ""
    return line_text(text, line)
