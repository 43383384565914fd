"""What can be read off a CUDA source without compiling it: its kernels, its constants, and code meant for the host."""

from __future__ import annotations

import re

from workbench.plugin_api import SourceLine

_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_KERNEL = re.compile(r"__global__\b[^;{}()]*?(?:__launch_bounds__\s*\([^)]*\)[^;{}()]*?)?\b(\w+)\s*\(")
_HOST_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", re.MULTILINE)
_HOST_CODE = re.compile(r"\bmain\s*\(|<<<")

HOST_ONLY = {
    "algorithm", "array", "atomic", "chrono", "cinttypes", "complex", "condition_variable", "cstdarg", "ctime", "deque",
    "exception", "fstream", "functional", "future", "initializer_list", "inttypes.h", "iomanip", "ios", "iostream",
    "iterator", "limits", "list", "map", "memory", "mutex", "new", "numeric", "optional", "ostream", "queue", "random",
    "ratio", "set", "sstream", "stack", "stdexcept", "string", "string_view", "sys/time.h", "thread", "time.h", "tuple",
    "type_traits", "typeinfo", "unistd.h", "unordered_map", "unordered_set", "utility", "variant", "vector",
    "cub/cub.cuh",
}  # fmt: skip
"""Headers that NVRTC does not have or refuses: a source with one needs nvcc and the machine's C++ compiler."""


def without_comments(text: str) -> str:
    """Return the text with comments and the insides of literals blanked; offsets and line ends stay as they were."""

    def blank(found: re.Match[str]) -> str:
        token = found[0]
        keep = token[0] in "\"'" and len(token) >= 2
        inner = re.sub(r"[^\n\r]", " ", token[1:-1] if keep else token)
        return token[0] + inner + token[-1] if keep else inner

    return _TOKEN.sub(blank, text)


def kernel_names(text: str) -> tuple[str, ...]:
    """Return the names after `__global__`, in order, each once."""
    return tuple(dict.fromkeys(_KERNEL.findall(without_comments(text))))


def mentions(text: str, name: str) -> bool:
    """Tell whether a name (its last part, after any `::`) stands in the code."""
    return re.search(rf"\b{re.escape(name.rpartition('::')[2])}\b", without_comments(text)) is not None


def host_lines(text: str) -> tuple[SourceLine, ...]:
    """Return the places that only a host compiler understands: `main`, `<<<`, and headers NVRTC does not have."""
    code = without_comments(text)
    places = [found.start() for found in _HOST_CODE.finditer(code)]
    places += [found.start(1) for found in _HOST_INCLUDE.finditer(code) if found[1].strip() in HOST_ONLY]
    lines = text.splitlines()
    numbers = sorted({code.count("\n", 0, place) + 1 for place in places})
    return tuple(SourceLine(number, lines[number - 1].strip() if number <= len(lines) else "") for number in numbers)


def constant_type(text: str, name: str) -> str | None:
    """Return the element type that a `__constant__` variable is declared with, None when it is not found."""
    words = r"__constant__\s+(?:(?:static|const|volatile|__align__\([^)]*\))\s+)*([\w:]+(?:\s+[\w:]+)*?)\s+(?:const\s+)?"
    found = re.search(rf"{words}{re.escape(name.rpartition('::')[2])}\b", without_comments(text))
    return found[1] if found else None
