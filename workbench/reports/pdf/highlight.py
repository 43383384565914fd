"""Colours for CUDA in print: Pygments' tokens mapped to the theme's six code colours."""

from __future__ import annotations

from collections.abc import Sequence

from pygments.lexers import CudaLexer
from pygments.token import Comment, Keyword, Name, Number, _TokenType

Piece = tuple[str, str]
"""Colour token, text."""

_COLORS: Sequence[tuple[_TokenType, str]] = (
    (Comment.Preproc, "code_directive"),
    (Comment.PreprocFile, "code_directive"),
    (Comment, "code_comment"),
    (Keyword.Type, "code_type"),
    (Keyword, "code_keyword"),
    (Name.Builtin, "code_keyword"),
    (Name.Function, "code_function"),
    (Number, "code_number"),
)


def highlighted(lines: Sequence[str]) -> list[list[Piece]]:
    """Return each line as coloured pieces; the pieces of a line together are the line.

    The text ends with a line end, without which Pygments takes a last `//` comment for code.
    """
    found: list[list[Piece]] = [[]]
    for kind, text in CudaLexer(stripnl=False, ensurenl=False).get_tokens("\n".join(lines) + "\n"):
        color = next((name for token, name in _COLORS if kind in token), "text")
        for number, part in enumerate(text.split("\n")):
            if number:
                found.append([])
            if part and found[-1] and (not part.strip() or found[-1][-1][0] == color):
                found[-1][-1] = (found[-1][-1][0], found[-1][-1][1] + part)
            elif part:
                found[-1].append((color, part))
    found += [[] for _ in range(len(lines) - len(found))]
    return found[: len(lines)]
