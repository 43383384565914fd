"""What the event clock adds to every launch on this GPU and driver: measured against CUPTI, or the hardware file's value."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from plugins.cuda.compile import write_whole
from workbench.plugin_api import Clock, DeviceInfo, cache_folder, hardware_named

NAME = "events behind a blocking kernel"
TICK = 32e-9
"""Smallest step of device timestamps in seconds (method section 1)."""

CALIBRATE_SECONDS = 45.0
"""Limit of one calibration, which takes about five seconds; another worker waits as long for its result."""
_PLAUSIBLE = (0.0, 20e-6)
"""A constant outside was disturbed: bare events add 2.4 to 9 us (method section 1)."""


def from_hardware_file(title: str) -> Clock:
    """Return the clock with the constant a hardware file states, or with none."""
    known = hardware_named(title)
    constant = known.number("event_constant") if known is not None else None
    if known is None or constant is None:
        return Clock(NAME, tick=TICK)
    return Clock(
        NAME,
        constant=constant,
        constant_spread=known.number("event_constant_spread") or 0.0,
        constant_source="hardware file",
        tick=TICK,
    )


def _kept(info: DeviceInfo) -> Path:
    return cache_folder() / "cuda" / f"clock-{info.uuid}-{info.properties.get('driver', 0)}.json"


def clock_of(info: DeviceInfo, *, may_measure: bool = True) -> Clock:
    """Return the clock of a GPU. With CUPTI installed the constant is measured once, in a child, and kept."""
    if not may_measure or importlib.util.find_spec("cupti") is None:
        return from_hardware_file(info.title)
    kept = _kept(info)
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        _measure_once(info, kept)
    if not kept.is_file():
        return from_hardware_file(info.title)
    return msgspec.json.decode(kept.read_bytes(), type=Clock)


def _measure_once(info: DeviceInfo, kept: Path) -> None:
    """Calibrate and keep the clock, or wait while another worker does: two at a time would disturb each other."""
    lock = kept.with_suffix(".lock")
    with contextlib.suppress(FileNotFoundError):
        if time.time() - lock.stat().st_mtime > CALIBRATE_SECONDS:
            lock.unlink(missing_ok=True)
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        limit = time.monotonic() + CALIBRATE_SECONDS
        while lock.exists() and time.monotonic() < limit:
            time.sleep(0.1)
        return
    try:
        clock = _measured(info)
        if clock is not None:
            write_whole(kept, msgspec.json.encode(clock))
    finally:
        lock.unlink(missing_ok=True)


def _measured(info: DeviceInfo) -> Clock | None:
    """Calibrate in a child, because CUPTI slows what runs beside it; None when it could not."""
    command = [sys.executable, "-m", "plugins.cuda.calibrate", info.id]
    try:
        done = subprocess.run(command, capture_output=True, timeout=CALIBRATE_SECONDS, check=False, stdin=subprocess.DEVNULL)
        answer = json.loads(done.stdout.splitlines()[-1])
        constant, spread = float(answer["constant"]), float(answer["spread"])
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, IndexError):
        return None
    if not _PLAUSIBLE[0] < constant < _PLAUSIBLE[1] or spread > constant:
        return None
    return Clock(NAME, constant=constant, constant_spread=spread, constant_source="measured", tick=TICK)
