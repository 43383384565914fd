"""Colours of the words of a document: parsed on every change, coloured for the lines on screen only."""

from __future__ import annotations

from PySide6.QtGui import QTextCharFormat, QTextDocument, QTextLayout

from ui.theme import Theme
from ui.widgets.cuda_syntax import CudaSyntax, Span, Word

TOKENS: dict[Word, str] = {
    "keyword": "code_keyword", "type": "code_type", "function": "code_function", "number": "code_number",
    "string": "code_number", "comment": "code_comment", "directive": "code_directive",
}  # fmt: skip
"""Word -> colour token."""


class Highlighter:
    """Keeps the syntax of one document. Call `parse` after each change and `colour` for what is seen."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self._document = document
        self.syntax = CudaSyntax()
        self._formats: dict[Word, QTextCharFormat] = {}
        self.dress(theme)

    def dress(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for word, token in TOKENS.items():
            look = QTextCharFormat()
            look.setForeground(theme.color(token))
            self._formats[word] = look

    def parse(self, text: str) -> None:
        """Take the document's text as it is now."""
        self.syntax.update(text)

    def colour(self, first: int, last: int) -> None:
        """Colour lines first to last (from 0, both included); lines that have their colours already are left alone."""
        block = self._document.findBlockByNumber(first)
        begin, end = -1, -1
        for spans in self.syntax.spans(first, last):
            if not block.isValid():
                break
            ranges = [self._range(span) for span in spans]
            if block.layout().formats() != ranges:
                block.layout().setFormats(ranges)
                begin = block.position() if begin < 0 else begin
                end = block.position() + block.length()
            block = block.next()
        if begin >= 0:
            self._document.markContentsDirty(begin, end - begin)

    def _range(self, span: Span) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        found.start, found.length, found.format = span.start, span.end - span.start, self._formats[span.word]
        return found
