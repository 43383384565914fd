"""Parts of the shim that a kernel pays for only when it names them: each is parsed at every compile of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

TOPICS: Mapping[str, re.Pattern[str]] = {
    "half.h": re.compile(r"\w*half\w*"),
    "bfloat16.h": re.compile(r"\w*bfloat\w*"),
}
"""Header of resources/emulator -> the words that ask for it. In this order; a header includes the earlier ones it needs."""


def headers_for(words: Iterable[str]) -> list[str]:
    """Return the headers that these words of a source or of template arguments ask for, in the order of TOPICS."""
    given = set(words)
    return [header for header, asked in TOPICS.items() if any(asked.fullmatch(word) for word in given)]


def include_lines(words: Iterable[str]) -> str:
    """Return the #include lines to put before a compiled copy."""
    return "".join(f'#include "emulator/{header}"\n' for header in headers_for(words))
