"""Chips: one word from the closed list, in its colour. There is no way to make a chip with another word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import theme
from workbench.model.ledger import Chip
from workbench.texts import tr

Tone = Literal["proven", "wrong", "doubt", "neutral", "accent"]
TONES: Mapping[Chip, Tone] = {
    "FASTER": "proven",
    "passed": "proven",
    "accepted": "proven",
    "SLOWER": "wrong",
    "WRONG ANSWER": "wrong",
    "failed": "wrong",
    "refused": "wrong",
    "AMBIGUOUS": "doubt",
    "not run": "doubt",
    "in review": "doubt",
    "SAME": "neutral",
    "BASELINE": "neutral",
    "CPU TIME": "neutral",
    "not applicable": "neutral",
    "exact": "neutral",
    "source-level": "neutral",
    "imported": "neutral",
    "missing": "neutral",
    "predicted": "accent",
}
"""Chip -> colour. The proven green belongs to FASTER, passed and accepted alone."""

HEIGHT = 18
_PAD = 6.0


def colors(tone: Tone) -> tuple[str, str]:
    """Return the token names of a tone's text and ground."""
    return (tone, "selection" if tone == "accent" else f"{tone}_on")


def chip_width(chip: Chip) -> int:
    """Return how wide a chip is drawn, px."""
    metrics = QFontMetricsF(theme.current().font("chip"))
    return int(metrics.horizontalAdvance(tr(chip)) + 2 * _PAD + 0.999)


def paint_chip(painter: QPainter, x: float, y: float, chip: Chip) -> int:
    """Draw a chip with its top left corner at x, y and return its width, px. For delegates; widgets use ChipLabel."""
    look = theme.current()
    text, ground = colors(TONES[chip])
    box = QRectF(x, y, chip_width(chip), HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.color(ground))
    painter.drawRoundedRect(box, look.size("radius_chip"), look.size("radius_chip"))
    painter.setPen(QPen(look.color(text)))
    painter.setFont(look.font("chip"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tr(chip))
    painter.restore()
    return int(box.width())


class ChipLabel(QWidget):
    """A chip as a widget. Without a chip it takes no room."""

    def __init__(self, chip: Chip | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chip: Chip | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_chip(chip)

    def set_chip(self, chip: Chip | None) -> None:
        """Show another chip, or none."""
        if chip is not None and chip not in TONES:
            raise KeyError(chip)
        self._chip = chip
        self.setAccessibleName(self.text())
        if chip is None or self.parentWidget() is not None:  # without a parent it would be a window of its own
            self.setVisible(chip is not None)
        self.updateGeometry()
        self.update()

    def chip(self) -> Chip | None:
        """Return the chip shown."""
        return self._chip

    def text(self) -> str:
        """Return the word shown."""
        return tr(self._chip) if self._chip else ""

    def sizeHint(self) -> QSize:
        """Return the chip's own size."""
        return QSize(chip_width(self._chip), HEIGHT) if self._chip else QSize(0, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        if self._chip:
            painter = QPainter(self)
            paint_chip(painter, 0, 0, self._chip)
            painter.end()
