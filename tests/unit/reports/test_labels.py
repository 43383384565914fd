"""Labels in a chart: none covers another or a dot while there is room."""

from __future__ import annotations

import itertools

from reportlab.pdfgen.canvas import Canvas

from workbench.reports.pdf.labels import Box, Labels
from workbench.reports.pdf.pen import PAGE, BlindPen, Style

STYLE = Style(size=7.4)
ROOM = (190.0, 400.0, 541.0, 500.0)


def put(points: list[tuple[float, float]]) -> list[Box]:
    labels = Labels(ROOM)
    for point in points:
        labels.keep_free(point, 3.5)
    pen = BlindPen(Canvas("unused", PAGE))
    return [labels.put(pen, point, f"shared-memory tile {number} 1.23× measured", STYLE) for number, point in enumerate(points)]


def covers(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_the_labels_of_two_versions_with_nearly_one_gain_do_not_run_into_each_other() -> None:
    boxes = put([(260.0, 450.0), (380.0, 452.0), (300.0, 451.0)])
    assert not any(covers(a, b) for a, b in itertools.combinations(boxes, 2))
    assert all(ROOM[0] <= box[0] and box[2] <= ROOM[2] for box in boxes)


def test_a_dot_at_the_right_edge_has_its_label_on_the_left() -> None:
    (box,) = put([(535.0, 450.0)])
    assert box[2] < 535.0


def test_many_dots_on_one_spot_still_all_get_a_label_inside() -> None:
    assert len(put([(300.0, 450.0)] * 30)) == 30


def test_a_label_without_any_room_stands_at_its_dot() -> None:
    (box,) = put([(10.0, 10.0)])
    assert box[:2] == (10.0, 10.0)
