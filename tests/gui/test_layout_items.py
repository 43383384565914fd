"""Python keeps no handle of a layout's item that Qt deletes: such a handle ended the program with a segmentation fault."""

from __future__ import annotations

import msgspec
import shiboken6
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from tests.helpers import layout_items
from tests.helpers.window import OpenWindow
from ui.notices import Notice
from ui.panels.jobs import KEPT, JobsPanel
from ui.widgets.notice_bar import MOST, NoticeBar
from workbench.state.workspace import Job
from workbench.texts import message


def test_reading_and_changing_the_jobs_takes_no_item_of_their_column(open_sample: OpenWindow) -> None:
    window = open_sample("gpu")
    panel = window.findChild(JobsPanel)
    assert panel is not None
    jobs = window.bridge.workspace.jobs
    for number in range(10, 10 + 2 * KEPT):
        ended = [msgspec.structs.replace(job, status="finished") for job in jobs.value]
        jobs.set((*ended, Job(number, message("trace"), message("round 1 of 20"))))
        shown = [row.job.id for row in panel.rows()]
        assert shown == sorted(shown, reverse=True)
        assert shown[0] == number
    assert len(panel.rows()) == KEPT
    assert layout_items.handles() == []


def test_rows_of_jobs_stand_in_the_order_they_are_named(open_sample: OpenWindow, qapp: QApplication) -> None:
    window = open_sample("gpu")
    panel = window.findChild(JobsPanel)
    assert panel is not None
    jobs = window.bridge.workspace.jobs
    first, second = (Job(number, message("trace"), message("round 1 of 20")) for number in (10, 11))
    jobs.set((first, second))
    qapp.processEvents()
    assert [row.job.id for row in sorted(panel.rows(), key=QWidget.y)] == [10, 11]
    jobs.set((msgspec.structs.replace(first, status="finished"), second))
    qapp.processEvents()
    assert [row.job.id for row in panel.rows()] == [11, 10]
    assert [row.job.id for row in sorted(panel.rows(), key=QWidget.y)] == [11, 10]


def test_notices_that_come_and_go_take_no_item_of_their_column(qapp: QApplication) -> None:
    bar = NoticeBar()
    for number in range(2 * MOST):
        bar.show_notice(Notice(message("{count} running", count=number), "info"))
    assert len(bar.notices()) == MOST
    bar.clear()
    assert bar.notices() == ()
    assert layout_items.handles() == []
    _delete(qapp, bar)


def test_a_handle_stays_when_its_item_is_deleted_so_it_is_found(qapp: QApplication) -> None:
    page, label = QWidget(), QLabel("goes")
    column = QVBoxLayout(page)
    column.addWidget(label)
    assert layout_items.handles() == []
    handle = column.itemAt(0)
    assert handle is not None
    assert layout_items.handles() == [handle]
    _delete(qapp, label)
    assert column.count() == 0
    assert layout_items.handles() == [handle], "PySide tells handles now: the rule may be given up"
    shiboken6.invalidate(handle)
    assert layout_items.handles() == []
    _delete(qapp, page)


def test_a_layout_that_is_filled_before_it_is_put_into_another_makes_handles(qapp: QApplication) -> None:
    page = QWidget()
    column, early, late = QVBoxLayout(page), QHBoxLayout(), QHBoxLayout()
    column.addLayout(early)
    early.addWidget(QLabel("in its place first"))
    assert layout_items.handles() == []
    late.addWidget(QLabel("filled first"))
    column.addLayout(late)
    assert len(layout_items.handles()) == 1
    _delete(qapp, page)
    assert layout_items.handles() == []


def _delete(application: QApplication, widget: QWidget) -> None:
    widget.deleteLater()
    application.sendPostedEvents(widget, QEvent.Type.DeferredDelete.value)
