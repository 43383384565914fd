"""A thin progress bar."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

from ui.widgets.label import set_tone


class ThinProgress(QProgressBar):
    """4 px high, without text. An unknown total moves to and fro."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setFixedHeight(4)
        self.setAccessibleName(name)

    def show_steps(self, done: int, total: int) -> None:
        """Show `done` of `total` steps; total 0 is not known."""
        # Qt repaints at once in setValue, and with the bar everything in the window that waits to be drawn.
        self.setUpdatesEnabled(False)
        self.setRange(0, total)
        self.setValue(min(done, total))
        self.setUpdatesEnabled(True)

    def set_tone(self, tone: str) -> None:
        """Colour it: "" (accent), "wrong" or "neutral"."""
        set_tone(self, tone)
