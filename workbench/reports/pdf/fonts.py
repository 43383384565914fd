"""The faces of the report, embedded as subsets; characters that Inter or JetBrains Mono lack come from WenQuanYi Micro Hei."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

import resources

FILES = {
    "text": "Inter-Regular.ttf",
    "medium": "Inter-Medium.ttf",
    "bold": "Inter-SemiBold.ttf",
    "light": "Inter-Light.ttf",
    "title": "InterDisplay-SemiBold.ttf",
    "code": "JetBrainsMono-Regular.ttf",
    "code bold": "JetBrainsMono-Bold.ttf",
    "fallback": "wqy-microhei.ttc",
}
FALLBACK = "fallback"
_SPACES = {"\u202f": "\u00a0", "\t": "    "}
"""Characters that are drawn as another one where a face lacks them."""


@cache
def glyphs(name: str) -> frozenset[str]:
    """Register a face with reportlab on first use and return the characters it has."""
    font = TTFont(f"ledger {name}", str(resources.path(f"fonts/{FILES[name]}")), subfontIndex=0)
    pdfmetrics.registerFont(font)
    return frozenset(chr(code) for code in font.face.charToGlyph) - {"\t"}


def font_name(name: str) -> str:
    """Return reportlab's name of a face."""
    glyphs(name)
    return f"ledger {name}"


def runs(text: str, face: str) -> Iterator[tuple[str, str]]:
    """Split text into (face, part): the wanted face where it has the character, the fallback elsewhere."""
    known = glyphs(face)
    if known.issuperset(text):
        if text:
            yield face, text
        return
    start, current = 0, face
    text = "".join(char if char in known else _SPACES.get(char, char) for char in text)
    for index, char in enumerate(text):
        wanted = face if char in known else FALLBACK
        if wanted != current:
            if index > start:
                yield current, text[start:index]
            start, current = index, wanted
    if start < len(text):
        yield current, text[start:]


@lru_cache(maxsize=20_000)
def width(text: str, face: str, size: float) -> float:
    """Return the width of one line of text in points."""
    return sum(pdfmetrics.stringWidth(part, font_name(name), size) for name, part in runs(text, face))
