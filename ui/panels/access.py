"""The access page: which lines touch memory and how well, one line's card with a warp's addresses, and what the L2 would do."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from ui.bridge import Bridge
from ui.dialogs.access_card import AccessFacts
from ui.tables import access_words
from ui.tables.grid import GridTable
from ui.widgets.card import SectionHead, hairline
from ui.widgets.empty_page import EmptyPage
from ui.widgets.frames import GROWS, Pile, Split
from ui.widgets.icon import IconButton
from ui.widgets.label import Label
from ui.widgets.when_seen import WhenSeen
from workbench.analysis.access import newest_access
from workbench.model.access import AccessReport
from workbench.texts import message, tr

_ROW = 26


class AccessPanel(QWidget):
    """Shows the newest access analysis of the selected version, whatever device is chosen: it is made on the emulator."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._report: AccessReport | None = None
        self._line = 0
        self._seen = WhenSeen(self, self._show)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            EmptyPage(
                bridge,
                tr("No access analysis yet"),
                tr(
                    "Which source lines touch memory, and how well, will be here: sectors per request, bank conflicts, active "
                    "lanes, re-reads. The emulator finds them without a GPU. Analyse the selected version to begin."
                ),
                [(tr("Analyse access"), "access")],
                "access",
            )
        )
        self._stack.addWidget(self._page())
        for signal in (bridge.session_changed, bridge.selected_changed, bridge.theme_changed):
            signal.connect(self._seen.ask)
        self._show()

    def _page(self) -> QWidget:
        self.table = GridTable(tr("Memory access by line"), row=_ROW)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.arrays = GridTable(tr("Arrays in global memory"), row=_ROW)
        self._arrays_head = SectionHead(tr("Arrays"))
        self.facts = AccessFacts()
        self._card_head = SectionHead(tr("Line"))
        self._open = IconButton("edit", tr("Show this line in the editor"))
        self._open.clicked.connect(self._go_to_line)
        self._card_head.add(self._open)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.facts)
        column.addStretch(1)
        scroll.setWidget(holder)
        left = Split(
            Qt.Orientation.Vertical,
            Pile(SectionHead(tr("By source line")), (self.table, GROWS)),
            Pile(self._arrays_head, (self.arrays, GROWS)),
            sizes=[460, 190],
            grows=0,
        )
        right = Pile(self._card_head, (scroll, GROWS))
        split = Split(Qt.Orientation.Horizontal, left, right, sizes=[720, 310], grows=0)
        page = Pile(self._head(), hairline(), (split, GROWS))
        page.setProperty("part", "page")
        return page

    def _head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 12, 16, 10)
        words = QVBoxLayout()
        row.addLayout(words, 1)
        words.setSpacing(4)
        self._sentence = Label("", "heading", wrap=True)
        self._below = Label("", "caption", "dim", wrap=True)
        words.addWidget(self._sentence)
        words.addWidget(self._below)
        return head

    def sentence(self) -> str:
        """Return the headline."""
        return self._sentence.text()

    def _show(self) -> None:
        view, selected = self._bridge.workspace.session.value, self._bridge.workspace.selected.value
        report = newest_access([run for run in view.runs if run.version == selected]) if view else None
        self._report = report
        self._stack.setCurrentIndex(1 if report else 0)
        if report is None:
            return
        self._sentence.setText(access_words.headline(report))
        self._below.setText(access_words.below(report))
        self.table.show_rows(access_words.columns(), access_words.rows(report))
        self.arrays.show_rows(access_words.columns(access_words.ARRAY_COLUMNS), access_words.array_rows(report))
        self._arrays_head.set_note(access_words.cache_note(report))
        self._choose(report)

    def _choose(self, report: AccessReport) -> None:
        """Select the line that was looked at, else the one that costs most: by itself a table takes its first row."""
        lines = [line.line for line in report.lines]
        wanted = self._line if self._line in lines else access_words.dearest_line(report)
        if wanted in lines:
            self.table.selectRow(lines.index(wanted))
        self._show_card(wanted)

    def _row_chosen(self, current: QModelIndex) -> None:
        if self._report is not None and current.isValid():
            self._show_card(self._report.lines[current.row()].line)

    def _show_card(self, line: int) -> None:
        self._line = line
        if self._report is not None:
            self._card_head.set_title(str(message("Line {line}", line=line)))
            self.facts.show_line(self._report, line)

    def _go_to_line(self) -> None:
        self._bridge.page_requested.emit("editor")
        self._bridge.line_requested.emit(self._line)
