"""What can be seen in a source without parsing it: lines and their ends, kernels, open braces, and code that was left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LINE = re.compile(r"([^\n]*?)(\r?\n|\Z)")
_KERNEL = re.compile(
    r"__global__\b[^;{}()]*?(?:__launch_bounds__\s*\([^)]*\)\s*)?[^;{}()]*?\b(\w+)\s*\(|@triton\.jit[^\n]*\n\s*def\s+(\w+)"
)
_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_DOTS = r"(?:\.\.\.|…)"
_ELISION = re.compile(
    rf"^(?:{_DOTS}$"
    rf"|(?://|/\*|#)\s*[\[(<]?\s*{_DOTS}"
    rf"|(?://|/\*|#)\s*(?:the\s+)?(?:rest|remaining|remainder|other|existing|previous|original|unchanged|same)\b[^\n]*"
    rf"(?:unchanged|same|as before|as above|omitted|stays?\b|remains?\b|goes here|{_DOTS})"
    rf"|(?://|/\*|#)\s*(?:existing|previous|original|unchanged|your)\s+(?:\w+\s+)?(?:code|implementation|kernel|body|logic)\b[^\n]{{0,12}}$"
    rf"|(?://|/\*|#)\s*(?:same|unchanged)\s*(?:as (?:before|above))?[\s.*/]*$)",
    re.IGNORECASE,
)


def split_lines(text: str) -> list[tuple[str, str]]:
    """Return (line, its end) pairs; ends are CRLF, LF or, for a last line without one, empty. Joining gives `text` back."""
    pairs = [(found[1], found[2]) for found in _LINE.finditer(text)]
    while pairs and pairs[-1] == ("", ""):
        pairs.pop()
    return pairs


def bare_lines(text: str) -> list[str]:
    """Return the lines of a text without their ends."""
    return [line for line, _ in split_lines(text)]


def indent_of(line: str) -> str:
    """Return the white space a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def common_indent(lines: Iterable[str]) -> str:
    """Return the white space that all non-blank lines begin with."""
    common: str | None = None
    for line in lines:
        if not line.strip():
            continue
        indent = indent_of(line)
        if common is None:
            common = indent
        while not indent.startswith(common):
            common = common[:-1]
    return common or ""


def dedent(lines: Sequence[str]) -> list[str]:
    """Return the lines without their common indent; blank lines become empty."""
    width = len(common_indent(lines))
    return [line[width:] if line.strip() else "" for line in lines]


def kernel_names(text: str) -> tuple[str, ...]:
    """Return the names of the kernels a text defines or declares, in order."""
    return tuple(dict.fromkeys(found[1] or found[2] for found in _KERNEL.finditer(text)))


def open_braces(text: str) -> int:
    """Return how many braces, brackets and parentheses are opened and not closed, outside comments and literals."""
    code = _NOT_CODE.sub(" ", text)
    return sum(code.count(char) for char in "{([") - sum(code.count(char) for char in "})]")


def elision_in(lines: Iterable[str], base: Iterable[str] = ()) -> str | None:
    """Return the first line that stands for code left out (`// ... rest unchanged`) and is not a line of the base."""
    known = {line.strip() for line in base}
    return next((line.strip() for line in lines if _ELISION.match(line.strip()) and line.strip() not in known), None)
