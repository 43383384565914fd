"""Where a version runs, and the state that place was in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.texts import Message, tr

DeviceKind = Literal["emulator", "cuda", "triton"]


class DeviceInfo(msgspec.Struct, frozen=True):
    """A device that a plugin found, or the reason why it cannot be used."""

    id: str
    """`emulator`, `cuda:0`."""
    title: str
    kind: DeviceKind
    available: bool = True
    reason: Message | None = None
    remark: Message | None = None
    """What to know about a usable device, such as a choice of the user's that could not be followed."""
    uuid: str | None = None
    properties: Mapping[str, str | int | float] = {}
    """Attributes by the vendor's names: `compute_capability`, `l2_bytes`, `sm_count`, `shared_optin_bytes`, `driver` ..."""

    @property
    def books_gains(self) -> bool:
        """False on the emulator: its CPU time is never a gain."""
        return self.kind != "emulator"


class GpuStatus(msgspec.Struct, frozen=True):
    """One NVML reading; None is missing (the field was refused, see `missing`)."""

    name: str
    uuid: str
    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    power_watt: float | None = None
    power_limit_watt: float | None = None
    temperature_celsius: int | None = None
    memory_used_bytes: int | None = None
    memory_total_bytes: int | None = None
    utilization_percent: int | None = None
    fan_percent: int | None = None
    limit_reasons: tuple[str, ...] | None = None
    persistence: bool | None = None
    mig: bool | None = None
    driver: str | None = None
    other_processes: int | None = None
    missing: Mapping[str, str] = {}
    """Field -> the library's own reason."""


_SOFTWARE = {
    "cuda driver": "CUDA driver",
    "cuda runtime": "CUDA runtime",
    "nvrtc": "NVRTC",
    "cupy": "CuPy",
    "numpy": "NumPy",
    "compute capability": "Capability",
}


def software_title(name: str) -> str:
    """Return what a program calls itself for its key in `Environment.software`, short enough for a label."""
    return tr(_SOFTWARE.get(name.lower()) or name[:1].upper() + name[1:])


class Environment(msgspec.Struct, frozen=True):
    """What a timing was surrounded by (A4). Empty and None mean not measured."""

    device: DeviceInfo
    host: str
    """Processor name and core count; never a host name or path."""
    system: str
    software: Mapping[str, str] = {}
    before: GpuStatus | None = None
    after: GpuStatus | None = None
    load_average: float | None = None
    notes: tuple[Message, ...] = ()
    """What disturbed the run, one sentence each."""
