"""Find in the editor: next, previous, case, regular expressions."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRegularExpression, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton

from ui import theme
from ui.widgets.code_editor import CodeEditor
from ui.widgets.icon import IconButton
from ui.widgets.label import Label
from workbench.texts import message, tr

_MOST = 5000
"""Matches that are marked; more only cost time."""


class Matches(NamedTuple):
    """Start and end of each match as QTextDocument counts, or why the pattern cannot be used."""

    places: list[tuple[int, int]]
    error: str = ""


def find_all(text: str, pattern: str, *, case: bool, regex: bool) -> Matches:
    """Return every match. Qt's expressions give up on patterns that would run for ever, Python's do not."""
    if not pattern:
        return Matches([])
    options = QRegularExpression.PatternOption.MultilineOption | QRegularExpression.PatternOption.UseUnicodePropertiesOption
    if not case:
        options |= QRegularExpression.PatternOption.CaseInsensitiveOption
    expression = QRegularExpression(pattern if regex else QRegularExpression.escape(pattern), options)
    if not expression.isValid():
        return Matches([], expression.errorString())
    places: list[tuple[int, int]] = []
    found = expression.globalMatch(text)
    while found.hasNext() and len(places) < _MOST:
        match = found.next()
        if match.capturedLength():
            places.append((match.capturedStart(), match.capturedEnd()))
    return Matches(places)


class FindBar(QFrame):
    """Stands over the editor while something is searched for."""

    closed = Signal()

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__()
        self._editor = editor
        self._matches = Matches([])
        self._later = QTimer(self, singleShot=True, interval=120)
        self._later.timeout.connect(self._search)
        self.setProperty("part", "section")
        self.field = QLineEdit()
        self.field.setProperty("part", "search")
        self.field.setPlaceholderText(tr("Find in the source"))
        self.field.setAccessibleName(tr("Find in the source"))
        self.case = self._switch("Aa", tr("Match upper and lower case"))
        self.regex = self._switch(".*", tr("Regular expression"))
        self._count = Label("", "caption", "dim")
        self._build()
        self.field.textChanged.connect(self._search)
        self.case.toggled.connect(self._search)
        self.regex.toggled.connect(self._search)
        editor.typed.connect(self._searched_text_changed)
        self.hide()

    def _switch(self, text: str, title: str) -> QPushButton:
        button = QPushButton(text)
        button.setCheckable(True)
        button.setToolTip(title)
        button.setAccessibleName(title)
        button.setFixedWidth(40)
        return button

    def _build(self) -> None:
        before = IconButton("chevron-up", tr("Previous match (Shift+F3)"))
        after = IconButton("chevron-down", tr("Next match (F3)"))
        close = IconButton("close", tr("Close the find bar (Esc)"))
        before.clicked.connect(self.previous)
        after.clicked.connect(self.next)
        close.clicked.connect(self.close_bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(theme.current().space(1))
        row.addWidget(self.field, 1)
        for widget in (self.case, self.regex, self._count, before, after, close):
            row.addWidget(widget)

    def open_bar(self) -> None:
        """Show the bar with the selected word in it."""
        chosen = self._editor.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.field.setText(chosen)
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hide the bar and give the keyboard back to the editor."""
        self.hide()
        self._editor.set_matches([])
        self._editor.setFocus()
        self.closed.emit()

    def next(self) -> None:
        """Select the next match, from the start again after the last."""
        cursor = self._editor.textCursor()
        places = self._matches.places
        if places:
            self._select(next((place for place in places if place[0] >= cursor.selectionEnd()), places[0]))

    def previous(self) -> None:
        """Select the previous match, from the end again before the first."""
        cursor = self._editor.textCursor()
        places = self._matches.places
        if places:
            self._select(next((place for place in reversed(places) if place[1] <= cursor.selectionStart()), places[-1]))

    def count_text(self) -> str:
        """Return what is said about the matches."""
        return self._count.text()

    def _select(self, place: tuple[int, int]) -> None:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(place[0])
        cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()
        self._say()

    def _searched_text_changed(self) -> None:
        if not self.isHidden():
            self._later.start()

    def _search(self) -> None:
        self._matches = find_all(
            self._editor.source(), self.field.text(), case=self.case.isChecked(), regex=self.regex.isChecked()
        )
        self._editor.set_matches(self._matches.places if not self.isHidden() else [])
        self._say()

    def _say(self) -> None:
        places = self._matches.places
        cursor = self._editor.textCursor()
        here = (cursor.selectionStart(), cursor.selectionEnd())
        if self._matches.error:
            text = str(message("not a pattern: {reason}", reason=self._matches.error))
        elif not self.field.text():
            text = ""
        elif here in places:
            text = str(message("{number} of {count}", number=places.index(here) + 1, count=len(places)))
        else:
            text = str(message("{count} found", count=len(places)))
        self._count.setText(text)
        self._count.set_tone("doubt" if self._matches.error else "dim")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes to the next match, with Shift to the previous one; Escape closes."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_bar()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.previous()
            else:
                self.next()
        else:
            super().keyPressEvent(event)
