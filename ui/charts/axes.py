"""Plots in the window's own colours, faces and number formats."""

from __future__ import annotations

import math

import pyqtgraph as pg

from ui import theme
from ui.theme import FontKind
from workbench import units


class RatioAxis(pg.AxisItem):
    """An axis of speed-ups, 1.2×; a logarithmic one gets log10 of them and labels 1, 2, 5, 10 ..."""

    def __init__(self, orientation: str, *, logarithmic: bool = False) -> None:
        super().__init__(orientation)
        self._logarithmic = logarithmic
        _dress(self)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the places of the labels: 1, 2, 3, 5 of each decade on a logarithmic axis."""
        if not self._logarithmic:
            found: list[tuple[float, list[float]]] = super().tickValues(low, high, size)[:1]
            return found
        decades = range(math.floor(low), math.ceil(high) + 1)
        places = [decade + math.log10(step) for decade in decades for step in (1, 2, 3, 5)]
        return [(1.0, [place for place in places if low - 1e-9 <= place <= high + 1e-9])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return the labels."""
        if self._logarithmic:
            return [units.ratio(10**value, 0) for value in values]
        return [units.ratio(value, 2 if spacing < 0.1 else 1) for value in values]


class PercentAxis(pg.AxisItem):
    """An axis of deviations in per cent of the median."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        _dress(self)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Return one level of labels."""
        found: list[tuple[float, list[float]]] = super().tickValues(low, high, size)[:1]
        return found

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return the labels; `values` are fractions."""
        decimals = max(0, math.ceil(-math.log10(spacing * 100))) if spacing else 0
        return [units.signed_percent(value, decimals) for value in values]


def dress(plot: pg.PlotWidget) -> None:
    """Give a plot the colours of the theme worn now."""
    plot.setBackground(theme.current().color("page"))
    for name in ("bottom", "left"):
        _dress(plot.getPlotItem().getAxis(name))


def _dress(axis: pg.AxisItem) -> None:
    look = theme.current()
    axis.setPen(pg.mkPen(look.color("line")))
    axis.setTextPen(pg.mkPen(look.color("dim")))
    axis.setTickFont(look.font("caption"))
    axis.setStyle(tickLength=4)


def dressed_plot(axes: dict[str, pg.AxisItem]) -> pg.PlotWidget:
    """Return an empty plot without menu and buttons, with these axes."""
    plot = pg.PlotWidget(axisItems=axes)
    plot.setBackground(theme.current().color("page"))
    item = plot.getPlotItem()
    item.setMenuEnabled(False)
    item.hideButtons()
    item.showGrid(x=False, y=True, alpha=0.25)
    item.setMouseEnabled(x=False, y=False)
    return plot


def text_item(
    text: str, token: str, place: tuple[float, float], anchor: tuple[float, float], kind: FontKind = "caption"
) -> pg.TextItem:
    """Return a text in a token's colour at a place of the plot."""
    item = pg.TextItem(text, color=theme.current().color(token), anchor=anchor)
    item.setFont(theme.current().font(kind))
    item.setPos(*place)
    return item
