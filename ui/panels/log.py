"""Log: what happened, in order, with the vendors' own words where there are any."""

from __future__ import annotations

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout

from ui import theme
from ui.bridge import Bridge
from ui.widgets.card import SectionHead
from workbench.state.workspace import LogLine
from workbench.texts import message, tr

MOST_LINES = 5000
_COLOR = {"info": "dim", "warning": "doubt", "error": "wrong"}


class LogPanel(QFrame):
    """The bottom panel. Lines are added at the end; the view follows as long as it stood there."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "page")
        self._bridge = bridge
        self._shown: tuple[LogLine, ...] = ()
        self.head = SectionHead(tr("Log"))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setMaximumBlockCount(MOST_LINES)
        self.text.setAccessibleName(tr("Log"))
        self.text.setPlaceholderText(
            tr("Nothing has happened yet. Each job that ends, and each failure with its details, will be told here.")
        )
        self.text.setFont(theme.current().font("code"))
        self.text.setViewportMargins(8, 4, 8, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        bridge.log_changed.connect(self.refresh)
        bridge.theme_changed.connect(self._redraw)
        self.refresh()

    def refresh(self) -> None:
        """Add what is new."""
        lines = self._bridge.workspace.log.value
        new = _after(self._shown, lines)
        if new is None:
            self.text.clear()
            new = lines
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for line in new:
            self._write(cursor, line)
        self._shown = lines
        if at_end:
            bar.setValue(bar.maximum())
        troubles = sum(line.level != "info" for line in lines)
        self.head.set_note(
            str(message("{count} lines, {troubles} to look at", count=len(lines), troubles=troubles)) if lines else ""
        )

    def _write(self, cursor: QTextCursor, line: LogLine) -> None:
        look = theme.current()
        plain, faint, level = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        plain.setForeground(look.color("text"))
        faint.setForeground(look.color("faint"))
        level.setForeground(look.color(_COLOR[line.level]))
        if not self.text.document().isEmpty():
            cursor.insertBlock()
        cursor.insertText(f"{line.time}  ", faint)
        cursor.insertText(f"{tr(line.level):<8} ", level)
        cursor.insertText(str(line.message), plain)
        for detail in line.detail.splitlines():
            cursor.insertBlock()
            cursor.insertText(f"{'':19}{detail}", faint)

    def _redraw(self) -> None:
        self._shown = ()
        self.text.clear()
        self.refresh()


def _after(shown: tuple[LogLine, ...], lines: tuple[LogLine, ...]) -> tuple[LogLine, ...] | None:
    """Return what follows the lines already shown; the oldest may have been dropped. None when they do not go together."""
    if not shown:
        return lines
    last = next((place for place in range(len(lines) - 1, -1, -1) if lines[place] is shown[-1]), None)
    return None if last is None else lines[last + 1 :]
