"""Environment: where the selected version's run took place, and what disturbed it."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from ui.bridge import Bridge
from ui.widgets.card import Card, ScrolledColumn, SectionHead
from ui.widgets.label import Label
from workbench.analysis.standing import deciding_run, timing_of
from workbench.model.device import Environment, software_title
from workbench.model.run import Run
from workbench.texts import message, tr
from workbench.units import MISSING, count, significant


def limit_reasons(environment: Environment) -> str:
    """Return the clock's limit reasons before and after, "none", or — where they were not read."""
    found = [
        status.limit_reasons for status in (environment.before, environment.after) if status and status.limit_reasons is not None
    ]
    if not found:
        return MISSING
    reasons = sorted({reason for reasons in found for reason in reasons})
    return ", ".join(reasons) or tr("none")


def other_processes(environment: Environment) -> str:
    """Return how many other processes used the GPU, "none", or — where that was not read."""
    found = [status.other_processes for status in (environment.before, environment.after) if status]
    known = [number for number in found if number is not None]
    if not known:
        return MISSING
    return count(max(known)) if max(known) else tr("none")


class EnvironmentPanel(QFrame):
    """Facts of the selected version's deciding run."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "panel")
        self._bridge = bridge
        self._shown: object = None
        self.head = SectionHead(tr("Environment"))
        self._column = ScrolledColumn()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._column)
        bridge.session_changed.connect(self._refresh_soon)
        bridge.selected_changed.connect(self._refresh_soon)
        self.refresh()

    def _run(self) -> Run | None:
        view, selected = self._bridge.workspace.session.value, self._bridge.workspace.selected.value
        if view is None or view.ledger is None or selected is None:
            return None
        return deciding_run(view.runs, selected, view.ledger.device)

    def _refresh_soon(self) -> None:
        self._bridge.soon(self.refresh)

    def refresh(self) -> None:
        """Show the run's environment."""
        run = self._run()
        shown = (run.environment, timing_of(run)) if run else ()
        if not self.isVisible() or shown == self._shown:
            return
        self._shown = shown
        self._column.clear()
        if run is None:
            self.head.set_note("")
            self._column.add(
                Label(tr("The machine and what disturbed it will stand here after a run."), "text", "dim", wrap=True)
            )
            return
        card = Card()
        self._column.add(card)
        place = run.environment
        self.head.set_note(place.device.title)
        self._fill(card, run, place)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self.refresh()

    def _fill(self, card: Card, run: Run, place: Environment) -> None:
        card.add_fact(tr("Device"), place.device.title, mono=False)
        card.add_fact(tr("Host"), place.host, mono=False)
        card.add_fact(tr("System"), place.system, mono=False)
        if place.device.kind != "emulator":
            card.add_fact(tr("Other processes"), other_processes(place), mono=False)
            card.add_fact(tr("Clock limit reasons"), limit_reasons(place), mono=False)
        timing = timing_of(run)
        if timing is not None:
            aside, rounds = sum(group.set_aside for group in timing.groups), sum(len(group.b) for group in timing.groups)
            text = message("{aside} of {rounds}", aside=aside, rounds=rounds + aside)
            card.add_fact(tr("Rounds set aside"), str(text), mono=False)
        if place.load_average is not None:
            card.add_fact(tr("Load average"), significant(place.load_average, 2))
        for name, version in place.software.items():
            card.add_fact(software_title(name), version, mono=False)
        for note in place.notes:
            card.add_text(str(note), "doubt")
