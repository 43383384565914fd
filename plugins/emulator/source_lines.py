"""Text with known line numbers: words, tokens and the lines they stand on."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(
    r'R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"'  # raw string
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*|/\*.*?\*/"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)",
    re.DOTALL,
)


def words_with_offsets(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word of C++ text with its offset, leaving out strings, characters, comments and numbers."""
    for token in _TOKEN.finditer(text):
        if token["word"]:
            yield token["word"], token.start()


def words(text: str) -> set[str]:
    """Return the words of C++ text."""
    return {word for word, _ in words_with_offsets(text)}


def line_at(text: str, offset: int) -> int:
    """Return the 1-based line of an offset."""
    return text.count("\n", 0, offset) + 1


def line_text(text: str, line: int) -> str:
    """Return a 1-based line, stripped; empty when there is none."""
    lines = text.split("\n")
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def unify_line_ends(text: str) -> str:
    """Return text with `\\n` line ends, keeping the number of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def blank(text: str) -> str:
    """Return text of the same length with everything but line ends replaced by spaces."""
    return re.sub(r"[^\n]", " ", text)
