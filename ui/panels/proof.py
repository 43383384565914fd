"""Proof: what the selected version is worth, and every check and number that says so."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from ui.bridge import Bridge
from ui.widgets.card import Card, ScrolledColumn, SectionHead, clear
from ui.widgets.empty_page import EmptyPage
from ui.widgets.findings_card import findings_card
from ui.widgets.gate_list import GateList
from ui.widgets.label import Label
from ui.widgets.rounds_strip import RoundsStrip
from workbench.analysis.standing import all_gates, deciding_run, kernel_failure, timing_of
from workbench.model.ledger import Chip, Comparison, LedgerLine
from workbench.model.run import Run, TimingData, WorstElement
from workbench.state.workspace import SessionView
from workbench.texts import message, tr
from workbench.units import count, duration, duration_interval, interval, percent, ratio, scientific, significant

_HEADLINE: dict[Chip, str] = {
    "SAME": "As fast as the baseline",
    "AMBIGUOUS": "Not decided yet",
    "WRONG ANSWER": "The answer is wrong",
    "BASELINE": "The baseline",
    "CPU TIME": "CPU time, no gain",
    "passed": "The answer is right",
    "failed": "A gate failed",
    "not run": "Not run yet",
}
_REGIMES = {"cold": "L2 cold", "warm": "L2 warm", "streaming": "streaming", "cpu": "CPU time"}


_ENDED: dict[str, str] = {
    "CompileFailed": "It does not compile",
    "LaunchRefused": "The device refuses its launch",
    "OutOfBounds": "It leaves its arrays",
    "TimedOut": "No answer within the limit",
    "DeviceFault": "The device stopped it",
    "Crashed": "Its process crashed",
}
"""Kind of the failure that ended the deciding run -> title of a failed version: then no gate need have failed."""


def headline(line: LedgerLine, run: Run | None = None) -> str:
    """Return the card's title for a ledger line; `run` is the one that decides it."""
    gain = line.speedup.value
    if line.chip == "FASTER" and gain:
        return str(message("{ratio} faster", ratio=ratio(gain)))
    if line.chip == "SLOWER" and gain:
        return str(message("{ratio} slower", ratio=ratio(1 / gain)))
    failure = kernel_failure(run) if run and line.chip == "failed" else None
    return tr(_ENDED.get(failure.kind, "") if failure else "") or tr(_HEADLINE.get(line.chip, line.chip))


def against_baseline(view: SessionView, line: LedgerLine) -> Comparison | None:
    """Return the comparison of a ledger line with the baseline, None for the baseline itself."""
    from workbench.analysis.verdict import compare_versions  # late: it loads SciPy

    ledger = view.ledger
    base = next((other for other in ledger.lines if other.chip == "BASELINE"), None) if ledger else None
    if ledger is None or base is None or base.version == line.version:
        return None
    names = {version.hash: version.name for version in view.versions}
    return compare_versions(
        view.runs, base.version, line.version, device=ledger.device, books_gain=ledger.books_gains, names=names
    )  # fmt: skip


class ProofPanel(QFrame):
    """The right panel. Everything is read from the session's runs; what was not measured is said to be missing."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "panel")
        self._bridge = bridge
        self._shown: dict[str, tuple[object, QWidget]] = {}
        """Card -> what it was made from, and its widget."""
        self.head = SectionHead(tr("Proof"))
        self._column = ScrolledColumn()
        self._verdict = VerdictCard(bridge)
        self._empty = EmptyPage(
            bridge, tr("Nothing to prove yet"),
            tr("The checks of the selected version will stand here: the answer, the bounds, the time and its interval."),
            [(tr("Run"), "run")], icon="proof",
        )  # fmt: skip
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._column)
        self._column.add(self._verdict)
        bridge.session_changed.connect(self._refresh_soon)
        bridge.selected_changed.connect(self._refresh_soon)
        self.refresh()

    def _refresh_soon(self) -> None:
        """A pass has ended: one card in each of the next turns, so that the loop is never away for long."""
        for part in (self._show_verdict, self._show_findings, self._show_timing, self._show_worst):
            self._bridge.soon(part)

    def refresh(self) -> None:
        """Show the selected version; what has not changed stays as it is, and nothing is drawn that cannot be seen."""
        self._show_verdict()
        self._show_findings()
        self._show_timing()
        self._show_worst()

    def _line(self) -> LedgerLine | None:
        view, selected = self._bridge.workspace.session.value, self._bridge.workspace.selected.value
        ledger = view.ledger if view else None
        return next((line for line in ledger.lines if line.version == selected), None) if ledger else None

    def _run(self, line: LedgerLine) -> Run | None:
        view = self._bridge.workspace.session.value
        return deciding_run(view.runs, line.version, line.device) if view else None

    def _show_verdict(self) -> None:
        view, line = self._bridge.workspace.session.value, self._line()
        self.head.set_note(line.name if line else "")
        self._pages.setCurrentWidget(self._column if line else self._empty)
        self._empty.offer_actions(view is not None and view.read_only is None)
        if line is not None and self.isVisible():
            self._verdict.show_line(line, self._run(line))

    def _show_findings(self) -> None:
        line = self._line()
        run = self._run(line) if line else None
        record = run.last("sanitize") if run else None
        data = record.sanitize if record else None
        if data is None or not data.findings:
            self._keep("findings", None, None)
        elif self.isVisible() and self._is_new("findings", data):
            self._keep("findings", data, findings_card(self._bridge, data))

    def _show_timing(self) -> None:
        view, line = self._bridge.workspace.session.value, self._line()
        run = self._run(line) if line else None
        timing = timing_of(run) if run else None
        if view is None or view.ledger is None or line is None or timing is None:
            self._keep("timing", None, None)
        elif self.isVisible() and self._is_new("timing", key := (line, timing, view.ledger.tries)):
            self._keep("timing", key, _timing_card(view, line, timing))

    def _show_worst(self) -> None:
        line = self._line()
        if line is None or line.worst is None:
            self._keep("worst", None, None)
        elif self.isVisible():
            run = self._run(line)
            verified = run.last("verify") if run else None
            if self._is_new("worst", key := (line.worst, verified)):
                self._keep("worst", key, _worst_card(line.worst, run))

    def _is_new(self, name: str, key: object) -> bool:
        return name not in self._shown or self._shown[name][0] != key

    def _keep(self, name: str, key: object, card: QWidget | None) -> None:
        """Put a card in the place of the one of this name, or none."""
        _, old = self._shown.pop(name, (None, None))
        column = self._column.column
        if card is not None:
            places = {"findings": 1, "timing": 2 if "findings" in self._shown else 1}
            column.insertWidget(places.get(name, column.count()), card)
            self._shown[name] = key, card
        if old is not None:
            column.removeWidget(old)
            old.hide()
            old.deleteLater()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self.refresh()


class VerdictCard(Card):
    """One word for the version, why, its rounds and its gates."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._said_of: object = None
        self._said = QVBoxLayout()
        self._said.setContentsMargins(0, 0, 0, 0)
        self._gates = GateList()
        self.body.addLayout(self._said)
        self.body.addWidget(self._gates)

    def show_line(self, line: LedgerLine, run: Run | None) -> None:
        """Show a line of the ledger with the run that decides it."""
        self.set_title(headline(line, run))
        self.set_chip(line.chip)
        timing = timing_of(run) if run else None
        failure = run.failure if run else None
        if self._said_of != (said := (line.chip, line.sentence, failure, timing)):
            self._said_of = said
            clear(self._said)
            self._said.addWidget(Label(str(line.sentence), "text", "dim", wrap=True))
            if failure is not None and failure.message != line.sentence:
                self._said.addWidget(Label(str(failure.message), "text", "wrong", wrap=True))
            if timing:
                self._said.addWidget(_strip(timing, line))
            if line.chip == "AMBIGUOUS":
                self._said.addWidget(self._more_rounds())
        self._gates.show_gates(line.gates or (all_gates(run) if run else ()))

    def _more_rounds(self) -> QPushButton:
        button = QPushButton(tr("More rounds"))
        button.setAccessibleName(tr("Time this version with more rounds"))
        button.clicked.connect(self._time_again)
        return button

    def _time_again(self) -> None:
        self._bridge.trigger("more_rounds")


def _strip(timing: TimingData, line: LedgerLine) -> RoundsStrip:
    strip = RoundsStrip()
    b = [time for group in timing.groups for time in group.b]
    a = [time for group in timing.groups for time in group.a] if timing.a_hash != timing.b_hash else []
    strip.show_rounds(a, b, "proven" if line.chip == "FASTER" else "accent")
    return strip


def _timing_card(view: SessionView, line: LedgerLine, timing: TimingData) -> Card:
    ledger, comparison = view.ledger, against_baseline(view, line)
    rounds = sum(len(group.b) for group in timing.groups)
    card = Card(tr("How it was timed"), note=tr(_REGIMES[timing.regime]))
    card.add_fact(tr("Kernel time"), duration(line.kernel_time.value))
    if line.kernel_time.low is not None:
        card.add_fact(tr("95 % interval"), duration_interval(line.kernel_time.low, line.kernel_time.high))
    if line.speedup.low is not None:
        card.add_fact(tr("Ratio interval"), interval(line.speedup.low, line.speedup.high))
    if comparison is not None and comparison.books_gain:
        card.add_fact(tr("Margin"), percent(comparison.margin))
        card.add_fact(tr("Noise floor"), percent(comparison.noise_floor))
    card.add_fact(
        tr("Rounds"), str(message("{rounds} in {groups} processes", rounds=rounds, groups=len(timing.groups))), mono=False
    )
    card.add_fact(tr("Set aside, throttled"), count(sum(group.set_aside for group in timing.groups)))
    card.add_fact(tr("Clock"), timing.clock.name, mono=False)
    if timing.checked_rounds:
        card.add_fact(tr("Outputs checked"), str(message("{count} rounds", count=timing.checked_rounds)), mono=False)
        card.add_fact(tr("Wrong rounds"), count(timing.wrong_rounds))
    if ledger is not None and ledger.tries:
        card.add_fact(tr("Candidates tried"), count(ledger.tries))
    if line.confirmed is not None:
        card.add_fact(tr("Confirmed in fresh processes"), tr("yes") if line.confirmed else tr("not yet"), mono=False)
    return card


def _worst_card(worst: WorstElement, run: Run | None) -> Card:
    verified = run.last("verify") if run else None
    card = Card(tr("Worst element"), note=f"{worst.output}[{', '.join(str(part) for part in worst.index)}]")
    card.add_fact(tr("This version"), significant(worst.candidate, 7))
    card.add_fact(tr("Reference"), significant(worst.reference, 7))
    card.add_fact(tr("Error"), scientific(worst.error))
    card.add_fact(tr("Allowed"), scientific(worst.allowed))
    card.add_fact(tr("Relative error"), scientific(worst.relative_error))
    if verified is not None and verified.verify is not None and verified.verify.reference:
        card.add_fact(tr("Compared with"), verified.verify.reference, mono=False)
    return card
