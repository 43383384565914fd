"""The timeline page: the traced repeat of the baseline over that of the selected version, on one axis."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)

from ui import theme
from ui.bridge import Bridge
from ui.tables.cells import Cell, Column, number
from ui.tables.grid import GridTable
from ui.timeline.drawing import Picked, Side, TimelineView, side_of
from ui.timeline.facts import change_counts, change_word, event_facts, seconds
from ui.timeline.lanes import differences
from ui.widgets.card import FactRow, ScrolledColumn, SectionHead
from ui.widgets.chip import ChipLabel
from ui.widgets.empty_page import EmptyPage
from ui.widgets.frames import GROWS, Pile, Split
from ui.widgets.label import Label
from ui.widgets.stage_look import SHORT, WORDS, token
from ui.widgets.when_seen import WhenSeen
from workbench import units
from workbench.model.events import Trace
from workbench.model.run import Run
from workbench.texts import tr

_LEGEND = ("cpu", "h2d", "kernel", "other", "sync", "d2h", "alloc")
_APART = 14
_LONG = 20_000
"""Events above which lanes are worked out off the loop."""
Which = Literal["a", "b", "both"]


class Legend(QWidget):
    """A swatch and a word for each kind, short words where room is short."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(theme.current().font("caption"))
        self.setAccessibleName(", ".join(self._words(WORDS)))

    @staticmethod
    def _words(words: Mapping[str, str]) -> list[str]:
        return [tr(words.get(kind, WORDS[kind])) for kind in _LEGEND]

    def _width_of(self, words: Mapping[str, str]) -> int:
        return sum(self.fontMetrics().horizontalAdvance(word) + 16 + _APART for word in self._words(words))

    def sizeHint(self) -> QSize:
        """Return the room for the long words."""
        return QSize(self._width_of(WORDS), 20)

    def minimumSizeHint(self) -> QSize:
        """Return the room for the short words."""
        return QSize(self._width_of(SHORT), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw swatches and words."""
        look = theme.current()
        painter = QPainter(self)
        left = 0
        for kind, word in zip(_LEGEND, self._words(WORDS if self._width_of(WORDS) <= self.width() else SHORT), strict=True):
            width = painter.fontMetrics().horizontalAdvance(word)
            painter.fillRect(left, self.height() // 2 - 5, 10, 10, look.color(token(kind)))
            painter.setPen(look.color("dim"))
            painter.drawText(left + 16, 0, width + 2, self.height(), Qt.AlignmentFlag.AlignVCenter, word)
            left += 16 + width + _APART
        painter.end()


class TimelinePanel(QWidget):
    """Shows both traced repeats of the selected version's newest traced run on the chosen device."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._loaded: tuple[Side, ...] = ()
        self._seen = WhenSeen(self, self._show)
        self._wanted: int | None = None
        self._which: Which = "both"
        self.view = TimelineView()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            EmptyPage(
                bridge,
                tr("No trace yet"),
                tr("The pipeline’s events, before and after on one time axis, will be here. Run a version of such a project."),
                [(tr("Run"), "run")],
                "timeline",
            )
        )
        self._stack.addWidget(self._page())
        for signal in (bridge.session_changed, bridge.selected_changed, bridge.device_changed):
            signal.connect(self._seen.ask)
        self.view.picked.connect(self._show_event)
        self.view.viewed.connect(self._in_view.setText)
        self._show()

    # --- the page

    def _page(self) -> QWidget:
        split = Split(Qt.Orientation.Vertical, self.view, self._below(), sizes=[460, 220], grows=0)
        return Pile(self._bar(), (split, GROWS))

    def _bar(self) -> QWidget:
        bar = QFrame()
        bar.setProperty("part", "section")
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(theme.current().space(1))
        self._choice = QButtonGroup(self)
        for word, which in ((tr("Before"), "a"), (tr("After"), "b"), (tr("Both"), "both")):
            button = QPushButton(word)
            button.setCheckable(True)
            button.setProperty("which", which)
            button.setChecked(which == "both")
            self._choice.addButton(button)
            row.addWidget(button)
        self._choice.buttonClicked.connect(self._choose)
        row.addSpacing(12)
        row.addWidget(Legend(), 1)
        self._chip = ChipLabel()
        self._in_view = Label("", "caption", "dim")
        row.addWidget(self._chip)
        row.addWidget(self._in_view)
        zooms = (("−", tr("Zoom out (S)"), self._zoom_out), ("+", tr("Zoom in (W)"), self._zoom_in))
        for word, title, slot in (*zooms, (tr("Fit"), tr("Show everything (F)"), self.view.fit)):
            button = QPushButton(word)
            button.setToolTip(title)
            button.setAccessibleName(title)
            button.clicked.connect(slot)
            row.addWidget(button)
        return bar

    def _below(self) -> QWidget:
        self._event_head = SectionHead(tr("Selected event"), tr("click an event"))
        self._facts = ScrolledColumn()
        self._facts.column.setSpacing(0)
        self._change_head = SectionHead(tr("Before against after"))
        self.changes = GridTable(tr("Before against after"), row=26)
        event, change = Pile(self._event_head, (self._facts, GROWS)), Pile(self._change_head, (self.changes, GROWS))
        return Split(Qt.Orientation.Horizontal, event, change, sizes=[380, 620])

    # --- what is shown

    def _run(self) -> Run | None:
        """Return the selected version's newest run with a finished trace."""
        space = self._bridge.workspace
        view, selected, device = space.session.value, space.selected.value, space.device.value
        if view is None:
            return None
        own = [run for run in view.runs if run.version == selected and run.device == device and _traced(run)]
        return own[-1] if own else None

    def _show(self) -> None:
        run = self._run()
        if run is None:
            self._loaded, self._wanted = (), None
            self._stack.setCurrentIndex(0)
            return
        self._chip.set_chip(None if run.environment.device.books_gains else "CPU TIME")
        if self._wanted != run.id:
            self._wanted = run.id
            self._bridge.run(self._open(run))

    async def _open(self, run: Run) -> None:
        """Load the traces of a run; long ones are worked out off the loop, and an answer that came too late is dropped."""
        named = self._load(run)
        if sum(len(trace) for _, _, trace in named) > _LONG:
            sides = await asyncio.to_thread(_sides, named)
        else:
            sides = _sides(named)
        if self._wanted == run.id:
            self._loaded = sides
            self._show_sides()
            self._show_changes()
            self._stack.setCurrentIndex(1 if sides else 0)

    def _load(self, run: Run) -> list[tuple[str, str, Trace]]:
        view, record = self._bridge.workspace.session.value, run.last("trace")
        data = record.trace if record else None
        if view is None or data is None:
            return []
        words = [("a", tr("Before"), data.a_hash), ("b", tr("After"), data.b_hash)]
        if data.a_hash == data.b_hash:
            words = [("b", tr("Now"), data.b_hash)]
        found = []
        for side, word, digest in words:
            trace, version = self._bridge.commands.trace(run.id, side), view.version(digest)
            if trace is not None and len(trace):
                found.append((word, version.name if version else units.short_hash(digest), trace))
        return found

    def _show_sides(self) -> None:
        two = len(self._loaded) == 2
        for button in self._choice.buttons():
            button.setEnabled(two)
        self.view.show_sides(self._shown_sides())
        self._show_event(None)

    def _show_changes(self) -> None:
        sides = self._loaded
        if len(sides) != 2:
            self._change_head.set_note(tr("there is one trace only"))
            self.changes.show_rows((), ())
            return
        found = differences(sides[0].trace, sides[1].trace)
        self._change_head.set_note(change_counts(found))
        columns = (
            Column(tr("Event"), stretch=True), Column(tr("Change"), drop=1), Column(tr("before, ms"), right=True),
            Column(tr("after, ms"), right=True), Column(tr("change, ms"), right=True), Column(tr("calls"), right=True, drop=2),
        )  # fmt: skip
        rows = [
            (
                Cell(each.name, swatch=token(each.kind)),
                Cell(change_word(each), "dim"),
                number(units.milliseconds(seconds(each.before), 3)),
                number(units.milliseconds(seconds(each.after), 3)),
                number(units.signed_milliseconds(seconds(each.delta), 3)),
                number(f"{units.count(each.calls_before)} → {units.count(each.calls_after)}", "dim"),
            )
            for each in found
        ]
        self.changes.show_rows(columns, rows)

    def _shown_sides(self) -> tuple[Side, ...]:
        sides = self._loaded
        return {"a": sides[:1], "b": sides[1:], "both": sides}[self._which] if len(sides) == 2 else sides

    def _show_event(self, picked: Picked | None) -> None:
        self._facts.clear()
        if picked is None:
            self._event_head.set_note(tr("click an event"))
            self._bridge.event_selected.emit(None)
            return
        side = self._shown_sides()[picked.side]
        self._event_head.set_note(side.trace.names[int(side.trace.name[picked.event])])
        facts = event_facts(side.trace, picked.event, side.word)
        for fact in facts:
            self._facts.add(FactRow(fact.title, fact.value, mono=fact.value[:1].isdigit()))
        self._bridge.event_selected.emit([tuple(fact) for fact in facts])

    # --- what is done

    def _choose(self, button: QPushButton) -> None:
        which = button.property("which")
        self._which = "a" if which == "a" else "b" if which == "b" else "both"
        self._show_sides()

    def _zoom_in(self) -> None:
        self.view.zoom(0.8)

    def _zoom_out(self) -> None:
        self.view.zoom(1.25)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard, so that the keys work at once."""
        super().showEvent(event)
        self.view.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the new theme's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.view.viewport().update()


def _sides(named: list[tuple[str, str, Trace]]) -> tuple[Side, ...]:
    return tuple(side_of(word, name, trace) for word, name, trace in named)


def _traced(run: Run) -> bool:
    record = run.last("trace")
    return record is not None and record.status == "finished" and record.trace is not None
