"""Colours, faces and spacing of the window, read from `resources/theme/tokens.toml` and put on Qt's Fusion style."""

from __future__ import annotations

import contextlib
import gc
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

import resources

Choice = Literal["system", "dark", "light"]
Name = Literal["dark", "light"]
FontKind = Literal["text", "strong", "caption", "chip", "heading", "code", "code_strong", "figure"]
CHOICES: tuple[Choice, ...] = ("system", "dark", "light")

_NAME, _FONTS = "ledger_theme", "ledger_fonts"
_TOKEN = re.compile(r"@(\w+)")
_FONT_SIZE: Mapping[FontKind, str] = {
    "text": "text", "strong": "text", "caption": "caption", "chip": "chip", "heading": "heading",
    "code": "code", "code_strong": "code", "figure": "heading",
}  # fmt: skip
_ROLES: Mapping[QPalette.ColorRole, str] = {
    QPalette.ColorRole.Window: "panel",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "page",
    QPalette.ColorRole.AlternateBase: "panel",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "wrong",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "faint",
    QPalette.ColorRole.Highlight: "selection",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Dark: "window",
    QPalette.ColorRole.Shadow: "window",
}


@dataclass(frozen=True)
class Theme:
    """One set of tokens. Colours by name, fonts by kind, distances in steps of 4 px."""

    name: Name
    colors: Mapping[str, str]
    sizes: Mapping[str, float]
    families: Mapping[str, tuple[str, ...]]

    def color(self, name: str) -> QColor:
        """Return a token's colour. An unknown name is a bug and raises KeyError."""
        return QColor(self.colors[name])

    def text_on(self, name: str) -> QColor:
        """Return black or white, whichever stands out more on the colour `name` (text on bars and accent buttons)."""
        ground = self.color(name)
        dark, light = QColor("#101317"), QColor("#ffffff")
        return dark if contrast(dark, ground) >= contrast(light, ground) else light

    def font(self, kind: FontKind = "text") -> QFont:
        """Return a face at its size: text with tabular figures, code without ligatures."""
        return QFont(_font(self.name, kind, _dots_per_inch()))

    def space(self, steps: int = 1) -> int:
        """Return `steps` times 4 px."""
        return steps * int(self.sizes["step"])

    def size(self, name: str) -> int:
        """Return a size token (`row`, `line`, `radius_card`) in whole px."""
        return round(self.sizes[name])


@lru_cache(maxsize=64)
def _font(name: Name, kind: FontKind, dots_per_inch: float) -> QFont:
    look = load(name)
    mono = kind in ("code", "code_strong", "figure")
    font = QFont()
    font.setFamilies([*look.families["code" if mono else "text"], *look.families["fallback"]])
    font.setPointSizeF(look.sizes[_FONT_SIZE[kind]] * 72 / dots_per_inch)
    if kind in ("strong", "chip", "heading", "code_strong", "figure"):
        font.setWeight(QFont.Weight.DemiBold)
    if mono:
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFeature(QFont.Tag("calt"), 0)
    else:
        font.setStyleHint(QFont.StyleHint.SansSerif)
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _luminance(color: QColor) -> float:
    return 0.2126 * _linear(color.redF()) + 0.7152 * _linear(color.greenF()) + 0.0722 * _linear(color.blueF())


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _dots_per_inch() -> float:
    screen = QGuiApplication.primaryScreen()
    return screen.logicalDotsPerInch() if screen else 96.0


@lru_cache(maxsize=2)
def load(name: Name) -> Theme:
    """Read the tokens of the dark or the light theme."""
    tokens = tomllib.loads(resources.read("theme/tokens.toml"))
    families = {kind: tuple(faces) for kind, faces in tokens["font"].items()}
    return Theme(name, tokens[name], tokens["size"], families)


def _from_system() -> Name:
    """Return what the desktop asks for; dark where it does not say (plain X11, offscreen)."""
    scheme = QGuiApplication.styleHints().colorScheme()
    return "light" if scheme == Qt.ColorScheme.Light else "dark"


def current() -> Theme:
    """Return the theme the application wears now."""
    app = QApplication.instance()
    name = app.property(_NAME) if app else None
    return load("light" if name == "light" else "dark")


def palette(theme: Theme) -> QPalette:
    """Return Qt's palette from the tokens."""
    colors = QPalette()
    for role, token in _ROLES.items():
        colors.setColor(role, theme.color(token))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        colors.setColor(QPalette.ColorGroup.Disabled, role, theme.color("faint"))
    return colors


def style_sheet(theme: Theme) -> str:
    """Return the small style sheet with `@token` replaced by colours and `@size_token` by px."""
    values = dict(theme.colors) | {f"size_{name}": f"{size:g}px" for name, size in theme.sizes.items()}
    values["icons"] = resources.path("icons").as_posix()
    values["theme"] = theme.name

    def value(found: re.Match[str]) -> str:
        return values[found[1]]

    return _TOKEN.sub(value, resources.read("theme/style.qss"))


def load_fonts(app: QApplication) -> None:
    """Register the shipped faces once; where one is missing the system's stands in."""
    if app.property(_FONTS):
        return
    app.setProperty(_FONTS, True)
    folder = resources.path("fonts")
    for file in sorted(folder.glob("*.tt[fc]")) if folder.is_dir() else ():
        QFontDatabase.addApplicationFont(str(file))


def apply(app: QApplication, choice: Choice = "system") -> Theme:
    """Dress the whole application and return the theme it wears."""
    theme = load(_from_system() if choice == "system" else choice)
    if app.property(_NAME) is None:  # once: replacing a style under a style sheet leaves widgets with a dead one
        app.setStyle("Fusion")
    load_fonts(app)
    app.setProperty(_NAME, theme.name)
    with _no_collection():
        app.setPalette(palette(theme))
        app.setFont(theme.font())
        app.setStyleSheet(style_sheet(theme))
    return theme


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python from collecting cycles: Qt walks a list of all widgets, our event handlers run in between, and a widget
    that is collected there leaves a dead pointer in that list (a segmentation fault, seen in the tests).
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def remembered(settings: QSettings) -> Choice:
    """Return the theme the user chose last, "system" where none was chosen."""
    found = settings.value("theme")
    return next((choice for choice in CHOICES if choice == found), "system")
