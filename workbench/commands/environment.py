"""Reads what surrounds a run: the machine, the device's software, and the GPU's state before and after (A4)."""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Sequence

import psutil

from workbench.commands.context import Context
from workbench.model.device import DeviceInfo, Environment, GpuStatus
from workbench.texts import Message, message
from workbench.worker.protocol import DeviceOpened


def read_environment(context: Context, opened: DeviceOpened) -> Environment:
    """Return the environment before a run."""
    return Environment(
        device=opened.info,
        host=f"{_processor()}, {psutil.cpu_count() or 1} cores",
        system=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        software=dict(opened.software),
        before=read_gpu(context, opened.info),
        load_average=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    )


def read_gpu(context: Context, device: DeviceInfo) -> GpuStatus | None:
    """Return the status of a device's GPU, found by UUID; None where there is none or it is not known."""
    if device.uuid is None:
        return None
    for reader in context.plugins.gpu_status():
        if reader.unavailable() is None:
            for status in reader.read():
                if status.uuid == device.uuid:
                    return status
    return None


def disturbances(before: GpuStatus | None, after: GpuStatus | None) -> tuple[Message, ...]:
    """Say in one sentence each what was not quiet while timing."""
    notes: list[Message] = []
    for status in (before, after):
        if status is not None and status.other_processes:
            others = status.other_processes
            several = message("{count} other processes used the GPU.", count=others)
            notes.append(message("Another process used the GPU.") if others == 1 else several)
            break
    reasons = _limits(after)
    if reasons:
        notes.append(message("The clock was limited while timing: {reasons}.", reasons=", ".join(reasons)))
    return tuple(notes)


def _limits(status: GpuStatus | None) -> Sequence[str]:
    if status is None or status.limit_reasons is None:
        return ()
    return [reason for reason in status.limit_reasons if reason not in ("gpu_idle", "none", "applications_clocks_setting")]


@functools.cache
def _processor() -> str:
    """Return the processor's name; reading it takes milliseconds where there are many cores."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
