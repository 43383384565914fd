"""The real window over a workspace filled from the SYNTHETIC sessions; for tests and screenshots."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import msgspec
from PySide6.QtCore import QSettings

from tests.helpers import pages, sample_session
from tests.helpers.page_commands import PageCommands, run_at_once
from ui.bridge import Bridge
from ui.main_window import MainWindow
from workbench.commands.views import read_view
from workbench.model.device import DeviceInfo, GpuStatus
from workbench.model.events import Trace
from workbench.state.workspace import Job, LogLine, SessionView, Workspace
from workbench.texts import message

NO_GPU = message("No NVIDIA driver was found on this machine, so there is no GPU to read.")

OpenWindow = Callable[[str], MainWindow]
"""Shows the window over the session "gpu" or "emulator", or over nothing ("empty"): the fixture `open_sample`."""


@lru_cache(maxsize=2)
def sample_view(kind: str) -> tuple[SessionView, dict[tuple[int, str], Trace]]:
    """Return a session of the kind "gpu" or "emulator" as the window shows it, with its traces."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = sample_session.gpu_session(folder) if kind == "gpu" else sample_session.emulator_session(folder)
        view = read_view(store, None)
        traces = {(run.id, side): trace for run in view.runs for side in "ab" if (trace := store.trace(run.id, side)) is not None}
        store.close()
    return msgspec.structs.replace(view, suggestions=(*view.suggestions, pages.suggestion())), traces


def fill(space: Workspace, view: SessionView, kind: str) -> None:
    """Put a session into a workspace with what surrounds it: devices, readings, jobs, log."""
    baseline, _vector, tile, wrong = sample_session.sample_versions()
    emulator = DeviceInfo("emulator", "CPU emulator", "emulator")
    gpu = sample_session.gpu_environment().device
    no_driver = message("The NVIDIA driver was not found.")
    absent = DeviceInfo("cuda:0", "NVIDIA GPU", "cuda", available=False, reason=no_driver)
    space.devices.set((emulator, gpu if kind == "gpu" else absent))
    space.device.set("cuda:0" if kind == "gpu" else "emulator")
    space.session.set(view)
    space.compared.set((baseline.hash, tile.hash))
    space.selected.set(tile.hash)
    space.reviewed.set(pages.suggestion().id)
    space.worker.set(message("Worker ready, spare warm"))
    running = Job(
        3, message("tile prefetch · trace"), message("round 13 of 20, before and after interleaved"), 13, 20, seconds=4.0
    )
    failed = Job(
        2, message("{name} · verify", name=wrong.name), message(""), 1, 4, "failed",
        message("The answer is wrong at dst[0, 0, 0]: 3.16 where the reference has 1.00."), 1.2,
    )  # fmt: skip
    space.jobs.set((failed, running))
    space.log.set((
        LogLine("10:04:11", "info", message("baseline was compiled in 0.41 s.")),
        LogLine("10:04:19", "warning", message("Another program used the processor while timing.")),
        LogLine("10:05:02", "error", message("fast math gives a wrong answer."), "dst[0, 0, 0]: 3.16, reference 1.00"),
    ))  # fmt: skip
    if kind == "gpu":
        show_gpu(space)
    else:
        space.gpu_missing.set(NO_GPU)


def show_gpu(space: Workspace) -> None:
    """Read a made-up GPU forty times."""
    uuid = sample_session.gpu_environment().device.uuid or ""
    for second in range(40):
        busy = second > 12
        space.gpu.set((
            GpuStatus(
                "NVIDIA H200", uuid, 1980 - (second % 5) * 15, 3201, 412.0 if busy else 120.0, 700.0, 40 + second // 3,
                int((3.1 if busy else 1.2) * 2**30), 140 * 2**30, 96 if busy else 0, driver="580.159", other_processes=0,
            ),
        ))  # fmt: skip


def make_window(space: Workspace, settings: Path, traces: dict[tuple[int, str], Trace] | None = None) -> MainWindow:
    """Return the window, not yet shown, with its layout kept in the file `settings`."""
    bridge = Bridge(space, PageCommands(space, {pages.suggestion().id: pages.sample_plan()}, traces or {}), run_at_once)
    return MainWindow(bridge, QSettings(str(settings), QSettings.Format.IniFormat))


def commands_of(window: MainWindow) -> PageCommands:
    """Return the recorded commands of a window made by `make_window`."""
    commands = window.bridge.commands
    assert isinstance(commands, PageCommands)
    return commands
