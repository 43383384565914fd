"""Makes the shipped Inter faces from the variable font; run by hand when Inter changes: `make_fonts.py Inter[opsz,wght].ttf`.

Needs fontTools (the `dev` extra). What it does to each face: one weight and optical size is cut out of the variable
font; glyphs outside Latin, Greek, Cyrillic, punctuation, arrows and mathematics are dropped; and, for text faces, the
digits *are* the tabular ones (feature `tnum`), because reportlab applies no OpenType features and columns of numbers
must line up in the window and in the report alike.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

RANGES = (
    (0x20, 0x24F), (0x2B0, 0x36F), (0x370, 0x3FF), (0x400, 0x45F), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2070, 0x209F),
    (0x20A0, 0x20BF), (0x2100, 0x214F), (0x2150, 0x215F), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2500, 0x25FF),
    (0x2713, 0x2717),
)  # fmt: skip
"""Unicode blocks kept, first and last code point."""
FACES = (
    ("Inter-Regular", "Inter", "Regular", 400, 14, True),
    ("Inter-Medium", "Inter", "Medium", 500, 14, True),
    ("Inter-SemiBold", "Inter", "SemiBold", 600, 14, True),
    ("Inter-Light", "Inter", "Light", 300, 32, False),
    ("InterDisplay-SemiBold", "Inter Display", "SemiBold", 600, 32, False),
)
"""File, family, style, weight, optical size, tabular digits. The two display faces set single large numbers and titles."""


def tabular_digits(font: Any) -> dict[str, str]:
    """Return glyph -> tabular glyph for the ten digits, as the feature `tnum` says."""
    table = font["GSUB"].table
    digits = {font.getBestCmap()[ord(char)] for char in "0123456789"}
    found: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for part in table.LookupList.Lookup[index].SubTable:
                mapping = getattr(getattr(part, "ExtSubTable", part), "mapping", {})
                found.update({glyph: other for glyph, other in mapping.items() if glyph in digits})
    return found


def rename(font: Any, file: str, family: str, style: str, weight: int) -> None:
    """Write the names and the weight by which Qt and other programs find the face."""
    names = font["name"]
    plain = style == "Regular"
    for name_id, text in {
        1: family if plain else f"{family} {style}",
        2: "Regular",
        3: f"{file}; kernel-ledger subset",
        4: f"{family} {style}",
        6: file if "-" in file else f"{file}-{style}",
        16: family,
        17: style,
    }.items():
        names.setName(text, name_id, 3, 1, 0x409)
    for name_id in (21, 22, 25):
        names.removeNames(nameID=name_id)
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = 0x40 | (font["OS/2"].fsSelection & 0x80)


def make(source: Path, target: Path) -> None:
    """Write every face of FACES into `target`."""
    for file, family, style, weight, optical, tabular in FACES:
        font = instancer.instantiateVariableFont(TTFont(source), {"opsz": optical, "wght": weight})
        if tabular:
            swap = tabular_digits(font)
            for table in font["cmap"].tables:
                table.cmap = {
                    code: swap.get(glyph, glyph) if 0x30 <= code <= 0x39 else glyph for code, glyph in table.cmap.items()
                }
        options = subset.Options(layout_features=["kern", "mark", "mkmk", "ccmp", "locl"], name_IDs=["*"], notdef_outline=True)
        options.hinting = False
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
        cutter.subset(font)
        rename(font, file, family, style, weight)
        font.save(target / f"{file}.ttf")


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(__file__).resolve().parent)
