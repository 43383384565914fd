"""From an address in a compiled kernel to the line of its source, by binutils' addr2line; without that tool no line."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from plugins.emulator.diagnostics import USER_FILE
from plugins.emulator.source_lines import line_text

_PLACE = re.compile(rf"{re.escape(USER_FILE)}:(\d+)")


def line_of(binary: Path, offset: int) -> int | None:
    """Return the kernel's line for a code offset from the library's start; None where no tool or no line is known.

    Of inlined calls the innermost one inside the kernel's own source counts.
    """
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if tool is None or not binary.exists():
        return None
    try:
        asked = subprocess.run(
            [tool, "-i", "-e", str(binary), hex(offset)],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _PLACE.search(asked.stdout)
    return int(found[1]) if found else None


def source_line(binary: Path, line: int) -> str:
    """Return a line of the expanded source that lies beside a binary (or its checked twin), empty when it is gone."""
    try:
        text = binary.with_name(binary.name.split(".")[0] + ".cu").read_text(encoding="utf-8")
    except OSError:
        return ""
    return line_text(text, line)
