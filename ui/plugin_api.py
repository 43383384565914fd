"""All of the window that a plugin's `in_window.py` may import: the bridge to the method, the theme, and the small parts."""

from __future__ import annotations

from ui.bridge import Bridge
from ui.notices import Answer, Notice
from ui.theme import Theme, current
from ui.widgets.card import Card, FactRow, ScrolledColumn, SectionHead
from ui.widgets.chip import ChipLabel
from ui.widgets.empty_page import EmptyPage
from ui.widgets.icon import IconButton, IconLabel
from ui.widgets.label import ElidedLabel, Label, NumberLabel

__all__ = [
    "Answer", "Bridge", "Card", "ChipLabel", "ElidedLabel", "EmptyPage", "FactRow", "IconButton", "IconLabel", "Label", "Notice",
    "NumberLabel", "ScrolledColumn", "SectionHead", "Theme", "current",
]  # fmt: skip
