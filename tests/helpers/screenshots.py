"""Pictures of the window over the SYNTHETIC sessions, in both themes and two sizes, into a folder (`make screenshots`).

QT_QPA_PLATFORM=offscreen python -m tests.helpers.screenshots [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.helpers.window import fill, make_window, sample_view
from ui import theme
from ui.main_window import MainWindow
from workbench.state.workspace import Workspace

SIZES = ((1280, 800), (1600, 1000), (1920, 1080))
THEMES: tuple[theme.Name, ...] = ("dark", "light")
KINDS = ("gpu", "emulator", "empty")


def open_window(kind: str, folder: Path) -> MainWindow:
    """Return the window over a session of `kind`, or over nothing."""
    space = Workspace()
    if kind != "empty":
        view, traces = sample_view(kind)
        window = make_window(space, folder / f"{kind}.ini", traces)
        fill(space, view, kind)
        return window
    return make_window(space, folder / "empty.ini")


def pictures(window: MainWindow, kind: str) -> Iterator[str]:
    """Show each page in each theme and size and yield a name for its picture."""
    for name in THEMES:
        window.wear(name)
        for width, height in SIZES:
            window.resize(width, height)
            pages = window.page_names() if kind != "empty" else window.page_names()[:1]
            for page in pages:
                window.show_page(page)
                QTest.qWait(30)
                QTest.qWait(120)  # a chart is made in the first turn and drawn in the next
                yield f"{kind}-{page}-{name}-{width}"


def main(target: Path) -> None:
    """Take all pictures."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    theme.apply(application, "dark")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for kind in KINDS:
            window = open_window(kind, Path(scratch))
            window.show()
            for name in pictures(window, kind):
                window.grab().save(str(target / f"{name}.png"))
            window.close()
            window.bridge.close()
            window.deleteLater()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ".screens"))
