"""Jobs: what runs now, how far it is, and how the last ones ended."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.bridge import Bridge
from ui.widgets.card import ScrolledColumn, SectionHead
from ui.widgets.icon import IconButton, IconLabel
from ui.widgets.label import ElidedLabel, Label, LabelTone
from ui.widgets.progress import ThinProgress
from workbench.state.workspace import Job
from workbench.texts import message, tr
from workbench.units import duration

KEPT = 6
_ENDS: dict[str, tuple[str, str, LabelTone]] = {
    "finished": ("accepted", "dim", "dim"),
    "failed": ("refused", "wrong", "wrong"),
    "cancelled": ("stop", "dim", "dim"),
    "running": ("run", "accent", "dim"),
}
"""Status -> icon, its colour, tone of the sentence. Green is not for jobs: a finished job proves nothing."""


class JobRow(QWidget):
    """One job: title, time, progress, step, cancel. A failed one keeps its sentence."""

    def __init__(self, bridge: Bridge, job: Job) -> None:
        super().__init__()
        self._bridge = bridge
        self.job = job
        self._icon = IconLabel("run", "accent", 14)
        self._title = ElidedLabel()
        self._time = Label("", "caption", "dim")
        self._bar = ThinProgress(tr("Progress"))
        self._step = Label("", "caption", "dim", wrap=True)
        self._step.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._cancel = IconButton("close", tr("Cancel this job"))
        self._cancel.setFixedSize(20, 20)
        self._cancel.setIconSize(QSize(12, 12))
        self._cancel.clicked.connect(self._cancel_job)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 6)
        column.setSpacing(4)
        top = QHBoxLayout()
        column.addLayout(top)
        top.setSpacing(6)
        for widget, stretch in ((self._icon, 0), (self._title, 1), (self._time, 0), (self._cancel, 0)):
            top.addWidget(widget, stretch)
        column.addWidget(self._bar)
        column.addWidget(self._step)
        self.show_job(job)

    def show_job(self, job: Job) -> None:
        """Show a job's state now."""
        self.job = job
        running = job.status == "running"
        icon, color, tone = _ENDS[job.status]
        self._icon.set_icon(icon, color)
        self._icon.setAccessibleName(tr(job.status))
        self._title.setText(str(job.title))
        self._time.setText(duration(job.seconds, 2) if job.seconds else "")
        self._bar.show_steps(job.done, job.total)
        self._bar.setVisible(running)
        self._cancel.setVisible(running)
        text = str(job.step) if running else str(job.outcome or tr(job.status))
        self._step.setText(text)
        self._step.set_tone(tone)
        self.setAccessibleName(f"{job.title}: {tr(job.status)} {text}")

    def _cancel_job(self) -> None:
        self._bridge.commands.cancel(self.job.id)


class JobsPanel(QFrame):
    """Running jobs first, then the last ones that ended."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "panel")
        self._bridge = bridge
        self.head = SectionHead(tr("Jobs"))
        self._column = ScrolledColumn()
        self._column.column.setContentsMargins(12, 8, 12, 8)
        self._column.column.setSpacing(4)
        self._idle = Label(tr("Nothing is running."), "caption", "dim")
        self._column.add(self._idle)
        self._rows: dict[int, JobRow] = {}
        """By job, in the order shown."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._column)
        bridge.jobs_changed.connect(self.refresh)
        self.refresh()

    def rows(self) -> tuple[JobRow, ...]:
        """Return the rows shown, from the top."""
        return tuple(self._rows.values())

    def refresh(self) -> None:
        """Show the workspace's jobs."""
        jobs = self._bridge.workspace.jobs.value
        running = [job for job in jobs if job.status == "running"]
        ended = [job for job in jobs if job.status != "running"][::-1][: max(0, KEPT - len(running))]
        shown = [*running, *ended]
        column, before = self._column.column, self._rows
        self._rows = {job.id: before.get(job.id) or JobRow(self._bridge, job) for job in shown}
        for row in (row for gone, row in before.items() if gone not in self._rows):
            column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, (job, row) in enumerate(zip(shown, self._rows.values(), strict=True)):
            row.show_job(job)
            if column.indexOf(row) != place:
                column.insertWidget(place, row, 0, Qt.AlignmentFlag.AlignTop)
        self._idle.setVisible(not shown)
        count = len(running)
        self.head.set_note(str(message("{count} running", count=count)) if count else "")
