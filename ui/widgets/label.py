"""Labels: text in a tone, elided with a tooltip, and numbers that line up."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from ui import theme
from ui.theme import FontKind

LabelTone = Literal["text", "dim", "faint", "accent", "proven", "wrong", "doubt"]


def set_tone(widget: QWidget, tone: str) -> None:
    """Give a widget the style sheet's `tone` and draw it anew."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # before that, the first polish will see it
            widget.style().unpolish(widget)
            widget.style().polish(widget)


class Label(QLabel):
    """Plain text (never rich text: sources and answers are shown as they are) in a kind of face and a tone; wraps on demand."""

    def __init__(self, text: str = "", kind: FontKind = "text", tone: LabelTone = "text", *, wrap: bool = False) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme.current().font(kind))
        self.setWordWrap(wrap)
        set_tone(self, tone)

    def set_tone(self, tone: LabelTone) -> None:
        """Change the tone."""
        set_tone(self, tone)


class ElidedLabel(Label):
    """One line that ends in … where it does not fit; then the whole text is its tooltip."""

    def __init__(self, text: str = "", kind: FontKind = "text", tone: LabelTone = "text") -> None:
        super().__init__("", kind, tone)
        self._mode = Qt.TextElideMode.ElideRight
        self._cut: tuple[object, str] | None = None
        """What was cut last, of which text and for how much room."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(24)
        self.setText(text)

    def set_elide_mode(self, mode: Qt.TextElideMode) -> None:
        """Choose where the … stands (paths: in the middle)."""
        self._mode = mode
        self.update()

    def setText(self, text: str) -> None:
        """Show another text; line ends become spaces."""
        super().setText(" ".join(text.split()))
        if self.isVisible():
            self._tell()

    def showEvent(self, event: QShowEvent) -> None:
        """Decide whether the tooltip is needed for a text that changed while it was hidden."""
        super().showEvent(event)
        self._tell()

    def shown_text(self) -> str:
        """Return what is drawn, with … where it was cut."""
        of = self.text(), self._mode, self.contentsRect().width()
        if self._cut is None or self._cut[0] != of:
            self._cut = of, self.fontMetrics().elidedText(*of)
        return self._cut[1]

    def sizeHint(self) -> QSize:
        """Return the room the whole text would like."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the little room it needs."""
        return QSize(24, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew in another face."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._cut = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Decide whether the tooltip is needed."""
        super().resizeEvent(event)
        self._tell()

    def _tell(self) -> None:
        self.setToolTip(self.text() if self.shown_text() != self.text() else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, cut to its room."""
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawItemText(
            painter, self.contentsRect(), int(self.alignment()), option.palette, self.isEnabled(), self.shown_text(),
            self.foregroundRole(),
        )  # fmt: skip
        painter.end()


class NumberLabel(Label):
    """A number with its unit, already text from `workbench.units`, right-aligned in the code face."""

    def __init__(self, text: str = "", tone: LabelTone = "text", kind: FontKind = "code") -> None:
        super().__init__(text, kind, tone)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)


def fill(widget: QWidget, painter: QPainter) -> None:
    """Draw a widget's style sheet ground; for widgets that paint themselves."""
    option = QStyleOption()
    option.initFrom(widget)
    widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, widget)
