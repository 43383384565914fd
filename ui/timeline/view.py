"""What part of the time axis is on screen. Whole nanoseconds and whole pixels; no widget."""

from __future__ import annotations

from typing import NamedTuple

from ui.widgets.stage_look import round_steps
from workbench import units

MIN_SPAN = 100
"""Nanoseconds; nothing shorter can be looked at (device timestamps tick at 32 ns)."""


class Tick(NamedTuple):
    """A labelled place on the axis."""

    time: int
    pixel: int
    label: str


class View(NamedTuple):
    """`span` nanoseconds from `start` over `width` pixels."""

    start: int
    span: int
    width: int

    def pixel(self, time: int) -> int:
        """Return the pixel column of a time; it may lie outside."""
        return (time - self.start) * self.width // self.span

    def time(self, pixel: int) -> int:
        """Return the time at the left edge of a pixel column."""
        return self.start + pixel * self.span // self.width

    def zoomed(self, factor: float, pixel: int, total: int) -> View:
        """Return the view with the span times `factor`, the time under `pixel` staying there, within 0 to `total`."""
        span = max(MIN_SPAN, min(int(self.span * factor), whole(total, self.width).span))
        start = self.time(pixel) - pixel * span // self.width
        return View(start, span, self.width).held(total)

    def panned(self, pixels: int, total: int) -> View:
        """Return the view moved by `pixels` towards later times, within 0 to `total`."""
        return self._replace(start=self.start + pixels * self.span // self.width).held(total)

    def held(self, total: int) -> View:
        """Return the view moved so that it shows nothing before 0 and nothing after `total` where that is possible."""
        most = whole(total, self.width)
        last = max(most.start, most.start + most.span - self.span)
        return self._replace(start=min(max(self.start, most.start), last))

    def resized(self, width: int) -> View:
        """Return the same times over another width."""
        return self._replace(width=max(1, width))

    def ticks(self, least_pixels: int = 80) -> list[Tick]:
        """Return round times (1, 2 or 5 times a power of ten) at least `least_pixels` apart."""
        steps = round_steps(self.start, self.span, self.width, least_pixels)
        return [Tick(time, self.pixel(time), _label(time, steps.step)) for time in steps]


def _label(time: int, step: int) -> str:
    """Return a time with as many digits as tell it from its neighbours."""
    digits = max(1, len(str(abs(time))) - len(str(step)) + 1)
    return units.duration(time / 1e9, digits)


def whole(total: int, width: int) -> View:
    """Return the view of everything from 0 to `total` with a margin of 1 % on both sides."""
    edge = max(MIN_SPAN, total) // 100
    return View(-edge, max(MIN_SPAN, total) + 2 * edge, max(1, width))
