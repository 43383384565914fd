"""The bar under everything: worker, version, clocks, cursor."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ui.actions import Actions
from ui.bridge import Bridge
from ui.widgets.icon import icon
from ui.widgets.label import ElidedLabel, Label
from workbench.texts import message, tr
from workbench.units import MISSING, clock_rate, power, short_hash, size, temperature


class StatusLine(QWidget):
    """Reads the workspace; a reading that is missing is left out rather than shown as nothing."""

    def __init__(self, bridge: Bridge, actions: Actions) -> None:
        super().__init__()
        self._bridge = bridge
        self.worker = ElidedLabel("", "caption", "dim")
        self.version = ElidedLabel("", "caption", "dim")
        self.clocks = Label("", "caption", "dim")
        self.cursor_place = Label("", "caption", "dim")
        self._log = QPushButton(" " + tr("Log"))
        self._log.setProperty("part", "flat")
        self._log.setIcon(icon("log", "dim"))
        self._log.setIconSize(QSize(14, 14))
        self._log.setAccessibleName(tr("Show or hide the log"))
        self._log.clicked.connect(actions.action("toggle_log").trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(20)
        for label in (self.worker, self.version):
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            row.addWidget(label)
        row.addStretch(1)
        row.addWidget(self.clocks)
        row.addWidget(self.cursor_place)
        row.addWidget(self._log)
        for signal in (bridge.worker_changed, bridge.selected_changed, bridge.draft_changed, bridge.session_changed):
            signal.connect(self.refresh)
        bridge.gpu_changed.connect(self._show_clocks)
        bridge.cursor_moved.connect(self._show_cursor)
        bridge.log_changed.connect(self._show_log)
        bridge.theme_changed.connect(self._show_log)
        self.refresh()
        self._show_clocks()

    def refresh(self) -> None:
        """Show worker and version."""
        space = self._bridge.workspace
        worker = space.worker.value
        self.worker.setText(str(worker) if worker else tr("No worker yet"))
        view, draft = space.session.value, space.draft.value
        version = view.version(space.selected.value) if view else None
        if version is None:
            self.version.setText("")
            return
        state = tr("edited, not saved") if draft and draft.changed else tr("saved")
        self.version.setText(f"{version.name} · {short_hash(version.hash)} · {state}")

    def _show_clocks(self) -> None:
        status = next(iter(self._bridge.workspace.gpu.value), None)
        if status is None:
            self.clocks.setText("")
            return
        clock = message("SM {clock}", clock=clock_rate(status.sm_clock_mhz)) if status.sm_clock_mhz is not None else None
        parts = [
            str(clock) if clock else MISSING,
            temperature(status.temperature_celsius),
            power(status.power_watt),
            size(status.memory_used_bytes),
        ]
        self.clocks.setText("    ".join(part for part in parts if part != MISSING))

    def _show_cursor(self, line: int, column: int) -> None:
        self.cursor_place.setText(str(message("Ln {line}, Col {column}", line=line, column=column)))

    def _show_log(self) -> None:
        lines = self._bridge.workspace.log.value
        errors = sum(line.level == "error" for line in lines)
        self._log.setIcon(icon("warning" if errors else "log", "wrong" if errors else "dim"))
        count = message("Log, {count} errors", count=errors) if errors > 1 else message("Log, 1 error")
        self._log.setText(f" {count}" if errors else " " + tr("Log"))
