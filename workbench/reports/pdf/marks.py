"""The small signs beside words: a tick, a cross, an open ring. A colour never stands alone."""

from __future__ import annotations

from workbench.reports.pdf.pen import Pen, Style
from workbench.texts import tr

WORDS = {"passed": "proven", "failed": "wrong", "not run": "doubt", "not applicable": "dim"}


def gate_mark(pen: Pen, x: float, y: float, status: str) -> None:
    """Draw a gate's sign with its word, the word's baseline at y."""
    name = WORDS.get(status, "dim")
    if status == "passed":
        pen.curve([(x, y - 2.6), (x + 2.0, y - 0.6), (x + 6.0, y - 5.6)], name, 1.2)
    elif status == "failed":
        pen.curve([(x + 0.6, y - 5.4), (x + 5.4, y - 0.6)], name, 1.2)
        pen.curve([(x + 5.4, y - 5.4), (x + 0.6, y - 0.6)], name, 1.2)
    else:
        pen.dot(x + 3, y - 3, 2.6, name, hollow=True)
    pen.text(x + 10, y, tr(status), Style("medium" if status == "failed" else "text", 8.2, color=name))


def severity_mark(pen: Pen, x: float, y: float, severity: str) -> None:
    """Draw a finding's severity, the word's baseline at y: an error in bold, the others lighter."""
    name = {"error": "wrong", "warning": "doubt"}.get(severity, "dim")
    pen.text(x, y, tr(severity), Style("medium" if severity == "error" else "text", 8.2, color=name))
