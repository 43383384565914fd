"""The Amdahl curve: end-to-end speed-up against kernel speed-up, its ceiling, what was predicted and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import theme
from ui.charts.axes import RatioAxis, dress, dressed_plot, text_item
from workbench import units
from workbench.analysis.amdahl import amdahl_curve
from workbench.model.ledger import Account
from workbench.texts import message

_POINTS = 160
_APART = 0.045
"""Between a dot and its label, log10 of the kernel's speed-up."""


class Curve(NamedTuple):
    """What the chart draws. `kernel` are kernel speed-ups (log10), `whole` the end-to-end speed-ups there."""

    kernel: npt.NDArray[np.float64]
    whole: npt.NDArray[np.float64]
    ceiling: float
    predicted: tuple[float, float] | None
    measured: tuple[float, float, float, float] | None
    """Kernel speed-up, end-to-end speed-up, its low and high end."""


def curve_of(account: Account) -> Curve | None:
    """Return the curve of an account, None where no ceiling is predicted (CPU time, nothing traced)."""
    if account.ceiling is None or account.share_before is None or not account.books_gain:
        return None
    speedup = account.kernel_speedup.value or 1.0
    reach = max(20.0, speedup * 6.0)
    kernel = np.logspace(0.0, np.log10(reach), _POINTS)
    traced = account.traced_kernel_speedup
    predicted = (traced, account.predicted_speedup) if account.predicted_speedup and traced and traced > 1 else None
    measured, value = None, account.speedup.value
    if value is not None:
        measured = (speedup, value, account.speedup.low or value, account.speedup.high or value)
    whole = np.asarray(amdahl_curve(account.share_before, kernel), dtype=np.float64)
    return Curve(np.log10(kernel), whole, account.ceiling, predicted, measured)


def label_places(
    labels: Sequence[tuple[str, str, float, float]], curve: Curve
) -> list[tuple[str, str, tuple[float, float], tuple[float, float]]]:
    """Return text, colour, place and anchor of the labels of dots (text, colour, x, y), where none covers the curve or another.

    The room right of and under a dot lies under the curve; near the right edge there is none, but left of and above it. Dots
    of nearly one height share a stack of lines.
    """
    near = max((y for *_, y in labels), default=0.0) - min((y for *_, y in labels), default=0.0) < 0.15 * (curve.ceiling - 1.0)
    placed = []
    for row, (text, ink, x, y) in enumerate(labels):
        right = x < 0.66 * float(curve.kernel[-1])
        sides, heights = ([x for _, _, x, _ in labels], [y for *_, y in labels]) if near else ([x], [y])
        line = row if near else 0
        place = (max(sides) + _APART, min(heights)) if right else (min(sides) - _APART, max(heights))
        placed.append((text, ink, place, (0.0, -float(line)) if right else (1.0, 1.0 + line)))
    return placed


class AmdahlChart(QWidget):
    """Shows one account; empty until it is given one that predicts a ceiling."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 12, 4)
        self._plot = dressed_plot({"bottom": RatioAxis("bottom", logarithmic=True), "left": RatioAxis("left")})
        column.addWidget(self._plot)

    def show_account(self, account: Account) -> None:
        """Draw an account anew in the colours of now."""
        plot = self._plot.getPlotItem()
        plot.clear()
        curve = curve_of(account)
        if curve is None:
            return
        look = theme.current()
        dress(self._plot)
        plot.addItem(pg.PlotCurveItem(curve.kernel, curve.whole, pen=pg.mkPen(look.color("accent"), width=2), antialias=True))
        pen = pg.mkPen(look.color("doubt"), width=1, style=Qt.PenStyle.DashLine)
        plot.addItem(pg.InfiniteLine(pos=curve.ceiling, angle=0, pen=pen))
        said = message("ceiling {ratio}, the kernel is free (predicted)", ratio=units.ratio(curve.ceiling))
        plot.addItem(text_item(str(said), "doubt", (0.02, curve.ceiling), (0.0, 1.0)))
        self._draw_points(plot, curve, "proven" if account.verdict == "FASTER" else "neutral")
        lowest = min(1.0, curve.measured[2] if curve.measured else 1.0)
        highest = max(curve.ceiling, curve.measured[3] if curve.measured else 1.0)
        room = (highest - lowest) * 0.14 + 1e-3
        plot.setRange(xRange=(0.0, float(curve.kernel[-1])), yRange=(lowest - room / 2, highest + room), padding=0.0)
        self.setAccessibleName(self._spoken(curve))

    def _draw_points(self, plot: pg.PlotItem, curve: Curve, token: str) -> None:
        look = theme.current()
        labels: list[tuple[str, str, float, float]] = []
        if curve.measured:
            kernel, y, low, high = curve.measured
            x = float(np.log10(kernel))
            pen = pg.mkPen(look.color(token), width=2)
            plot.addItem(pg.ErrorBarItem(x=np.array([x]), y=np.array([y]), top=high - y, bottom=y - low, beam=0.02, pen=pen))
            plot.addItem(pg.ScatterPlotItem([x], [y], size=9, pen=pen, brush=pg.mkBrush(look.color(token))))
            spread = units.interval(low, high, 2 if high - low >= 0.02 else 3)
            labels.append((str(message("measured {ratio} {interval}", ratio=units.ratio(y), interval=spread)), token, x, y))
        if curve.predicted:
            x, y = float(np.log10(curve.predicted[0])), curve.predicted[1]
            hollow = {"pen": pg.mkPen(look.color("accent"), width=2), "brush": pg.mkBrush(look.color("page"))}
            plot.addItem(pg.ScatterPlotItem([x], [y], size=11, **hollow))
            said = message("predicted {ratio} at {kernel}", ratio=units.ratio(y), kernel=units.ratio(curve.predicted[0]))
            labels.append((str(said), "accent", x, y))
        for text, ink, place, anchor in label_places(labels, curve):
            plot.addItem(text_item(text, ink, place, anchor))

    @staticmethod
    def _spoken(curve: Curve) -> str:
        parts = [str(message("Amdahl curve, ceiling {ratio}", ratio=units.ratio(curve.ceiling)))]
        if curve.predicted:
            parts.append(str(message("predicted {ratio}", ratio=units.ratio(curve.predicted[1]))))
        if curve.measured:
            parts.append(str(message("measured {ratio}", ratio=units.ratio(curve.measured[1]))))
        return ", ".join(parts)
