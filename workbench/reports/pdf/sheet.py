"""Pages: header, footer, sections with their label in the left margin, page breaks, bookmarks."""

from __future__ import annotations

from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from workbench import units
from workbench.reports.blocks import Document
from workbench.reports.pdf.pen import DIM, HEAD, LABEL, LEAD, PAGE, SMALL, TITLE, BlindPen, Pen, Style, wrap
from workbench.texts import tr

LEFT, COLUMN, RIGHT = 54.0, 160.0, 541.0
TOP, BOTTOM = 72.0, 784.0
NOTE = 92.0
"""Width of the notes under a section's label."""


def note_height(note: str) -> float:
    """Return what a section's label with this note needs, points."""
    parts = note.split("\n") if note else []
    lines = sum(len(wrap(part, SMALL, NOTE)) for part in parts)
    return 26 + lines * SMALL.leading + 3 * len(parts) if parts else 0.0


def pairs_height(pairs: list[tuple[str, str]], x: float = COLUMN) -> float:
    """Return what `Sheet.pairs` takes, points."""
    return sum(_row_heights(pairs, x))


def _row_heights(pairs: list[tuple[str, str]], x: float) -> list[float]:
    rows = (len(pairs) + 1) // 2
    heights = [0.0] * rows
    for index, (_, value) in enumerate(pairs):
        lines = len(wrap(value or units.MISSING, Style(), (RIGHT - x) / 2 - 77))
        heights[index % rows] = max(heights[index % rows], 12.9 + 10.6 * (lines - 1))
    return heights


class Sheet:
    """The report being drawn; `y` is where the next thing goes."""

    def __init__(self, document: Document, total: int) -> None:
        self.document = document
        self.buffer = BytesIO()
        self.canvas = Canvas(self.buffer, PAGE, invariant=1, pageCompression=1, lang="en")
        self.pen = Pen(self.canvas) if total else BlindPen(self.canvas)
        self.total = total
        self.number = 0
        self.y = TOP
        self._right = ""
        self._keys = 0

    def start(self, right: str, outline: str, level: int = 0) -> None:
        """Begin a page with its own header text and its place in the outline."""
        self._right = right
        self._turn()
        self._keys += 1
        key = f"part{self._keys}"
        self.canvas.bookmarkPage(key)
        self.canvas.addOutlineEntry(outline, key, level, closed=0)

    def _turn(self) -> None:
        if self.number:
            self.canvas.showPage()
        self.number += 1
        self.y = TOP
        self._header()
        self._footer()

    def _header(self) -> None:
        length = self.pen.text(LEFT, 37, self.document.title, Style("bold", 7.4), limit=220)
        self.pen.text(LEFT + length + 4, 37, tr("kernel ledger report"), SMALL)
        self.pen.text(RIGHT, 37, self._right, SMALL, align="right", limit=200)

    def _footer(self) -> None:
        self.pen.line((LEFT, 798), (RIGHT, 798))
        digest = self.document.content_hash
        self.pen.text(
            LEFT,
            811,
            " · ".join(part for part in (self.document.date[:10], self.document.device_title) if part),
            SMALL,
            limit=170,
        )
        self.pen.text(
            (LEFT + RIGHT) / 2, 811, tr("content {head}…{tail}").format(head=digest[:8], tail=digest[-4:]), SMALL, align="center"
        )
        pages = tr("page {number} of {total}").format(number=self.number, total=max(self.total, self.number))
        self.pen.text(RIGHT, 811, pages, SMALL, align="right")

    def fits(self, height: float) -> bool:
        """Return whether `height` points are left on the page."""
        return self.y + height <= BOTTOM

    def need(self, height: float) -> bool:
        """Go to a fresh page unless `height` points are left; True when it did."""
        if self.fits(height):
            return False
        self._turn()
        return True

    def title(self, text: str, lead: str) -> None:
        """Draw a page's title and the sentence under it."""
        self.y = self.pen.paragraph(LEFT, self.y + 8, text, TITLE, RIGHT - LEFT)
        self.y = self.pen.paragraph(LEFT, self.y, lead, LEAD, RIGHT - LEFT - 40) + 6

    def section(self, label: str, note: str = "", *, height: float = 60.0) -> float:
        """Begin a section: a hairline, its label and note in the left margin. Returns where its content begins.

        Each line of the note is a paragraph.
        """
        parts = note.split("\n") if note else []
        self.need(max(height, note_height(note)))
        self.pen.line((LEFT, self.y), (RIGHT, self.y))
        self.pen.text(LEFT, self.y + 16, label, LABEL, limit=COLUMN - LEFT - 6)
        self._note_end = self.y + 16
        for number, part in enumerate(parts):
            start = self._note_end + (3 if number else 12)
            self._note_end = self.pen.paragraph(LEFT, start, part, SMALL, NOTE)
        self.y += 16
        return self.y

    def end_section(self, gap: float = 20.0) -> None:
        """Leave the space below a section, or below its note where that is longer."""
        self.y = max(self.y, getattr(self, "_note_end", self.y)) + gap - 6

    def pairs(self, pairs: list[tuple[str, str]], x: float = COLUMN) -> None:
        """Draw facts in two columns, label and value, read down the first column and then down the second."""
        half = (RIGHT - x) / 2
        heights = _row_heights(pairs, x)
        rows = len(heights)
        for row in range(rows):
            self.need(heights[row])
            for side, index in enumerate((row, row + rows)):
                if index < len(pairs):
                    left = x + side * (half + 6)
                    self.pen.text(left, self.y, pairs[index][0], DIM, limit=67)
                    for number, part in enumerate(wrap(pairs[index][1] or units.MISSING, Style(), half - 77)):
                        self.pen.text(left + 69, self.y + 11.0 * number, part)
            self.y += heights[row]

    def column_heads(self, heads: list[tuple[float, str, str]]) -> None:
        """Draw the heads of a table: x, alignment, text."""
        for x, align, text in heads:
            self.pen.text(x, self.y, text, HEAD, align="right" if align == "right" else "left")
        self.y += 6
        self.pen.line((COLUMN, self.y), (RIGHT, self.y))

    def finish(self) -> bytes:
        """Return the file."""
        self.canvas.showOutline()
        self.canvas.save()
        return self.buffer.getvalue()
