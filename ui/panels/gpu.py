"""GPU: the last readings of the live status, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from ui import theme
from ui.bridge import Bridge
from ui.widgets.card import SectionHead
from ui.widgets.label import ElidedLabel, Label, NumberLabel
from ui.widgets.sparkline import Sparkline
from workbench.model.device import GpuStatus
from workbench.texts import message, tr
from workbench.units import MISSING, clock_rate, percent, power, size, temperature

_FREE = 2**24 - 1
"""Qt's own "no limit" of a height in px."""


@dataclass(frozen=True)
class Reading:
    """One row: its field in GpuStatus, title, colour, least span of the line, and how it is written."""

    field: str
    title: str
    color: str
    span: float
    text: Callable[[GpuStatus], str]


def _sm_clock(status: GpuStatus) -> str:
    return clock_rate(status.sm_clock_mhz)


def _power(status: GpuStatus) -> str:
    return power(status.power_watt)


def _temperature(status: GpuStatus) -> str:
    return temperature(status.temperature_celsius)


def _memory(status: GpuStatus) -> str:
    return size(status.memory_used_bytes)


def _busy(status: GpuStatus) -> str:
    return percent(None if status.utilization_percent is None else status.utilization_percent / 100, 0)


READINGS = (
    Reading("sm_clock_mhz", "SM clock", "stage_kernel", 200, _sm_clock),
    Reading("power_watt", "Power", "stage_h2d", 50, _power),
    Reading("temperature_celsius", "Temperature", "stage_d2h", 10, _temperature),
    Reading("memory_used_bytes", "Memory", "stage_sync", 2**30, _memory),
    Reading("utilization_percent", "Busy", "stage_cpu", 20, _busy),
)


class ReadingRow(QWidget):
    """Title, line of the last readings, the reading now. A refused reading is — with the driver's reason as tooltip."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self.line = Sparkline(reading.color, reading.span)
        self.value = NumberLabel(MISSING)
        self.value.setMinimumWidth(76)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 3, 0, 3)
        row.setSpacing(theme.current().space(2))
        title = ElidedLabel(tr(reading.title), "text", "dim")
        row.addWidget(title, 3)
        row.addWidget(self.line, 4)
        row.addWidget(self.value)

    def show_status(self, status: GpuStatus) -> None:
        """Add a reading."""
        value = getattr(status, self.reading.field)
        text = self.reading.text(status)
        self.line.add(value)
        self.value.setText(text)
        self.value.setToolTip(status.missing.get(self.reading.field, ""))
        self.setAccessibleName(f"{tr(self.reading.title)} {text}")


class GpuPanel(QFrame):
    """The chosen device's GPU, or the first one."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("part", "panel")
        self._bridge = bridge
        self.head = SectionHead(tr("GPU"))
        self.rows = tuple(ReadingRow(reading) for reading in READINGS)
        self._missing = Label("", "text", "dim", wrap=True)
        inside, none = QWidget(), QWidget()
        for page, widgets in ((inside, self.rows), (none, (self._missing,))):
            column = QVBoxLayout(page)
            column.setContentsMargins(12, 6, 12, 6)
            column.setSpacing(0)
            for widget in widgets:
                column.addWidget(widget)
            column.addStretch(1)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(none)
        self._pages.addWidget(inside)
        bridge.gpu_changed.connect(self.refresh)
        bridge.device_changed.connect(self.refresh)
        self.refresh()

    def _shown(self) -> GpuStatus | None:
        space = self._bridge.workspace
        device = next((found for found in space.devices.value if found.id == space.device.value), None)
        readings = space.gpu.value
        mine = next((status for status in readings if device and status.uuid == device.uuid), None)
        return mine or next(iter(readings), None)

    def refresh(self) -> None:
        """Show the newest reading."""
        status = self._shown()
        self._pages.setCurrentIndex(0 if status is None else 1)
        self._fit()
        if status is None:
            reason = self._bridge.workspace.gpu_missing.value
            self._missing.setText(str(reason) if reason else tr("No GPU was read yet."))
            self.head.set_note(tr("none"))
            self._fit()
            return
        for row in self.rows:
            row.show_status(status)
        self.head.set_note(_note(status))

    def _fit(self) -> None:
        """Take no more room than the sentence needs where there is nothing to read."""
        none = self._pages.currentIndex() == 0
        self.setMaximumHeight(self._missing.heightForWidth(max(80, self.width() - 24)) + 24 if none else _FREE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the sentence to another width."""
        super().resizeEvent(event)
        self._fit()


def _note(status: GpuStatus) -> str:
    parts = [status.name]
    if status.driver:
        parts.append(str(message("driver {version}", version=status.driver)))
    if status.other_processes is not None:
        others = status.other_processes
        parts.append(tr("alone") if others == 0 else str(message("{count} other processes", count=others)))
    return " · ".join(parts)
