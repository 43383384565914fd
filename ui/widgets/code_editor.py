"""The editor of one CUDA source: words, numbers, marks, brackets and indentation. Always LF inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from ui import theme
from ui.widgets import indent
from ui.widgets.gutter import Gutter, LineBar
from ui.widgets.highlighter import Highlighter
from ui.widgets.line_diff import MarginKind
from workbench.model.failure import SourceLine

_AHEAD = 8
"""Lines coloured above and below the window, so that scrolling shows no plain text."""


class CodeEditor(QPlainTextEdit):
    """Shows and edits a source. `typed` tells every change of the text, whoever made it."""

    typed = Signal()
    bar_pointed = Signal(int, QPoint)
    """Line (from 1) and place on screen where the pointer rests on a bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlighter = Highlighter(self.document(), theme.current())
        self._marks: tuple[SourceLine, ...] = ()
        self._source = -1, ""
        self._differences: Mapping[int, MarginKind] = {}
        self._bars: Mapping[int, LineBar] = {}
        self._matches: Sequence[tuple[int, int]] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.gutter = Gutter(self)
        self.dress()
        self.textChanged.connect(self._take_text)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._follow)
        self.cursorPositionChanged.connect(self._mark)
        self.verticalScrollBar().valueChanged.connect(self._colour)
        self._make_room()

    def dress(self) -> None:
        """Take face and colours of the theme worn now."""
        look = theme.current()
        font = look.font("code")
        self.setFont(font)
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * indent.STEP)
        self._highlighter.dress(look)
        self._colour()
        self._mark()

    def changeEvent(self, event: QEvent) -> None:
        """Dress anew when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "gutter"):
            self.dress()

    # --- the text

    def source(self) -> str:
        """Return the text, lines ended by LF; characters are as they were given (no blank for a no-break space)."""
        revision = self.document().revision()
        if self._source[0] != revision:
            self._source = revision, self.document().toRawText().replace("\u2029", "\n")
        return self._source[1]

    def open_source(self, text: str) -> None:
        """Show another text and forget what was undone before."""
        self.setPlainText(text)

    def change_to(self, text: str) -> None:
        """Make the text this one as a single step that undo takes back; cursor and view stay where they can."""
        start, end, middle = indent.smallest_change(self.source(), text)
        if start == end and not middle:
            return
        before = self.source()
        cursor = QTextCursor(self.document())
        cursor.setPosition(_units(before, start))
        cursor.setPosition(_units(before, end), QTextCursor.MoveMode.KeepAnchor)
        cursor.beginEditBlock()
        cursor.insertText(middle)
        cursor.endEditBlock()

    def go_to(self, line: int, column: int = 0) -> None:
        """Put the cursor on a line (from 1) and bring it into view."""
        block = self.document().findBlockByNumber(max(0, min(line, self.blockCount()) - 1))
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(column, block.length() - 1))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus()

    def set_marks(self, marks: tuple[SourceLine, ...]) -> None:
        """Mark what the compiler or a detector found."""
        self._marks = marks
        self._mark()
        self.gutter.update()

    def set_differences(self, differences: Mapping[int, MarginKind]) -> None:
        """Mark how lines (from 0) differ from the parent version."""
        self._differences = differences
        self.gutter.update()

    def set_bars(self, bars: Mapping[int, LineBar]) -> None:
        """Draw a bar beside these lines (from 0); without one the gutter takes its room back."""
        if bars == self._bars:
            return
        self._bars = bars
        self._make_room()
        self.gutter.update()

    def set_matches(self, matches: Sequence[tuple[int, int]]) -> None:
        """Mark what was searched for (start and end, as QTextDocument counts)."""
        self._matches = matches
        self._mark()

    # --- what the gutter asks

    def line_boxes(self) -> Iterator[tuple[int, QRect]]:
        """Yield number (from 0) and place of each line on screen."""
        block = self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset()).toRect()
            if box.top() > self.viewport().height():
                return
            box.setHeight(min(box.height(), self.fontMetrics().lineSpacing() + 1))  # the last block has the document's margin too
            yield block.blockNumber(), box
            block = block.next()

    def line_at(self, y: int) -> int:
        """Return the line (from 0) at a height of the view."""
        return self.cursorForPosition(QPoint(0, y)).blockNumber()

    def difference_at(self, line: int) -> MarginKind | None:
        """Return how a line differs from the parent version."""
        return self._differences.get(line)

    def bar_at(self, line: int) -> LineBar | None:
        """Return the bar beside a line."""
        return self._bars.get(line)

    def has_bars(self) -> bool:
        """Tell whether any line has a bar."""
        return bool(self._bars)

    def severity_at(self, line: int) -> str | None:
        """Return the worst severity found at a line, None where nothing was."""
        found = {mark.severity for mark in self._marks if mark.line == line + 1}
        return next((severity for severity in ("error", "warning", "note") if severity in found), None)

    def findings_at(self, line: int) -> list[str]:
        """Return what was found at a line, in the compiler's words."""
        return [mark.text for mark in self._marks if mark.line == line + 1]

    # --- drawing

    def _take_text(self) -> None:
        self._highlighter.parse(self.source())
        self._colour()
        self.typed.emit()

    def _colour(self) -> None:
        first = self.firstVisibleBlock().blockNumber()
        shown = self.viewport().height() // max(1, self.fontMetrics().height()) + 1
        self._highlighter.colour(max(0, first - _AHEAD), first + shown + _AHEAD)

    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter.wanted_width(), 0, 0, 0)
        self._place_gutter()

    def _place_gutter(self) -> None:
        inside = self.contentsRect()
        self.gutter.setGeometry(QRect(inside.left(), inside.top(), self.gutter.wanted_width(), inside.height()))

    def _follow(self, rect: QRect, moved: int) -> None:
        if moved:
            self.gutter.scroll(0, moved)
        else:
            self.gutter.update(0, rect.y(), self.gutter.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the gutter at the left and colour what came into view."""
        super().resizeEvent(event)
        self._place_gutter()
        self._colour()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text and, behind the end of a line with a finding, the finding's own words."""
        super().paintEvent(event)
        if not self._marks:
            return
        look = theme.current()
        painter = QPainter(self.viewport())
        painter.setFont(look.font("caption"))
        for line, box in self.line_boxes():
            said = self.findings_at(line)
            if said:
                width = self.fontMetrics().horizontalAdvance(self.document().findBlockByNumber(line).text())
                left = int(self.contentOffset().x()) + width + 28
                painter.setPen(look.color("wrong" if self.severity_at(line) == "error" else "doubt"))
                painter.drawText(QRect(left, box.top(), 4000, box.height()), Qt.AlignmentFlag.AlignVCenter, said[0])
        painter.end()

    def _mark(self) -> None:
        look = theme.current()
        selections = [self._whole_line(look.color("panel"))]
        selections += [self._stretch(start, end, look.color("doubt_on")) for start, end in self._matches]
        selections += self._brackets(look.color("selection"))
        worst = {mark.line: mark for mark in sorted(self._marks, key=_weight, reverse=True)}
        selections += [self._squiggle(mark, look) for mark in worst.values() if 0 < mark.line <= self.blockCount()]
        self.setExtraSelections(selections)
        self.gutter.update()

    def _whole_line(self, color: QColor) -> QTextEdit.ExtraSelection:
        cursor = self.textCursor()
        cursor.clearSelection()
        found = _selection(cursor)
        found.format.setBackground(color)
        found.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        return found

    def _stretch(self, start: int, end: int, color: QColor) -> QTextEdit.ExtraSelection:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(min(end, self.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
        found = _selection(cursor)
        found.format.setBackground(color)
        return found

    def _squiggle(self, mark: SourceLine, look: theme.Theme) -> QTextEdit.ExtraSelection:
        block = self.document().findBlockByNumber(mark.line - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + len(indent.leading(block.text())))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        found = _selection(cursor)
        found.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        found.format.setUnderlineColor(look.color("wrong" if mark.severity == "error" else "doubt"))
        return found

    def _brackets(self, color: QColor) -> list[QTextEdit.ExtraSelection]:
        cursor = self.textCursor()
        line, column = cursor.blockNumber(), cursor.positionInBlock()
        pair = self._highlighter.syntax.bracket_pair(line, column)
        if pair is None and column:
            pair = self._highlighter.syntax.bracket_pair(line, column - 1)
        found = []
        for row, place in pair or ():
            start = self.document().findBlockByNumber(row).position() + place
            found.append(self._stretch(start, start + 1, color))
        return found

    def viewportEvent(self, event: QEvent) -> bool:
        """Say a finding when the pointer rests on its line."""
        if isinstance(event, QHelpEvent):
            said = self.findings_at(self.line_at(event.pos().y()))
            QToolTip.showText(event.globalPos(), "\n".join(said), self)
            return True
        return super().viewportEvent(event)

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Indent as C is indented; everything else is Qt's."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        key = Qt.Key(event.key())
        if self.isReadOnly():
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Tab and plain:
            self._indent()
        elif key == Qt.Key.Key_Backtab:
            self._outdent()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            cursor = self.textCursor()
            cursor.insertText("\n" + indent.after_return(_before(cursor)))
            self.ensureCursorVisible()
        elif key == Qt.Key.Key_Backspace and plain and not self.textCursor().hasSelection():
            self._back()
        elif event.text() == "}" and not _before(self.textCursor()).strip():
            self._close_brace()
        else:
            super().keyPressEvent(event)

    def _lines(self) -> Iterator[QTextCursor]:
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        last = self.document().findBlock(max(cursor.selectionStart(), cursor.selectionEnd() - 1)).blockNumber()
        while first.isValid() and first.blockNumber() <= last:
            yield QTextCursor(first)
            first = first.next()

    def _indent(self) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        if cursor.hasSelection():
            for line in self._lines():
                if line.block().text().strip():
                    line.insertText(" " * indent.STEP)
        else:
            cursor.insertText(indent.to_next_stop(cursor.positionInBlock()))
        cursor.endEditBlock()

    def _outdent(self) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for line in self._lines():
            text = line.block().text()
            removed = len(text) - len(indent.outdented(text))
            line.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, removed)
            line.removeSelectedText()
        cursor.endEditBlock()

    def _back(self) -> None:
        cursor = self.textCursor()
        if cursor.positionInBlock() == 0:
            cursor.deletePreviousChar()
            return
        removed = indent.back_from(_before(cursor))
        if removed == 1:
            cursor.deletePreviousChar()
            return
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, removed)
        cursor.removeSelectedText()

    def _close_brace(self) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(indent.outdented(cursor.selectedText()) + "}")
        cursor.endEditBlock()


def _weight(mark: SourceLine) -> int:
    return ("error", "warning", "note").index(mark.severity)


def _before(cursor: QTextCursor) -> str:
    return cursor.block().text()[: cursor.positionInBlock()]


def _units(text: str, place: int) -> int:
    """Return a place as QTextDocument counts it: characters outside the first plane are two units."""
    return place + sum(ord(char) > 0xFFFF for char in text[:place])


def _selection(cursor: QTextCursor) -> QTextEdit.ExtraSelection:
    found = QTextEdit.ExtraSelection()
    found.cursor = cursor
    found.format = QTextCharFormat()
    return found
