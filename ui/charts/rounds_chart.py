"""The timed rounds of two versions, each around its own median, with the margin a gain must clear."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import theme
from ui.charts.axes import PercentAxis, dress, dressed_plot, text_item
from ui.charts.rounds import Cloud, reach
from workbench import units
from workbench.texts import message

_HALF = 0.3
_DOWN = 0.16
"""How far a row's rounds stand below its middle, to leave room for its name."""


class RoundsChart(QWidget):
    """One row for each version, the first one on top."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 12, 0)
        self._plot = dressed_plot({"bottom": PercentAxis("bottom")})
        self._plot.getPlotItem().hideAxis("left")
        self._plot.getPlotItem().showGrid(x=True, y=False, alpha=0.2)
        column.addWidget(self._plot)

    def show_clouds(self, clouds: Sequence[Cloud], tokens: Sequence[str], margin: float) -> None:
        """Draw these rounds, each in its colour; `margin` is a fraction, drawn as a band about zero."""
        look = theme.current()
        plot = self._plot.getPlotItem()
        plot.clear()
        dress(self._plot)
        far = reach(clouds, margin)
        band = look.color("neutral")
        band.setAlpha(36)
        if margin > 0:
            region = pg.LinearRegionItem(values=(-margin, margin), movable=False, brush=pg.mkBrush(band), pen=pg.mkPen(None))
            region.setZValue(-10)
            plot.addItem(region)
        plot.addItem(pg.InfiniteLine(pos=0.0, angle=90, pen=pg.mkPen(look.color("line"))))
        for place, (cloud, token) in enumerate(zip(clouds, tokens, strict=True)):
            self._draw(plot, cloud, token, len(clouds) - 1 - place - _DOWN, far)
        plot.setRange(xRange=(-far, far), yRange=(-0.55, len(clouds) - 0.45), padding=0.0)
        said = [f"{cloud.name}: {units.duration(cloud.median.value)}" for cloud in clouds]
        self.setAccessibleName(", ".join(said))

    @staticmethod
    def _draw(plot: pg.PlotItem, cloud: Cloud, token: str, row: float, far: float) -> None:
        look = theme.current()
        ink, soft = look.color(token), look.color(token)
        soft.setAlpha(40)
        grid, width = cloud.edge
        inside = np.abs(grid) <= far
        x = np.concatenate([grid[inside], grid[inside][::-1]])
        y = row + _HALF * np.concatenate([width[inside], -width[inside][::-1]])
        outline = pg.PlotCurveItem(x, y, pen=pg.mkPen(ink), fillLevel=row, brush=pg.mkBrush(soft), antialias=True)
        plot.addItem(outline)
        spots = np.clip(cloud.deviation, -far * 0.99, far * 0.99)
        plot.addItem(pg.ScatterPlotItem(spots, row + 0.8 * _HALF * cloud.lift, size=3, pen=pg.mkPen(None), brush=pg.mkBrush(ink)))
        if cloud.low is not None and cloud.high is not None:
            pen = pg.mkPen(look.color("text"), width=2)
            center, half = (cloud.low + cloud.high) / 2, (cloud.high - cloud.low) / 2
            bar = pg.ErrorBarItem(x=np.array([center]), y=np.array([row]), left=half, right=half, beam=0.18, pen=pen)
            plot.addItem(bar)
        spread = units.duration_interval(cloud.median.low, cloud.median.high)
        said = message("{name}  {time} {interval}", name=cloud.name, time=units.duration(cloud.median.value), interval=spread)
        plot.addItem(text_item(str(said).strip(), "text", (-far, row + _DOWN + 0.5), (0.0, 0.0)))
