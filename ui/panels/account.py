"""The account page: where the wall time goes, before and after, what a free kernel would give, and what to do next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from ui.bridge import Bridge
from ui.charts.stage_bars import StageBars
from ui.charts.stages import bars_of
from ui.tables.account_rows import columns, headline, next_columns, next_rows, stage_rows, stop_sentence
from ui.tables.grid import GridTable
from ui.tables.last_run import ledger_of
from ui.widgets.card import SectionHead, hairline
from ui.widgets.chip import ChipLabel
from ui.widgets.empty_page import EmptyPage
from ui.widgets.frames import GROWS, Pile, Split
from ui.widgets.label import Label
from ui.widgets.late import Late
from ui.widgets.when_seen import WhenSeen
from workbench import units
from workbench.analysis.account_sentences import drift_note
from workbench.model.ledger import Account, Ledger
from workbench.texts import message, tr

_ROW = 26


def _chart() -> QWidget:
    """Make the curve; pyqtgraph takes 0.4 s to load, which a window that shows another page first need not wait for."""
    from ui.charts.amdahl_chart import AmdahlChart

    return AmdahlChart()


class AccountPanel(QWidget):
    """Shows the account of the selected version against the baseline, on the chosen device."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._account: Account | None = None
        self._seen = WhenSeen(self, self._show)
        self._stack = QStackedLayout(self)
        self._empty = EmptyPage(
            bridge,
            tr("No account yet"),
            tr(
                "The pipeline’s time, stage by stage, before and after, will be here. Run a version of a project with a pipeline."
            ),
            [(tr("Run"), "run")],
            "account",
        )
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._page())
        for signal in (bridge.session_changed, bridge.selected_changed, bridge.device_changed, bridge.theme_changed):
            signal.connect(self._seen.ask)
        self._show()

    def _page(self) -> QWidget:
        self.table = GridTable(tr("Stages of the wall time"), grows=True, row=_ROW)
        self.chart = Late(_chart, self._fill_chart)
        self._curve_head = SectionHead(tr("Amdahl curve"))
        self._curve_part = Pile(self._curve_head, (self.chart, GROWS))
        self.next_table = GridTable(tr("What next"), row=_ROW)
        self._next_head = SectionHead(tr("What next"), tr("ceilings are predicted, from one traced repeat"))
        self._stop = Label("", "text", "dim", wrap=True)
        self._stop.setContentsMargins(12, 8, 12, 8)
        self._next_part = Pile(self._next_head, (self.next_table, GROWS), hairline(), self._stop)
        self._split = Split(Qt.Orientation.Horizontal, self._curve_part, self._next_part, sizes=[500, 500])
        self._rest = QWidget()
        page = Pile(self._head(), hairline(), self.table, (self._split, GROWS), (self._rest, GROWS))
        page.setProperty("part", "page")
        return page

    def _head(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(6)
        self._sentence = Label("", "heading", wrap=True)
        self.chip = ChipLabel()
        self._below = Label("", "caption", "dim", wrap=True)
        self.bars = StageBars()
        first = QHBoxLayout()
        column.addLayout(first)
        first.setSpacing(12)
        first.addWidget(self._sentence, 1)
        first.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._below)
        column.addSpacing(6)
        column.addWidget(self.bars)
        return head

    def sentence(self) -> str:
        """Return the headline."""
        return self._sentence.text()

    def _ledger(self) -> Ledger | None:
        space = self._bridge.workspace
        view = space.session.value
        return ledger_of(view, space.device.value) if view else None

    def _find(self, ledger: Ledger | None) -> Account | None:
        if ledger is None:
            return None
        selected = self._bridge.workspace.selected.value
        return ledger.account if selected is None else ledger.accounts.get(selected)

    def _show(self) -> None:
        ledger = self._ledger()
        self._account = account = self._find(ledger)
        self._stack.setCurrentIndex(0 if account is None else 1)
        if ledger is None or account is None:
            return
        said = headline(account, drift_note(ledger))
        self._sentence.setText(said.sentence)
        self.chip.set_chip(said.chip)
        self._below.setText(said.below)
        self._show_bars(account)
        self.table.show_rows(columns(account), stage_rows(account))
        self._curve_part.setVisible(account.ceiling is not None)
        self._next_part.setVisible(bool(account.next_stages))
        self._split.setVisible(account.ceiling is not None or bool(account.next_stages))
        self._rest.setVisible(self._split.isHidden())
        self.next_table.show_rows(next_columns(), next_rows(account))
        view = self._bridge.workspace.session.value
        threshold = view.project.stop_below if view and view.project else 0.03
        self._stop.setText(stop_sentence(account, threshold))
        share, wall = units.percent(account.share_before), units.duration(account.traced_wall_before)
        self._curve_head.set_note(
            str(message("application over kernel speed-up; kernel {share} of {wall}", share=share, wall=wall))
        )
        self._fill_chart()

    def _show_bars(self, account: Account) -> None:
        bars = bars_of(account)
        if account.alone:
            self.bars.show_bars(bars, (tr("Now"),))
            return
        walls = account.traced_wall_before, account.traced_wall_after
        saved = walls[0] - walls[1] if account.books_gain and walls[0] and walls[1] else None
        self.bars.show_bars(bars, (tr("Before"), tr("After")), saved)

    def _fill_chart(self) -> None:
        chart = self.chart.made()
        if chart is not None and self._account is not None:
            chart.show_account(self._account)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while the page was hidden."""
        super().showEvent(event)
        self._fill_chart()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the bars anew in the new colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "bars"):
            self.bars.update()
