from collections.abc import Mapping

class TTFontFace:
    charToGlyph: Mapping[int, int]  # noqa: N815

class TTFont:
    face: TTFontFace
    def __init__(self, name: str, filename: str, *, subfontIndex: int = ...) -> None: ...  # noqa: N803
