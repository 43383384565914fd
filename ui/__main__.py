"""Opens the window: makes Qt's application, the engine's context and the commands, and holds them until it is closed."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from ui import theme
from ui.bridge import AdvisorChoice, Bridge, Commands
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
    from workbench.model.edit import EditPlan
    from workbench.model.events import Trace
    from workbench.model.run import PassName

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
    """Stands for the commands while they are loaded, so that the window is seen before.

    What is asked meanwhile is done when they are there, in the order it was asked. Nothing is open until then.
    """

    def __init__(self) -> None:
        self._desk: asyncio.Future[Commands] = asyncio.get_running_loop().create_future()
        self._asked: list[Callable[[Commands], None]] = []

    def arrive(self, desk: Commands) -> None:
        """Do what was asked."""
        for ask in self._asked:
            ask(desk)
        self._asked.clear()
        self._desk.set_result(desk)

    async def _arrived(self) -> Commands:
        return await asyncio.shield(self._desk)

    def select(self, version: str | None) -> None:
        """Select later."""
        self._asked.append(lambda desk: desk.select(version))

    def compare(self, a: str | None, b: str | None) -> None:
        """Compare later."""
        self._asked.append(lambda desk: desk.compare(a, b))

    def review(self, suggestion: int | None) -> None:
        """Review later."""
        self._asked.append(lambda desk: desk.review(suggestion))

    def start_draft(self, base: str) -> None:
        """Begin the draft later."""
        self._asked.append(lambda desk: desk.start_draft(base))

    def edit_draft(self, text: str) -> None:
        """Change the draft later."""
        self._asked.append(lambda desk: desk.edit_draft(text))

    def select_device(self, device: str) -> None:
        """Use the device later."""
        self._asked.append(lambda desk: desk.select_device(device))

    def cancel(self, job: int) -> None:
        """End the job later."""
        self._asked.append(lambda desk: desk.cancel(job))

    def advisors(self) -> Sequence[AdvisorChoice]:
        """Return nobody yet."""
        return ()

    def trace(self, run: int, side: str) -> Trace | None:
        """Return nothing yet."""
        return None

    def plan(self, suggestion: int) -> EditPlan | None:
        """Return nothing yet."""
        return None

    async def open_project(self, path: Path) -> None:
        """Open it when the commands are there; so for all that follow."""
        await (await self._arrived()).open_project(path)

    async def trust_project(self, path: Path) -> None:
        """See `Commands`."""
        await (await self._arrived()).trust_project(path)

    async def open_session(self, path: Path) -> None:
        """See `Commands`."""
        await (await self._arrived()).open_session(path)

    async def new_project(self, folder: Path) -> None:
        """See `Commands`."""
        await (await self._arrived()).new_project(folder)

    async def run_selected(self, passes: Sequence[PassName]) -> None:
        """See `Commands`."""
        await (await self._arrived()).run_selected(passes)

    async def verify_draft(self) -> None:
        """See `Commands`."""
        await (await self._arrived()).verify_draft()

    async def run_draft(self) -> None:
        """See `Commands`."""
        await (await self._arrived()).run_draft()

    async def analyse_access(self) -> None:
        """See `Commands`."""
        await (await self._arrived()).analyse_access()

    async def more_rounds(self, version: str) -> None:
        """See `Commands`."""
        await (await self._arrived()).more_rounds(version)

    async def suggest(self, advisor: str, model: str | None) -> None:
        """See `Commands`."""
        await (await self._arrived()).suggest(advisor, model)

    async def copy_prompt(self) -> str:
        """See `Commands`."""
        return await (await self._arrived()).copy_prompt()

    async def paste_answer(self, text: str) -> None:
        """See `Commands`."""
        await (await self._arrived()).paste_answer(text)

    async def accept_hunks(self, suggestion: int, hunks: Sequence[int]) -> None:
        """See `Commands`."""
        await (await self._arrived()).accept_hunks(suggestion, hunks)

    async def refuse(self, suggestion: int) -> None:
        """See `Commands`."""
        await (await self._arrived()).refuse(suggestion)

    async def write_back(self) -> None:
        """See `Commands`."""
        await (await self._arrived()).write_back()

    async def save_patch(self, path: Path) -> None:
        """See `Commands`."""
        await (await self._arrived()).save_patch(path)

    async def export_report(self, path: Path) -> None:
        """See `Commands`."""
        await (await self._arrived()).export_report(path)


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


async def _load_charts(collector: SettledCollector) -> None:
    """Load what draws charts, beside the loop, before a page needs it."""
    await asyncio.to_thread(importlib.import_module, "ui.charts.rounds_chart")
    collector.settle()


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
        bridge = Bridge(house.space, house.arriving, house.tasks.spawn)
        house.tasks.failed.connect(bridge.report)
        window = MainWindow(bridge)
        window.closed.connect(house.closed.set)
        window.show()
        try:
            await first_paint(window)
            async with await asyncio.to_thread(_load, engine) as context:
                with SettledCollector() as collector:
                    house.space.session.subscribe(collector.opened)
                    house.tasks.spawn(_load_charts(collector))
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
        window.bridge.commands = desk
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
