from collections.abc import Mapping

class TTFontFace:
    charToGlyph: Mapping[int, int]

class TTFont:
    face: TTFontFace
    def __init__(self, name: str, filename: str, *, subfontIndex: int = ...) -> None: ...
