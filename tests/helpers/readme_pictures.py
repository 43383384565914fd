"""The pictures of README.md and docs: the real window over the session that was measured on an H200, and over the demo as the
emulator analyses it here (`make pictures`).

QT_QPA_PLATFORM=offscreen python -m tests.helpers.readme_pictures [FOLDER]
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import resources
from ui import theme
from ui.__main__ import Opened, make_application
from ui.main_window import MainWindow
from ui.tasks import run_application
from workbench.commands.desk import Desk
from workbench.commands.report import write_session_report
from workbench.engine import engine, open_session

DEMO = "demos/image-preprocess"
PAGES = ("editor", "review", "compare", "timeline", "account")
WIDTH, HEIGHT = 1600, 1000
SETTLE_SECONDS = 0.8


class Pictured(Opened):
    """A window that is pictured page by page and then closed."""

    def __init__(self, session: Path, target: Path, pages: Sequence[str] = PAGES) -> None:
        super().__init__(session, False, None, False)
        self._target = target
        self._session = session
        self._pages = pages

    async def _fill(self, desk: Desk, window: MainWindow, closed: asyncio.Event) -> None:
        window.resize(WIDTH, HEIGHT)
        await desk.open_session(self._session)
        desk.compare(desk.store.versions()[0].hash, desk.store.versions()[-1].hash)
        if desk.store.suggestions():
            desk.review(desk.store.suggestions()[-1].id)
        try:
            for name in ("dark", "light"):
                window.wear("dark" if name == "dark" else "light")
                for page in self._pages:
                    window.show_page(page)
                    await asyncio.sleep(SETTLE_SECONDS)
                    window.grab().save(str(self._target / f"{page}-{name}.png"))
        finally:
            closed.set()


def analysed_demo() -> Path:
    """Return the session of the demo's kernel, analysed on the emulator in the folder of now."""
    shutil.copytree(resources.path(DEMO), "demo", ignore=shutil.ignore_patterns("*.db"))
    program = [sys.executable, "-c", "from workbench.cli import main; main()"]
    subprocess.run([*program, "access", "demo", "--trust", "--hardware", "h200", "--seed", "1"], check=True)
    return Path("demo/.ledger/session.db")


def main(target: Path) -> None:
    """Take the pictures and print the report's first two pages."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("CONFIG", "DATA"):
            os.environ[f"KERNEL_LEDGER_{name}"] = str(Path(scratch) / name.lower())
        pictures = target.resolve()
        os.chdir(scratch)  # so that no picture shows a path of this machine
        session = Path("h200.db")
        shutil.copyfile(resources.path(f"{DEMO}/h200.db"), session)
        application = make_application()
        theme.apply(application, "dark")
        run_application(partial(Pictured(session, pictures).live, engine))
        run_application(partial(Pictured(analysed_demo(), pictures, ("access",)).live, engine))
        store = open_session(session, False)
        try:
            write_session_report(store, Path("report.pdf"), None)
        finally:
            store.close()
        pages = ["pdftoppm", "-r", "80", "-png", "-l", "2", "report.pdf", str(pictures / "report")]
        subprocess.run(pages, check=True)
        for page in pictures.glob("report-0*.png"):
            page.rename(pictures / page.name.replace("report-0", "report-"))
        os.chdir(pictures)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
