"""Opens the window: makes Qt's application, the engine's context and the commands, and holds them until it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from ui import theme
from ui.bridge import Bridge
from ui.main_window import MainWindow
from ui.tasks import Tasks, run_application
from workbench.commands.context import Context
from workbench.commands.desk import Desk
from workbench.commands.watch_gpu import watch_gpu
from workbench.errors import ExitCode
from workbench.paths import config_folder
from workbench.state.workspace import Workspace

_SETTLE_SECONDS = 0.4
PROJECT_FILE = "ledger.toml"
Engine = Callable[[], AbstractAsyncContextManager[Context]]


def make_application() -> QApplication:
    """Return the one QApplication, dressed as the user last chose."""
    application = QApplication.instance() or QApplication(["kernel-ledger"])
    assert isinstance(application, QApplication)
    application.setApplicationName("kernel-ledger")
    application.setApplicationDisplayName("Kernel ledger")
    theme.apply(application, theme.remembered(window_settings()))
    return application


def window_settings() -> QSettings:
    """Return where layouts and the theme are kept."""
    return QSettings(str(config_folder() / "window.ini"), QSettings.Format.IniFormat)


def run_window(
    engine: Engine, path: Path | None = None, *, trust: bool = False, picture: Path | None = None, stay: bool = True
) -> int:
    """Open the window on a project or a session, or on nothing, and return the exit code when it was closed.

    `picture` saves a picture of the window once it is filled; with `stay` false it then closes. What cannot be opened is said in
    a notice.
    """
    make_application()
    opened = Opened(path, trust, picture, stay)
    result = run_application(partial(opened.live, engine))
    return int(ExitCode.FINISHED) if result is None else result


class Opened:
    """One life of the window: what it shows first, and whether it stays."""

    def __init__(self, path: Path | None, trust: bool, picture: Path | None, stay: bool) -> None:
        self._path = path
        self._trust = trust
        self._picture = picture
        self._stay = stay

    async def live(self, engine: Engine) -> int:
        """Show the window, open what was named, and wait until it is closed."""
        async with engine() as context:
            desk = Desk(context, Workspace())
            try:
                await self._show(context, desk)
            finally:
                await desk.close()
        return int(ExitCode.FINISHED)

    async def _show(self, context: Context, desk: Desk) -> None:
        tasks, closed = Tasks(), asyncio.Event()
        bridge = Bridge(desk.workspace, desk, tasks.spawn)
        tasks.failed.connect(bridge.report)
        window = MainWindow(bridge)
        window.closed.connect(closed.set)
        window.show()
        try:
            tasks.spawn(watch_gpu(context, desk.workspace))
            tasks.spawn(self._fill(desk, window, closed))
            await closed.wait()
        finally:
            await tasks.close()
            bridge.close()
            window.close()
            window.deleteLater()

    async def _fill(self, desk: Desk, window: MainWindow, closed: asyncio.Event) -> None:
        """Find devices, open what was named, take the picture that was asked for."""
        try:
            if self._path is not None:
                await self._open(desk, self._path)
            await desk.find_devices()
            if self._picture is not None:
                await asyncio.sleep(_SETTLE_SECONDS)
                self._picture.parent.mkdir(parents=True, exist_ok=True)
                window.grab().save(str(self._picture))
        finally:
            if not self._stay:
                closed.set()

    async def _open(self, desk: Desk, path: Path) -> None:
        if path.is_file() and path.name != PROJECT_FILE:
            await desk.open_session(path)
            return
        folder = path.parent if path.is_file() else path
        if self._trust:
            await desk.trust_project(folder)
        else:
            await desk.open_project(folder)


if __name__ == "__main__":
    from workbench.cli import main

    main()
