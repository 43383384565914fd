"""The compare page: two versions side by side, in source, metrics, rounds and stages."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from ui import theme
from ui.bridge import Bridge
from ui.charts.compared_stages import ComparedStages, compared_stages
from ui.charts.rounds import Cloud, pair_clouds
from ui.charts.stage_bars import StageBars
from ui.tables.comparison_rows import Pair, columns, headline, metric_cells, pair_of
from ui.tables.grid import GridTable
from ui.tables.last_run import ledger_of, shown_device, side
from ui.widgets.card import SectionHead, hairline
from ui.widgets.chip import ChipLabel
from ui.widgets.empty_page import EmptyPage
from ui.widgets.frames import GROWS, Pile, Split
from ui.widgets.icon import IconButton
from ui.widgets.label import Label
from ui.widgets.late import Late
from ui.widgets.line_diff import counts
from ui.widgets.line_ends import with_lf
from ui.widgets.side_by_side import SideBySide
from ui.widgets.when_seen import WhenSeen
from workbench import units
from workbench.analysis.aligned import align, fold_unchanged
from workbench.analysis.compare import metric_rows
from workbench.analysis.verdict import compare_versions
from workbench.model.ledger import Comparison, Ledger
from workbench.model.run import Run
from workbench.model.version import Version
from workbench.state.workspace import SessionView
from workbench.texts import message, tr

_SHARES = (1270, 710)
"""How the metrics and the pictures share the width: all six columns fit beside both docks at 1600 px."""


def _chart() -> QWidget:
    """Make the rounds' chart; pyqtgraph takes 0.4 s to load, which a window that shows another page first need not wait for."""
    from ui.charts.rounds_chart import RoundsChart

    return RoundsChart()


class ComparePanel(QWidget):
    """Compares the pair that the workspace holds; without one, the selected version with its parent."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._shown: tuple[str, str] | None = None
        self._clouds: list[Cloud] = []
        self._of_b: list[bool] = []
        self._comparison: Comparison | None = None
        self._stages_of: ComparedStages | None = None
        self._numbers_of: object = None
        self._seen = WhenSeen(self, self._show)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            EmptyPage(
                bridge,
                tr("Nothing to compare yet"),
                tr(
                    "Two versions will be here side by side: source, metrics, timed rounds and stages. Run two versions to begin."
                ),
                [(tr("Run"), "run"), (tr("Suggest"), "suggest")],
                "compare",
            )
        )
        self._stack.addWidget(self._page())
        for signal in (
            bridge.session_changed, bridge.selected_changed, bridge.compared_changed, bridge.device_changed, bridge.theme_changed,
        ):  # fmt: skip
            signal.connect(self._seen.ask)
        self._show()

    # --- the page

    def _page(self) -> QWidget:
        head = self._head()
        split = Split(Qt.Orientation.Vertical, self._sources(), self._numbers(), sizes=[290, 400])
        return Pile(head, hairline(), (split, GROWS))

    def _head(self) -> QWidget:
        head = QFrame()
        head.setProperty("part", "panel")
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 10, 16, 10)
        row.setSpacing(theme.current().space(2))
        words = QVBoxLayout()
        row.addLayout(words, 1)
        words.setSpacing(4)
        self._sentence = Label("", "heading", wrap=True)
        self._below = Label("", "caption", "dim", wrap=True)
        words.addWidget(self._sentence)
        words.addWidget(self._below)
        self.chip = ChipLabel()
        self.choose_a = _chooser(tr("Version A"))
        self.choose_b = _chooser(tr("Version B"))
        self.swap = IconButton("swap", tr("Swap A and B"))
        self.swap.clicked.connect(self._swap)
        row.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignTop)
        for chooser in (self.choose_a, self.choose_b):
            chooser.activated.connect(self._chosen)
        return head

    def _sources(self) -> QWidget:
        self.diff = SideBySide()
        part = Pile()
        heads = QHBoxLayout()
        part.column.addLayout(heads)
        heads.setSpacing(0)
        self._head_a, self._head_b = SectionHead("A"), SectionHead("B")
        self._head_a.row.insertWidget(1, self.choose_a)
        self._head_b.row.insertWidget(1, self.choose_b)
        self._head_a.add(self.swap)
        for head in (self._head_a, self._head_b):
            head.setFixedHeight(40)
        heads.addWidget(self._head_a, 1)
        heads.addWidget(self._head_b, 1)
        part.column.addWidget(self.diff, GROWS)
        return part

    def _numbers(self) -> QWidget:
        self.metrics = GridTable(tr("Metrics of both versions"), row=26)
        self._metrics_head = SectionHead(tr("Metrics"), tr("B against A"))
        self.rounds = Late(_chart, self._fill_rounds)
        self.rounds.setMinimumHeight(124)
        self._rounds_head = SectionHead(tr("Timed rounds"))
        self._no_metrics = _absent(tr("Nothing was measured of these versions on this device: missing."))
        self._no_rounds = _absent(tr("Neither version has timed rounds on this device: missing."))
        metrics = Pile(self._metrics_head, (self.metrics, GROWS), (self._no_metrics, GROWS))
        pictures = Pile(self._rounds_head, (self.rounds, GROWS), (self._no_rounds, GROWS), *self._stages())
        split = Split(Qt.Orientation.Horizontal, metrics, pictures, sizes=_SHARES)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        return split

    def _stages(self) -> tuple[QWidget, QWidget]:
        self.bars = StageBars(title_width=46, axis=False)
        self._bars_head = SectionHead(tr("Stages, end to end"))
        self._bars_said = Label("", "caption", "dim", wrap=True)
        self._bars_box = QFrame()
        self._bars_box.setProperty("part", "page")
        box = QVBoxLayout(self._bars_box)
        box.setContentsMargins(12, 8, 12, 8)
        box.addWidget(self.bars)
        box.addWidget(self._bars_said)
        return self._bars_head, self._bars_box

    # --- what is shown

    def _pair(self, view: SessionView) -> Pair:
        space = self._bridge.workspace
        return pair_of(view, space.compared.value, space.selected.value, space.device.value)

    def _show(self) -> None:
        view = self._bridge.workspace.session.value
        pair = self._pair(view) if view else Pair(None, None)
        a, b = (view.version(digest) if view else None for digest in pair)
        self._stack.setCurrentIndex(1 if a and b else 0)
        if view is None or a is None or b is None:
            return
        self._fill_choosers(view, pair)
        self._show_numbers(view, a, b)
        self._bridge.soon(self._show_sources)

    def _fill_choosers(self, view: SessionView, pair: Pair) -> None:
        for chooser, digest in ((self.choose_a, pair.a), (self.choose_b, pair.b)):
            blocker = QSignalBlocker(chooser)
            chooser.clear()
            for version in view.versions:
                chooser.addItem(version.name, version.hash)
            chooser.setCurrentIndex(chooser.findData(digest))
            chooser.setToolTip(f"{chooser.accessibleName()}: {chooser.currentText()}")
            blocker.unblock()

    def _show_sources(self) -> None:
        view = self._bridge.workspace.session.value
        a, b = (view.version(digest) if view else None for digest in (self._pair(view) if view else (None, None)))
        if a is None or b is None or self._shown == (a.hash, b.hash):
            return
        self._shown = a.hash, b.hash
        texts = with_lf(a.code.source.text), with_lf(b.code.source.text)
        rows = align(*texts)
        found = counts(rows)
        changed, added, removed = (units.count(count) for count in found)
        said = message("{changed} changed, {added} added, {removed} removed", changed=changed, added=added, removed=removed)
        told = str(said) if any(found) else tr("the same source")
        for head, letter, version in ((self._head_a, "A", a), (self._head_b, "B", b)):
            head.set_title(letter)
            head.set_note(units.short_hash(version.hash))
        self._head_b.set_note(f"{units.short_hash(b.hash)} · {told}")
        self.diff.show_sources(*texts, fold_unchanged(rows))

    def _show_numbers(self, view: SessionView, a: Version, b: Version) -> None:
        chosen = self._bridge.workspace.device.value
        device = shown_device(view, chosen)
        ledger = ledger_of(view, device)
        accounts = [ledger.accounts.get(version.hash) if ledger else None for version in (a, b)]
        key = a, b, device, chosen, accounts, _runs_about(view, a, b, device), theme.current().name
        if key == self._numbers_of:
            return
        self._numbers_of = key
        comparison = self._compared(view, a, b, ledger, device)
        sides = side(view, a.hash, device), side(view, b.hash, device)
        said = headline(comparison, sides[0], sides[1], device)
        elsewhere = str(message("Measured on {device}, not run on {chosen}.", device=device, chosen=chosen))
        self._sentence.setText(said.sentence)
        self.chip.set_chip(said.chip)
        self._below.setText(" ".join(part for part in (said.below, elsewhere if device != chosen else "") if part))
        self._below.setVisible(bool(self._below.text()))
        rows = metric_rows(sides[0].run, sides[1].run, comparison, accounts[0], accounts[1])
        self.metrics.show_rows(columns(), [metric_cells(row, comparison) for row in rows])
        self.metrics.setVisible(bool(rows))
        self._no_metrics.setVisible(not rows)
        clouds = pair_clouds(view.runs, a, b, device)
        self._clouds = [cloud for cloud in reversed(clouds) if cloud]
        self._of_b = [cloud is clouds[1] for cloud in self._clouds]
        self._stages_of = compared_stages(ledger, a, b)
        self._bridge.soon(self._fill_rounds)
        self._bridge.soon(self._show_bars)

    def _compared(self, view: SessionView, a: Version, b: Version, ledger: Ledger | None, device: str) -> Comparison:
        """Return the comparison; one of a version with itself has no verdict."""
        names = {version.hash: version.name for version in view.versions}
        books = ledger.books_gains if ledger else False
        found = compare_versions(view.runs, a.hash, b.hash, device=device, books_gain=books, names=names)
        self._comparison = msgspec.structs.replace(found, verdict=None) if a.hash == b.hash else found
        return self._comparison

    def _show_bars(self) -> None:
        stages = self._stages_of
        if stages is None:
            return
        self.bars.setVisible(bool(stages.bars))
        self.bars.show_bars(stages.bars, stages.letters)
        self._bars_head.set_note(stages.note)
        self._bars_said.setText(stages.caption)

    def _fill_rounds(self) -> None:
        comparison, chart = self._comparison, self.rounds.made()
        if comparison is None:
            return
        margin = comparison.margin if comparison.books_gain else 0.0
        note = message("each around its own median; band: margin ±{margin}, bar: 95 %", margin=units.percent(margin, 2))
        plain = tr("each around its own median; CPU time")
        self._rounds_head.set_note(tr("missing") if not self._clouds else str(note) if margin else plain)
        self.rounds.setVisible(bool(self._clouds))
        self._no_rounds.setVisible(not self._clouds)
        if chart is not None:
            words = {"FASTER": "proven", "SLOWER": "wrong", "AMBIGUOUS": "doubt"}
            verdict = words.get(comparison.verdict or "", "accent")
            chart.show_clouds(self._clouds, [verdict if of_b else "neutral" for of_b in self._of_b], margin)

    # --- what is done

    def _chosen(self) -> None:
        """Compare what was chosen; a side that takes the other's version gives that one its own."""
        view, chosen = self._bridge.workspace.session.value, (self.choose_a.currentData(), self.choose_b.currentData())
        if view is not None and chosen[0] == chosen[1]:
            before = self._pair(view)
            chosen = before.b, before.a
        self._bridge.commands.compare(*chosen)

    def _swap(self) -> None:
        self._bridge.commands.compare(self.choose_b.currentData(), self.choose_a.currentData())

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard, so that the keys work at once."""
        super().showEvent(event)
        self.diff.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the new theme's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown:
            self._fill_rounds()


def _runs_about(view: SessionView, a: Version, b: Version, device: str) -> list[Run]:
    """Return the runs that a comparison on a device is made from: of both versions and of the baseline."""
    about = {a.hash, b.hash, *(version.hash for version in view.versions if version.parent is None)}
    return [run for run in view.runs if run.device == device and run.version in about]


def _chooser(title: str) -> QComboBox:
    chooser = QComboBox()
    chooser.setAccessibleName(title)
    chooser.setToolTip(title)
    chooser.setMaximumWidth(240)
    chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return chooser


def _absent(text: str) -> Label:
    label = Label(text, "text", "dim", wrap=True)
    label.setContentsMargins(12, 10, 12, 10)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return label
