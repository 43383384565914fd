"""The line under the text that says what the compiler found, one finding at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from ui import theme
from ui.widgets.code_editor import CodeEditor
from ui.widgets.icon import IconButton, IconLabel
from ui.widgets.label import ElidedLabel, Label
from workbench.model.failure import SourceLine
from workbench.texts import message, tr

_WORDS = {"error": "error", "warning": "warning", "note": "note"}


class FindingsStrip(QFrame):
    """Hidden while there is nothing to say. A click goes to the line; the arrows (F8, Shift+F8) walk the findings."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__()
        self._editor = editor
        self._marks: tuple[SourceLine, ...] = ()
        self._at = 0
        self.setProperty("part", "section")
        self._icon = IconLabel("warning", "wrong", 16)
        self._sentence = ElidedLabel("", "text")
        self._count = Label("", "caption", "dim")
        before = IconButton("chevron-up", tr("Previous finding"))
        after = IconButton("chevron-down", tr("Next finding"))
        before.clicked.connect(self.previous)
        after.clicked.connect(self.next)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Go to this line"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(theme.current().space(2))
        row.addWidget(self._icon)
        row.addWidget(self._sentence, 1)
        for widget in (self._count, before, after):
            row.addWidget(widget)
        self.hide()

    def show_marks(self, marks: tuple[SourceLine, ...]) -> None:
        """Show the first error of these; where the same findings only moved with their lines, the one that was shown."""
        found = tuple(sorted(marks, key=_by_weight))
        if found == self._marks:
            return
        if [mark.text for mark in found] != [mark.text for mark in self._marks]:
            self._at = 0
        self._marks = found
        self.setVisible(bool(marks))
        self._say()

    def sentence(self) -> str:
        """Return what is said now."""
        return self._sentence.text()

    def _say(self) -> None:
        if not self._marks:
            return
        mark = self._marks[self._at]
        word = tr(_WORDS[mark.severity])
        self._sentence.setText(str(message("Line {line}, {severity}: {text}", line=mark.line, severity=word, text=mark.text)))
        self._count.setText(str(message("{number} of {count}", number=self._at + 1, count=len(self._marks))))
        self._icon.set_icon("warning", "wrong" if mark.severity == "error" else "doubt")

    def _step(self, by: int) -> None:
        if self._marks:
            self._at = (self._at + by) % len(self._marks)
            self._say()
            self._editor.go_to(self._marks[self._at].line)

    def previous(self) -> None:
        """Go to the finding before this one."""
        self._step(-1)

    def next(self) -> None:
        """Go to the finding after this one."""
        self._step(1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line that is spoken of."""
        super().mousePressEvent(event)
        self._step(0)


def _by_weight(mark: SourceLine) -> tuple[int, int]:
    return ("error", "warning", "note").index(mark.severity), mark.line
