"""Drawing on a page: points, y downwards from the top edge, text by its baseline."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

import msgspec
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

import resources
from workbench.reports.pdf.fonts import font_name, runs, width

PAGE = (595.28, 841.89)
"""A4 in points."""
Align = Literal["left", "right", "center"]
ELLIPSIS = "…"
_TIED = re.compile(r" (?=%|\d+\.?$)")


class Style(msgspec.Struct, frozen=True):
    """Face, size and line height in points; `color` names a token of resources/theme/tokens.toml."""

    face: str = "text"
    size: float = 8.6
    leading: float = 12.0
    color: str = "text"
    spacing: float = 0.0


TEXT = Style()
DIM = Style(color="dim")
SMALL = Style(size=7.2, leading=9.8, color="dim")
HEAD = Style(size=7.3, leading=10.0, color="dim")
LABEL = Style("bold", 8.8, 12.0)
STRONG = Style("medium")
TITLE = Style("title", 19.5, 24.0, spacing=-0.25)
LEAD = Style(size=9.8, leading=14.2, color="dim")
CODE = Style("code", 6.6, 10.5)


@cache
def colors() -> Mapping[str, str]:
    """Return the light tokens: a report is printed on white."""
    return {name: str(value) for name, value in tomllib.loads(resources.read("theme/tokens.toml"))["light"].items()}


def color(name: str) -> str:
    """Return a token's `#rrggbb`; a literal colour is returned as it is."""
    return name if name.startswith("#") else colors()[name]


@cache
def ink(name: str) -> Color:
    """Return a colour as reportlab keeps it: reading it from text each time is a quarter of drawing a page."""
    return HexColor(color(name))


def blend(name: str, share: float) -> str:
    """Return a colour mixed with white: share 1 is the colour itself."""
    parts = bytes.fromhex(color(name)[1:])
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


def ink_on(ground: str) -> str:
    """Return the token, text or page (white), that reads better on a ground: the one of larger contrast."""
    parts = [part / 255 for part in bytes.fromhex(color(ground)[1:])]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue  # WCAG 2 relative luminance
    return "page" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.064 else "text"


class Pen:
    """A canvas seen from its top left corner."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def text(
        self, x: float, y: float, text: str, style: Style = TEXT, *, align: Align = "left", limit: float | None = None
    ) -> float:
        """Draw one line and return its width; longer than `limit` it ends in an ellipsis."""
        if limit is not None:
            text = fit(text, style, limit)
        length = measure(text, style)
        left = x - {"left": 0.0, "right": length, "center": length / 2}[align]
        self.canvas.setFillColor(ink(style.color))
        for face, part in runs(text, style.face):
            self.canvas.setFont(font_name(face), style.size)
            self.canvas.drawString(left, PAGE[1] - y, part, charSpace=style.spacing)
            left += width(part, face, style.size) + style.spacing * len(part)
        return length

    def paragraph(self, x: float, y: float, text: str, style: Style, length: float) -> float:
        """Draw wrapped lines, the first with its baseline at y, and return the baseline after the last."""
        for line in wrap(text, style, length):
            self.text(x, y, line, style)
            y += style.leading
        return y

    def line(
        self, start: tuple[float, float], end: tuple[float, float], name: str = "line", *, weight: float = 0.5, dash: float = 0
    ) -> None:
        """Draw a straight line."""
        self.canvas.setStrokeColor(ink(name))
        self.canvas.setLineWidth(weight)
        self.canvas.setDash([dash, dash] if dash else [])
        self.canvas.line(start[0], PAGE[1] - start[1], end[0], PAGE[1] - end[1])
        self.canvas.setDash([])

    def bar(self, x: float, y: float, size: tuple[float, float], name: str, *, hatched: bool = False) -> None:
        """Fill a rectangle whose top left corner is (x, y); hatched for what no stage accounts for."""
        if size[0] <= 0:
            return
        if hatched:
            self._hatch(x, y, size, name)
            return
        self.canvas.setFillColor(ink(name))
        self.canvas.rect(x, PAGE[1] - y - size[1], size[0], size[1], stroke=0, fill=1)

    def _hatch(self, x: float, y: float, size: tuple[float, float], name: str) -> None:
        bottom = PAGE[1] - y - size[1]
        self.canvas.saveState()
        clip = self.canvas.beginPath()
        clip.rect(x, bottom, *size)
        self.canvas.clipPath(clip, stroke=0, fill=0)
        self.canvas.setStrokeColor(ink(name))
        self.canvas.setLineWidth(0.5)
        offset = -size[1]
        while offset < size[0]:
            self.canvas.line(x + offset, bottom, x + offset + size[1], bottom + size[1])
            offset += 2.4
        self.canvas.rect(x, bottom, size[0], size[1], stroke=1, fill=0)
        self.canvas.restoreState()

    def dot(self, x: float, y: float, radius: float, name: str, *, hollow: bool = False) -> None:
        """Draw a dot; hollow ones stand for what is predicted."""
        self.canvas.setFillColor(ink("page" if hollow else name))
        self.canvas.setStrokeColor(ink(name))
        self.canvas.setLineWidth(0.9)
        self.canvas.circle(x, PAGE[1] - y, radius, stroke=1 if hollow else 0, fill=1)

    def dots(self, places: Sequence[tuple[float, float]], radius: float, name: str) -> None:
        """Draw many equal dots as one path: a line of no length with round ends is a dot."""
        path = self.canvas.beginPath()
        for x, y in places:
            path.moveTo(x, PAGE[1] - y)
            path.lineTo(x, PAGE[1] - y)
        self.canvas.setLineCap(1)
        self.canvas.setStrokeColor(ink(name))
        self.canvas.setLineWidth(2 * radius)
        self.canvas.drawPath(path, stroke=1, fill=0)
        self.canvas.setLineCap(0)

    def curve(self, points: list[tuple[float, float]], name: str, weight: float = 0.9) -> None:
        """Draw straight pieces through points."""
        path = self.canvas.beginPath()
        path.moveTo(points[0][0], PAGE[1] - points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, PAGE[1] - y)
        self.canvas.setStrokeColor(ink(name))
        self.canvas.setLineWidth(weight)
        self.canvas.drawPath(path, stroke=1, fill=0)


class BlindPen(Pen):
    """Measures and draws nothing: the first pass only counts the pages."""

    def text(
        self, x: float, y: float, text: str, style: Style = TEXT, *, align: Align = "left", limit: float | None = None
    ) -> float:
        """Return the width that the line would have."""
        return measure(text if limit is None else fit(text, style, limit), style)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], name: str = "line", *, weight: float = 0.5, dash: float = 0
    ) -> None:
        """Draw nothing."""

    def bar(self, x: float, y: float, size: tuple[float, float], name: str, *, hatched: bool = False) -> None:
        """Draw nothing."""

    def dot(self, x: float, y: float, radius: float, name: str, *, hollow: bool = False) -> None:
        """Draw nothing."""

    def dots(self, places: Sequence[tuple[float, float]], radius: float, name: str) -> None:
        """Draw nothing."""

    def curve(self, points: list[tuple[float, float]], name: str, weight: float = 0.9) -> None:
        """Draw nothing."""


def measure(text: str, style: Style) -> float:
    """Return the width of a line in points."""
    return width(text, style.face, style.size) + style.spacing * len(text)


def fit(text: str, style: Style, limit: float) -> str:
    """Return text no wider than `limit` points, cut with an ellipsis where needed."""
    if measure(text, style) <= limit:
        return text
    return longest(text, style, limit - measure(ELLIPSIS, style)).rstrip() + ELLIPSIS


def longest(text: str, style: Style, limit: float) -> str:
    """Return the longest head of text that is no wider than `limit` points."""
    if measure(text, style) <= limit:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(text[:middle], style) <= limit else (low, middle - 1)
    return text[:low]


def wrap(text: str, style: Style, length: float, most: int = 1000) -> list[str]:
    """Return the lines of a paragraph; words longer than a line are broken at a hyphen, else anywhere.

    Over `most` lines: cut with …
    """
    lines: list[str] = []
    current = ""
    for piece in _pieces(text):
        if current and measure((current + piece).rstrip(), style) > length:
            lines.append(current.rstrip())
            current = ""
            piece = piece.lstrip()
        while measure(piece.rstrip(), style) > length and len(piece) > 1:
            cut = longest(piece, style, length) or piece[0]
            cut = cut[: cut.rfind("-") + 1] or cut
            lines.append(cut)
            piece = piece[len(cut) :]
        current += piece
    lines.append(current.rstrip())
    if len(lines) > most:
        lines = [*lines[: most - 1], fit(lines[most - 1] + ELLIPSIS * 2, style, length)]
    return lines


def _pieces(text: str) -> list[str]:
    """Split where a line may break: after spaces (not before %, nor a number that ends the text), / and _, at wide characters."""
    pieces, current = [], ""
    text = _TIED.sub("\u00a0", text)
    for char in text:
        if ord(char) >= 0x2E80:
            pieces += [current, char] if current else [char]
            current = ""
            continue
        current += char
        if char in " /_":
            pieces.append(current)
            current = ""
    return [*pieces, current] if current else pieces
