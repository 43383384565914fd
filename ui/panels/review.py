"""The review page: one suggestion, hunk by hunk. Nothing is written before the reader said so."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from ui import theme
from ui.bridge import Bridge
from ui.tables.hunk_choice import Choices, begin, unified
from ui.tables.suggestion_words import edits, footer, hunk_text, other_base, source, state_of, tokens
from ui.widgets.card import Card, ScrolledColumn, hairline
from ui.widgets.chip import ChipLabel
from ui.widgets.empty_page import EmptyPage
from ui.widgets.folded_text import FoldedText, prompt_card
from ui.widgets.frames import GROWS, Pile
from ui.widgets.hunk_card import HunkCard, Numbered
from ui.widgets.icon import IconButton
from ui.widgets.label import ElidedLabel, Label, NumberLabel
from ui.widgets.when_seen import WhenSeen
from workbench.model.suggestion import Suggestion
from workbench.state.workspace import SessionView
from workbench.texts import message, tr

_ROOM = 800
_STATE_TOKENS = {"open": "neutral", "accepted": "proven", "refused": "wrong", "cannot": "raised"}


class Tally(QWidget):
    """A small block for each hunk in the colour of its decision; the words beside it say the same."""

    def __init__(self) -> None:
        super().__init__()
        self._states: list[str] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_states(self, states: list[str]) -> None:
        """Show these decisions."""
        self._states = states
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for the blocks; beyond 24 hunks there are none."""
        return QSize(20 * len(self._states) if len(self._states) <= 24 else 0, 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the blocks."""
        painter = QPainter(self)
        for k, state in enumerate(self._states):
            painter.fillRect(20 * k, 2, 16, 6, theme.current().color(_STATE_TOKENS[state]))
        painter.end()


class ReviewPanel(QWidget):
    """Shows the suggestion in review with a card for each hunk. J, K walk the hunks; A accepts, R refuses."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._suggestion: Suggestion | None = None
        self._choices: Choices | None = None
        self.cards: list[HunkCard] = []
        self.prompt: FoldedText | None = None
        self._build()
        self._seen = WhenSeen(self, self._show)
        bridge.session_changed.connect(self._seen.ask)
        bridge.reviewed_changed.connect(self._seen.ask)
        bridge.selected_changed.connect(self._show_base)
        for key, slot in (("J", self._next), ("K", self._previous), ("A", self._accept), ("R", self._refuse)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._show()

    # --- the page

    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        self._empty = EmptyPage(
            self._bridge,
            tr("No suggestion is in review"),
            tr("A proposed edit will be here, hunk by hunk, with what it promises. Ask an advisor, or paste an answer you have."),
            [(tr("Suggest"), "suggest"), (tr("Copy the prompt"), "copy_prompt"), (tr("Paste an answer"), "paste_answer")],
            "suggest",
        )
        self._hunks = ScrolledColumn()
        self._hunks.column.setSpacing(theme.current().space(2))
        self._stack.addWidget(self._empty)
        self._stack.addWidget(Pile(self._head(), (self._hunks, GROWS), hairline(), self._foot()))

    def _head(self) -> QWidget:
        head = QFrame()
        head.setProperty("part", "section")
        column = QVBoxLayout(head)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(theme.current().space(2))
        self._source = ElidedLabel("", "text", "dim")
        self.chip = ChipLabel()
        self._which = Label("", "text", "dim")
        back = IconButton("chevron-left", tr("Previous suggestion"))
        on = IconButton("chevron-right", tr("Next suggestion"))
        back.clicked.connect(self._earlier)
        on.clicked.connect(self._later)
        first = QHBoxLayout()
        column.addLayout(first)
        first.setSpacing(theme.current().space(2))
        first.addWidget(self.chip)
        first.addWidget(self._source, 1)
        for widget in (self._which, back, on):
            first.addWidget(widget)
        self._hypothesis = Label("", "heading", wrap=True)
        self._metric = ElidedLabel("", "text", "dim")
        self._edits = NumberLabel("", "dim", "text")
        self._promise = Label(tr("Would be confirmed by"), "strong", "accent")
        column.addWidget(self._hypothesis)
        third = QHBoxLayout()
        column.addLayout(third)
        third.setSpacing(theme.current().space(2))
        third.addWidget(self._promise)
        third.addWidget(self._metric, 1)
        third.addWidget(self._edits)
        self._base = Label("", "text", "doubt", wrap=True)
        column.addWidget(self._base)
        return head

    def _foot(self) -> QWidget:
        foot = QFrame()
        foot.setProperty("part", "panel")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(theme.current().space(2))
        self._tally = Tally()
        self._count = ElidedLabel("", "strong")
        self._rest = ElidedLabel("", "caption", "dim")
        self.exact = self._button(tr("Accept exact"), self._accept_exact)
        self.nothing = self._button(tr("Refuse all"), self._refuse_all)
        self.copy = self._button(tr("Copy prompt"), self._copy_prompt)
        self.paste = self._button(tr("Paste answer"), self._paste_answer)
        self.make = self._button(tr("Make version and run"), self._make)
        self.make.setProperty("part", "primary")
        row.addWidget(self._tally)
        words = QVBoxLayout()
        row.addLayout(words, 1)
        words.setSpacing(0)
        words.addWidget(self._count)
        words.addWidget(self._rest)
        for button in (self.exact, self.nothing, self.copy, self.paste, self.make):
            row.addWidget(button)
        return foot

    def _button(self, title: str, slot: object) -> QPushButton:
        button = QPushButton(title)
        button.setAccessibleName(title)
        button.clicked.connect(slot)
        return button

    # --- what is shown

    def counts(self) -> tuple[str, str]:
        """Return what the foot says of the decisions."""
        return self._count.text(), self._rest.text()

    def _view(self) -> SessionView | None:
        return self._bridge.workspace.session.value

    def _show(self) -> None:
        view, wanted = self._view(), self._bridge.workspace.reviewed.value
        found = _wanted(view, wanted) if view else None
        self._stack.setCurrentIndex(0 if found is None else 1)
        if found is None or view is None:
            self._suggestion, self._choices = None, None
            return
        plan = self._bridge.commands.plan(found.id)
        if found != self._suggestion or self._choices is None or self._choices.plan != plan:
            self._suggestion = found
            self._choices = begin(plan, found) if plan else None
            self._make_cards()
        self._show_head(view, found)
        self._show_choices()

    def _show_head(self, view: SessionView, suggestion: Suggestion) -> None:
        self.chip.set_chip(suggestion.decision)
        self._source.setText(source(suggestion))
        ids = [kept.id for kept in view.suggestions]
        number = ids.index(suggestion.id) + 1
        self._which.setText(str(message("Suggestion {number} of {count}", number=number, count=len(ids))))
        said = suggestion.hypothesis or tr("The answer names no hypothesis.")
        self._hypothesis.setText(said[:1].upper() + said[1:])
        self._promise.setVisible(bool(suggestion.metric))
        self._metric.setText(suggestion.metric or tr("It names no metric that would confirm it."))
        self._edits.setText(edits(view, suggestion, self._choices.plan if self._choices else None))
        self._show_base()

    def base_notice(self) -> str:
        """Return that the answer edits another version than the selected one, empty where it does not."""
        return self._base.text()

    def _show_base(self) -> None:
        view, suggestion = self._view(), self._suggestion
        said = other_base(view, suggestion, self._bridge.workspace.selected.value) if view and suggestion else ""
        self._base.setText(said)
        self._base.setVisible(bool(said))

    def _make_cards(self) -> None:
        self._hunks.clear()
        self.cards = []
        suggestion, choices = self._suggestion, self._choices
        if suggestion is None:
            return
        if choices is None or not choices.plan.hunks:
            self._hunks.add(self._answer_card(suggestion, choices))
            self._add_prompt(suggestion)
            return
        for said in choices.plan.notices:
            self._hunks.add(Label(str(said), "text", "doubt", wrap=True))
        for hunk in choices.plan.hunks:
            card = HunkCard(hunk.number)
            card.decided.connect(self._decide)
            card.chosen.connect(self._choose)
            card.set_folded(not hunk.can_apply and hunk.status == "already-applied")
            self.cards.append(card)
            self._hunks.add(card)
        self._add_prompt(suggestion)

    def _add_prompt(self, suggestion: Suggestion) -> None:
        self.prompt = prompt_card(suggestion.prompt, tokens(suggestion)) if suggestion.prompt else None
        if self.prompt:
            self._hunks.add(self.prompt)

    def _answer_card(self, suggestion: Suggestion, choices: Choices | None) -> Card:
        """Return the answer as it came, where it holds no edit that can be shown."""
        reason = tr("This answer holds no edit.") if choices else tr("The version this answer edits is not in the session.")
        card = Card(tr("The answer, as it came"))
        for said in choices.plan.notices if choices else ():
            card.add_text(str(said), "doubt")
        card.add_text(reason, "doubt")
        text = Label(suggestion.answer, "code", wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        card.add(text)
        return card

    def _locked(self) -> bool:
        view, suggestion = self._view(), self._suggestion
        return view is None or view.read_only is not None or suggestion is None or suggestion.decision != "in review"

    def _show_choices(self) -> None:
        choices, suggestion, view = self._choices, self._suggestion, self._view()
        locked = self._locked()
        states = [state_of(hunk, choices) for hunk in choices.plan.hunks] if choices else []
        if choices:
            for card, hunk, state in zip(self.cards, choices.plan.hunks, states, strict=True):
                lines = [Numbered(line.old, line.new, line.line) for line in unified(hunk, choices.shift_before(hunk.number))]
                card.show_hunk(hunk_text(hunk, len(choices.plan.hunks)), lines)
                card.show_state(state, current=hunk.number == choices.current and not locked, locked=locked)
        self._tally.show_states(list(states))
        if suggestion and view:
            head, rest = footer(view, suggestion, choices)
            self._count.setText(head)
            self._rest.setText(rest)
        self.make.setEnabled(not locked and choices is not None and bool(choices.numbers("accepted")))
        self.exact.setVisible(not locked and choices is not None and any(h.status == "applied" for h in choices.plan.hunks))
        self.nothing.setEnabled(not locked)

    # --- what is done

    def _change(self, choices: Choices) -> None:
        if not self._locked():
            self._choices = choices
            self._show_choices()

    def _decide(self, number: int, choice: str) -> None:
        if self._choices:
            self._change(self._choices.decide(number, "accepted" if choice == "accepted" else "refused"))

    def _choose(self, number: int) -> None:
        if self._choices:
            self._change(self._choices.at(number))

    def _next(self) -> None:
        self._step(1)

    def _previous(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._choices:
            self._change(self._choices.moved(by))
            card = next((card for card in self.cards if card.number == self._choices.current), None)
            if card:
                self._hunks.ensureWidgetVisible(card, 0, 40)

    def _accept(self) -> None:
        self._decide_current("accepted")

    def _refuse(self) -> None:
        self._decide_current("refused")

    def _decide_current(self, choice: str) -> None:
        if self._choices and self._choices.current:
            self._decide(self._choices.current, choice)

    def _accept_exact(self) -> None:
        if self._choices:
            self._change(self._choices.accept_exact())

    def _refuse_all(self) -> None:
        if self._suggestion:
            self._bridge.run(self._bridge.commands.refuse(self._suggestion.id))

    def _make(self) -> None:
        if self._suggestion and self._choices:
            accepted = self._choices.numbers("accepted")
            self._bridge.run(self._bridge.commands.accept_hunks(self._suggestion.id, accepted))

    def _copy_prompt(self) -> None:
        self._bridge.trigger("copy_prompt")

    def _paste_answer(self) -> None:
        self._bridge.trigger("paste_answer")

    def _earlier(self) -> None:
        self._walk(-1)

    def _later(self) -> None:
        self._walk(1)

    def _walk(self, by: int) -> None:
        view, suggestion = self._view(), self._suggestion
        if view and suggestion:
            ids = [kept.id for kept in view.suggestions]
            place = max(0, min(ids.index(suggestion.id) + by, len(ids) - 1))
            self._bridge.commands.review(ids[place])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where room is short, the two buttons that are in the menu as well go first."""
        super().resizeEvent(event)
        for button in (self.copy, self.paste):
            button.setVisible(self.width() >= _ROOM)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard, so that J, K, A and R work at once."""
        super().showEvent(event)
        self.setFocus()


def _wanted(view: SessionView, wanted: int | None) -> Suggestion | None:
    """Return the suggestion that was asked for, else the newest one that still waits."""
    asked = next((kept for kept in view.suggestions if kept.id == wanted), None)
    waiting = (kept for kept in reversed(view.suggestions) if kept.decision == "in review")
    return asked or next(waiting, None)
