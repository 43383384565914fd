"""Compare, timeline and account over the synthetic sessions, on a GPU and on the emulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers import sample_session
from tests.helpers.page_commands import PageCommands, page_bridge
from tests.helpers.pages import Kind, sample_page_view, sample_traces
from ui import theme
from ui.bridge import Bridge
from ui.panels.account import AccountPanel
from ui.panels.compare import ComparePanel
from ui.panels.timeline import TimelinePanel
from ui.timeline.drawing import HEAD, Picked
from ui.widgets.line_ends import with_lf
from workbench.analysis.aligned import AlignedLine, Fold, align, fold_unchanged

BASELINE, VECTOR, TILE, WRONG = sample_session.sample_versions()
Panel = TypeVar("Panel", bound=QWidget)
Opener = Callable[[Callable[[Bridge], Panel], Kind], tuple[Panel, PageCommands]]


@pytest.fixture
def open_page(qtbot: QtBot) -> Opener[QWidget]:
    def show(make: Callable[[Bridge], QWidget], kind: Kind) -> tuple[QWidget, PageCommands]:
        device = "cuda:0" if kind == "gpu" else "emulator"
        bridge, commands = page_bridge(sample_page_view(kind), device, traces=sample_traces(kind))
        commands.select(TILE.hash)
        panel = make(bridge)
        bridge.setParent(panel)
        qtbot.addWidget(panel)
        panel.resize(1040, 700)
        panel.show()
        qtbot.waitUntil(lambda: not bridge.draws_soon())
        return panel, commands

    return show


def test_the_selected_version_is_compared_with_its_parent(open_page: Opener[ComparePanel]) -> None:
    panel, _ = open_page(ComparePanel, "gpu")
    assert panel.chip.chip() == "FASTER"
    assert (panel.choose_a.currentText(), panel.choose_b.currentText()) == ("vector loads", "tile prefetch")
    rows = {row[0].text: [cell.text for cell in row[1:4]] for row in panel.metrics.rows()}
    assert rows["Kernel time, cold L2"] == ["67.03 ms", "16.40 ms", "−75.5 %"]


def test_swapping_asks_the_workspace_and_shows_the_other_verdict(open_page: Opener[ComparePanel]) -> None:
    panel, commands = open_page(ComparePanel, "gpu")
    panel.swap.click()
    assert commands.space.compared.value == (TILE.hash, VECTOR.hash)
    assert panel.chip.chip() == "SLOWER"


def test_choosing_the_other_sides_version_swaps_them(open_page: Opener[ComparePanel]) -> None:
    panel, commands = open_page(ComparePanel, "gpu")
    panel.choose_a.setCurrentIndex(panel.choose_a.findData(TILE.hash))
    panel.choose_a.activated.emit(panel.choose_a.currentIndex())
    assert commands.space.compared.value == (TILE.hash, VECTOR.hash)


def test_on_the_emulator_a_comparison_has_cpu_time_and_no_verdict(open_page: Opener[ComparePanel]) -> None:
    panel, _ = open_page(ComparePanel, "emulator")
    assert panel.chip.chip() == "CPU TIME"
    first = panel.metrics.rows()[0]
    assert first[0].text == "CPU time"
    assert first[3].text == ""


def test_a_wrong_version_has_no_time_to_compare(open_page: Opener[ComparePanel]) -> None:
    panel, commands = open_page(ComparePanel, "gpu")
    commands.compare(BASELINE.hash, WRONG.hash)
    assert panel.chip.chip() == "WRONG ANSWER"


def test_a_fold_opens_to_all_of_its_lines(open_page: Opener[ComparePanel]) -> None:
    panel, _ = open_page(ComparePanel, "gpu")
    text = with_lf(BASELINE.code.source.text)
    panel.diff.show_sources(text, text, fold_unchanged(align(text, text)))
    folds = [place for place, item in enumerate(panel.diff.items()) if isinstance(item, Fold)]
    assert folds == [0]
    panel.diff.open_fold(0)
    assert len(panel.diff.items()) == len(BASELINE.code.source.text.splitlines())


def test_the_timeline_shows_before_over_after_and_names_what_changed(open_page: Opener[TimelinePanel]) -> None:
    panel, _ = open_page(TimelinePanel, "gpu")
    rows = {row[0].text: [cell.text for cell in row[1:5]] for row in panel.changes.rows()}
    assert rows["kernel"] == ["shrank", "108.000", "16.400", "−91.600"]
    assert rows["other"][0] == "about as before"


def test_an_event_is_selected_by_clicking_it(open_page: Opener[TimelinePanel]) -> None:
    panel, _ = open_page(TimelinePanel, "gpu")
    picked: list[Picked | None] = []
    panel.view.picked.connect(picked.append)
    spots = (QPoint(HEAD + 20, y) for y in range(30, 200, 6))
    spot = next(point for point in spots if panel.view.event_under(point))
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert picked == [Picked(0, 0)]
    assert panel.view.words(Picked(0, 0)).startswith("cpu\nCPU · host\nstart 0 ms")


def test_zooming_and_fitting_with_the_keys(open_page: Opener[TimelinePanel]) -> None:
    panel, _ = open_page(TimelinePanel, "gpu")
    whole = panel.view.view()
    QTest.keyClick(panel.view, Qt.Key.Key_W)
    assert panel.view.view().span < whole.span
    QTest.keyClick(panel.view, Qt.Key.Key_F)
    assert panel.view.view() == whole


def test_a_baseline_has_one_trace_and_no_before(open_page: Opener[TimelinePanel]) -> None:
    panel, commands = open_page(TimelinePanel, "gpu")
    commands.select(BASELINE.hash)
    assert panel.changes.rows() == ()


def test_a_version_without_a_trace_says_what_will_be_here(open_page: Opener[TimelinePanel]) -> None:
    panel, commands = open_page(TimelinePanel, "gpu")
    commands.select(WRONG.hash)
    assert not panel.view.isVisible()


def test_the_account_says_what_the_application_gained_and_what_a_free_kernel_would_give(open_page: Opener[AccountPanel]) -> None:
    panel, _ = open_page(AccountPanel, "gpu")
    assert panel.chip.chip() == "FASTER"
    assert panel.sentence() == (
        "The kernel is 6.58× faster; the application 1.25×. "
        "A free kernel would give 1.44×: 66 % of the time it could save is saved."
    )
    rows = {row[0].text: [cell.text for cell in row[1:4]] for row in panel.table.rows()}
    assert rows["Not attributed"] == ["0.0", "15.6", "+15.6"]
    assert rows["Wall time, traced"] == ["352.0", "281.0", "−71.0"]
    assert [row[1].text for row in panel.next_table.rows()][:2] == ["Other GPU kernels", "Host to device copy"]


def test_on_the_emulator_the_account_claims_nothing_and_says_why(open_page: Opener[AccountPanel]) -> None:
    panel, _ = open_page(AccountPanel, "emulator")
    assert panel.chip.chip() == "CPU TIME"
    assert "No gain is claimed" in panel.sentence()
    assert "×" not in panel.sentence()
    assert not panel.next_table.isVisible()
    assert not panel.chart.isVisible()


def test_the_baseline_account_shows_one_bar_and_no_gain(open_page: Opener[AccountPanel]) -> None:
    panel, commands = open_page(AccountPanel, "gpu")
    commands.select(BASELINE.hash)
    assert panel.chip.chip() == "BASELINE"
    assert panel.sentence() == "Where the time of baseline goes. A free kernel would give 1.44× (predicted)."
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in panel.table.rows()}
    assert rows["Target kernel"] == ["108.0", "30.7 %"]
    assert next(row[1].text for row in panel.next_table.rows()) == "Other GPU kernels"


@pytest.mark.parametrize("make", [ComparePanel, TimelinePanel, AccountPanel])
def test_without_a_session_a_page_shows_no_numbers(qtbot: QtBot, make: Callable[[Bridge], QWidget]) -> None:
    bridge, commands = page_bridge(None)
    panel = make(bridge)
    bridge.setParent(panel)
    qtbot.addWidget(panel)
    panel.show()
    commands.space.session.set(msgspec.structs.replace(sample_page_view("gpu"), versions=(), runs=(), ledger=None, ledgers={}))
    assert panel.isVisible()


def test_lines_of_one_side_are_selected_by_dragging_and_copied(open_page: Opener[ComparePanel], qapp: QApplication) -> None:
    panel, _ = open_page(ComparePanel, "gpu")
    shown, height = panel.diff.viewport(), theme.current().size("line")
    QTest.mousePress(shown, Qt.MouseButton.LeftButton, pos=QPoint(shown.width() - 100, 3))
    QTest.mouseMove(shown, QPoint(shown.width() - 100, 2 * height + 3))
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=QPoint(shown.width() - 100, 2 * height + 3))
    QTest.keyClick(panel.diff, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = [row for row in panel.diff.items()[:3] if isinstance(row, AlignedLine)]
    assert qapp.clipboard().text() == "\n".join(row.b_text for row in rows if row.b_number is not None)
    QTest.keyClick(panel.diff, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert panel.diff.selected_text() == TILE.code.source.text.removesuffix("\n")
