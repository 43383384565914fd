"""Opens the window: makes Qt's application, the engine's context and the commands, and holds them until it is closed."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from ui import theme
from ui.bridge import Bridge, Commands
from ui.main_window import MainWindow
from ui.tasks import SettledCollector, Tasks, run_application
from ui.widgets.first_paint import first_paint
from workbench.errors import ExitCode
from workbench.paths import config_folder
from workbench.settings import load_settings
from workbench.state.workspace import Workspace
from workbench.texts import use_language

if TYPE_CHECKING:
    from workbench.commands.context import Context
    from workbench.commands.desk import Desk

    Engine = Callable[[], AbstractAsyncContextManager[Context]]

_SETTLE_SECONDS = 0.4
PROJECT_FILE = "ledger.toml"


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
    use_language(load_settings().language)
    make_application()
    opened = Opened(path, trust, picture, stay)
    result = run_application(partial(opened.live, engine))
    return int(ExitCode.FINISHED) if result is None else result


class Arriving:
    """Stands for the commands while they are loaded, so that the window is seen before; what is asked meanwhile waits."""

    def __init__(self) -> None:
        self._desk: asyncio.Future[Desk] = asyncio.get_running_loop().create_future()

    def arrive(self, desk: Desk) -> None:
        """Hand everything to the commands from now on."""
        self._desk.set_result(desk)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._desk.done():
            return getattr(self._desk.result(), name)

        async def later(*arguments: object) -> object:
            return await getattr(await asyncio.shield(self._desk), name)(*arguments)

        return later


@dataclass(frozen=True)
class _House:
    """What lives as long as the window."""

    space: Workspace
    arriving: Arriving
    tasks: Tasks
    closed: asyncio.Event


def _load(engine: Engine) -> AbstractAsyncContextManager[Context]:
    """Load everything that does the work, beside the loop: NumPy, the commands, the engine."""
    importlib.import_module("workbench.commands.desk")
    importlib.import_module("workbench.commands.watch_gpu")
    return engine()


class Opened:
    """One life of the window: what it shows first, and whether it stays."""

    def __init__(self, path: Path | None, trust: bool, picture: Path | None, stay: bool) -> None:
        self._path = path
        self._trust = trust
        self._picture = picture
        self._stay = stay

    async def live(self, engine: Engine) -> int:
        """Show the window, load what does the work, open what was named, and wait until the window is closed."""
        house = _House(Workspace(), Arriving(), Tasks(), asyncio.Event())
        bridge = Bridge(house.space, cast(Commands, house.arriving), house.tasks.spawn)
        house.tasks.failed.connect(bridge.report)
        window = MainWindow(bridge)
        window.closed.connect(house.closed.set)
        window.show()
        try:
            await first_paint(window)
            async with await asyncio.to_thread(_load, engine) as context:
                with SettledCollector() as collector:
                    house.space.session.subscribe(collector.opened)
                    await self._work(house, context, window)
        finally:
            bridge.close()
            window.close()
            window.deleteLater()
        return int(ExitCode.FINISHED)

    async def _work(self, house: _House, context: Context, window: MainWindow) -> None:
        from workbench.commands.desk import Desk  # loaded by now
        from workbench.commands.watch_gpu import watch_gpu

        context.pool.behind_window = True
        desk = Desk(context, house.space)
        house.arriving.arrive(desk)
        try:
            house.tasks.spawn(watch_gpu(context, house.space))
            house.tasks.spawn(self._fill(desk, window, house.closed))
            await house.closed.wait()
        finally:
            await house.tasks.close()
            await desk.close()

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
