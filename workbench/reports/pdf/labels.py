"""Labels beside dots, where none covers another or a dot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from workbench.reports.pdf.pen import Pen, Style, measure

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points."""
Point = tuple[float, float]
GAPS, STEP = (6.0, 16.0), 9.0
ROWS = (0.0, -0.6, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0)
"""Lines up and down from the dot that are tried, nearest first."""


class Labels:
    """Keeps what is taken inside `room`; a label goes beside its dot, then above and below, right before left."""

    def __init__(self, room: Box) -> None:
        self.room = room
        self.taken: list[Box] = []

    def keep_free(self, point: Point, radius: float) -> None:
        """Take the place of a dot."""
        x, y = point
        self.taken.append((x - radius, y - radius, x + radius, y + radius))

    def take(self, box: Box) -> None:
        """Take a place."""
        self.taken.append(box)

    def put(self, pen: Pen, point: Point, text: str, style: Style, *, first: Literal["left", "right"] = "right") -> Box:
        """Draw a label by a dot and take its place; where no place is free it goes to the first one inside the room."""
        places = [place for place in self._places(point, measure(text, style), style, first) if self._inside(place)]
        box = next((place for place in places if not self._covers(place)), places[0] if places else (*point, *point))
        self.taken.append(box)
        pen.text(box[0], box[3] - 0.26 * style.size, text, style)
        return box

    @staticmethod
    def _places(point: Point, length: float, style: Style, first: str) -> Iterator[Box]:
        x, y = point
        sides = [left for gap in GAPS for left in (x + gap, x - gap - length)]
        if first == "left":
            sides = [sides[index] for index in (1, 0, 3, 2)]
        for row in ROWS:
            middle = y + row * STEP
            for left in sides:
                yield left, middle - style.size / 2, left + length, middle + style.size / 2

    def _inside(self, box: Box) -> bool:
        return box[0] >= self.room[0] and box[1] >= self.room[1] and box[2] <= self.room[2] and box[3] <= self.room[3]

    def _covers(self, box: Box) -> bool:
        return any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in self.taken)
