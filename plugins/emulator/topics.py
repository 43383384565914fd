"""Parts of the shim that a kernel pays for only when it names them: each is parsed at every compile of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

TOPICS: Mapping[str, re.Pattern[str]] = {
    "half.h": re.compile(r"\w*half\w*|CUDART_\w+_FP16"),
    "bfloat16.h": re.compile(r"\w*bfloat\w*|CUDART_\w+_BF16"),
    "fp8.h": re.compile(r"__nv_\w*fp8\w*|__NV_(?:E4M3|E5M2|NOSAT|SATFINITE)"),
    "rounding.h": re.compile(r"__\w+_r[zdu]"),
    "packed_words.h": re.compile(r"__v(?:abs|add|avg|cmp|hadd|max|min|neg|sad|set|sub)\w*[24]|__vi\w+"),
    "wmma.h": re.compile(r"wmma|nvcuda"),
    "groups.h": re.compile(r"cooperative_groups"),
    "cub.h": re.compile(r"cub"),
    "libcudacxx.h": re.compile(r"cuda|thrust"),
    "pipeline.h": re.compile(r"__pipeline_\w+"),
    "texture.h": re.compile(r"tex[123]D\w*|cudaTextureObject_t"),
    "more_math.h": re.compile(
        r"(?:sin|cos|sincos)pif?|erfc?invf?|erfcxf?|normcdf(?:inv)?f?|cyl_bessel_i[01]f?|r?norm(?:[34]d)?f?|rhypotf?"
    ),
    "heap.h": re.compile(r"malloc|free|new|delete"),
}
"""Header of resources/emulator -> the words that ask for it. A header includes the others that it needs; heap.h
comes last, since it renames malloc and free."""

_STANDARD: Mapping[str, frozenset[str]] = {
    "algorithm": frozenset({"min", "max", "minmax", "clamp", "swap", "fill", "copy", "lower_bound", "upper_bound"}),
    "array": frozenset({"array"}),
    "tuple": frozenset({"tuple", "make_tuple", "tie", "get", "tuple_size", "tuple_element"}),
    "functional": frozenset({"plus", "minus", "multiplies", "less", "greater", "equal_to", "bit_and", "bit_or", "bit_xor"}),
    "complex": frozenset({"complex"}),
    "initializer_list": frozenset({"initializer_list"}),
}
"""Standard header -> names of `std::` and `cuda::std::` that live in it; the others are in headers that are always there."""
_STD_NAME = re.compile(r"\bstd\s*::\s*(\w+)")


def headers_for(words: Iterable[str]) -> list[str]:
    """Return the headers that these words of a source or of template arguments ask for, in the order of TOPICS."""
    given = set(words)
    return [header for header, asked in TOPICS.items() if any(asked.fullmatch(word) for word in given)]


def include_lines(words: Iterable[str], text: str = "") -> str:
    """Return the #include lines to put before a compiled copy: of C++ by the names of `std::` in `text`, then the shim's own."""
    named = set(_STD_NAME.findall(text))
    standard = [f"#include <{header}>\n" for header, names in _STANDARD.items() if names & named]
    if standard:
        standard = ['#include "emulator/standard_begin.h"\n', *standard, '#include "emulator/standard_end.h"\n']
    return "".join((*standard, *(f'#include "emulator/{header}"\n' for header in headers_for(words))))
