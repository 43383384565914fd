"""The icon set: small SVG files of one line weight, recoloured by text replacement."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

import resources
from ui import theme


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return resources.read(f"icons/{name}.svg")


def pixmap(name: str, color: str = "text", size: int = 16, ratio: float = 1.0) -> QPixmap:
    """Return icon `name` in a token's colour, `size` px square, `ratio` device pixels per px."""
    return _drawn(name, theme.current().color(color).name(), size, ratio)


@lru_cache(maxsize=512)
def _drawn(name: str, color: str, size: int, ratio: float) -> QPixmap:
    svg = _source(name).replace("currentColor", color)
    image = QPixmap(QSize(size, size) * ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def icon(name: str, color: str = "text", size: int = 16) -> QIcon:
    """Return an icon for a button or a menu, sharp on this screen, fainter where it is disabled."""
    result = QIcon()
    application = QGuiApplication.instance()
    ratio = application.devicePixelRatio() if isinstance(application, QGuiApplication) else 1.0
    result.addPixmap(pixmap(name, color, size, ratio))
    result.addPixmap(pixmap(name, "faint", size, ratio), QIcon.Mode.Disabled)
    return result


class IconLabel(QLabel):
    """An icon that keeps its colour when the theme changes. `meaning` is what it says to a screen reader."""

    def __init__(self, name: str, color: str = "text", size: int = 16, meaning: str = "") -> None:
        super().__init__()
        self._name, self._color, self._size = name, color, size
        self.setAccessibleName(meaning)
        self.setFixedSize(size, size)
        self._draw()

    def set_icon(self, name: str, color: str = "text") -> None:
        """Show another icon."""
        self._name, self._color = name, color
        self._draw()

    def _draw(self) -> None:
        self.setPixmap(pixmap(self._name, self._color, self._size, self.devicePixelRatioF()))

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the new theme's colour."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()


class IconButton(QToolButton):
    """A small quiet button with an icon; `title` is its tooltip and accessible name."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None, color: str = "dim") -> None:
        super().__init__(parent)
        self._name, self._color = name, color
        self.setProperty("part", "quiet")
        self.setToolTip(title)
        self.setAccessibleName(title)
        self.setIconSize(QSize(16, 16))
        self.setIcon(icon(name, color))

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        if name != self._name:
            self._name = name
            self.setIcon(icon(name, self._color))

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the new theme's colour."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.setIcon(icon(self._name, self._color))
