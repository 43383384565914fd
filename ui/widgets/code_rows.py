"""Lines of source drawn one by one: their words in colour, what changed in them on a ground, their numbers. 19 px each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption

from ui import theme
from ui.widgets.cuda_syntax import CudaSyntax, Span
from ui.widgets.highlighter import TOKENS
from workbench import units

Kind = Literal["same", "changed", "added", "removed", "none"]
_GROUND: dict[Kind, str] = {"changed": "accent", "added": "stage_other", "removed": "wrong"}
"""Kind of line -> token its ground is mixed from. Never the green of proven: an added line is no proof."""


class CodeLine(NamedTuple):
    """One line of one side: its kind, text, the columns that changed in it and its coloured words."""

    kind: Kind
    text: str = ""
    parts: tuple[tuple[int, int], ...] = ()
    words: tuple[Span, ...] = ()


def words_of(text: str) -> list[list[Span]]:
    """Return the coloured words of every line of a whole source."""
    syntax = CudaSyntax()
    syntax.update(text)
    return syntax.spans(0, text.count("\n"))


def mixed(look: theme.Theme, token: str, strength: float) -> QColor:
    """Return the page's colour with a share of a token's."""
    page, ink = look.color("page"), look.color(token)
    return QColor.fromRgbF(
        page.redF() + (ink.redF() - page.redF()) * strength,
        page.greenF() + (ink.greenF() - page.greenF()) * strength,
        page.blueF() + (ink.blueF() - page.blueF()) * strength,
    )


def grounds(look: theme.Theme, kind: Kind) -> tuple[QColor, QColor]:
    """Return the ground of a line of this kind and the stronger one of its changed words."""
    token = _GROUND.get(kind)
    if token is None:
        return look.color("page"), look.color("page")
    dark = look.name == "dark"
    return mixed(look, token, 0.17 if dark else 0.10), mixed(look, token, 0.36 if dark else 0.24)


def selection_veil(look: theme.Theme) -> QColor:
    """Return the colour laid over selected lines; what is under it stays readable."""
    veil = look.color("accent")
    veil.setAlpha(64)
    return veil


def sign(kind: Kind) -> str:
    """Return the sign that stands beside a line, so that colour is never alone."""
    return {"added": "+", "removed": units.MINUS, "changed": "~"}.get(kind, "")


def draw_line(painter: QPainter, box: QRect, line: CodeLine, scrolled: int = 0) -> None:
    """Draw ground and text of one line into `box`, moved left by `scrolled` px."""
    look = theme.current()
    ground, strong = grounds(look, line.kind)
    painter.fillRect(box, ground)
    if line.kind == "none":
        painter.fillRect(box, QBrush(look.color("raised"), Qt.BrushStyle.BDiagPattern))
        return
    layout = _layout(line, look, strong)
    painter.save()
    painter.setClipRect(box)
    painter.setPen(look.color("text"))
    top = box.top() + (box.height() - layout.boundingRect().height()) / 2
    layout.draw(painter, QPointF(box.left() - scrolled, top))
    painter.restore()


def _layout(line: CodeLine, look: theme.Theme, strong: QColor) -> QTextLayout:
    layout = QTextLayout(line.text, look.font("code"))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTabStopDistance(4 * width_of(" "))
    layout.setTextOption(option)
    layout.setFormats([*_inks(line.words, look), *_marks(line.parts, strong)])
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return layout


def _inks(words: Sequence[Span], look: theme.Theme) -> list[QTextLayout.FormatRange]:
    found = []
    for span in words:
        ink = QTextCharFormat()
        ink.setForeground(look.color(TOKENS[span.word]))
        found.append(_range(span.start, span.end, ink))
    return found


def _marks(parts: Sequence[tuple[int, int]], strong: QColor) -> list[QTextLayout.FormatRange]:
    ground = QTextCharFormat()
    ground.setBackground(strong)
    return [_range(start, end, ground) for start, end in parts]


def _range(start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, end - start, look
    return found


def width_of(text: str) -> int:
    """Return how wide a text's longest line is in the code face, px."""
    metrics = QFontMetrics(theme.current().font("code"))
    return max(metrics.horizontalAdvance(line.expandtabs(4)) for line in text.split("\n"))


def draw_number(painter: QPainter, box: QRect, number: int | None) -> None:
    """Draw a line number at the right of `box`; none for a line that is not there."""
    if number is not None:
        look = theme.current()
        painter.setFont(look.font("code"))
        painter.setPen(look.color("faint"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
