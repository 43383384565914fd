"""Started by `tests.speed.start`: opens the program's window, or a bare one, and says when it was painted.

python -m tests.speed.first_paint program|bare SECONDS   (seconds since the epoch when the process was started)
"""

from __future__ import annotations

import sys
import time


def _say(started: float) -> None:
    sys.stdout.write(f"{time.time() - started} {time.process_time()}\n")
    sys.stdout.flush()


def program(started: float) -> None:
    """Open the window as the command line does, and close it after its first paint."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QPaintEvent

    from ui import __main__ as entry
    from ui.main_window import MainWindow
    from workbench.cli import open_window

    class Watched(MainWindow):
        """Says when it is painted for the first time."""

        said = False

        def paintEvent(self, event: QPaintEvent) -> None:
            """Paint, and close soon after."""
            super().paintEvent(event)
            if not self.said:
                self.said = True
                _say(started)
                QTimer.singleShot(0, self.close)

    vars(entry)["MainWindow"] = Watched
    open_window(None)


def bare(started: float) -> None:
    """Open Qt's own main window with a text in it: what no window of this kind can be quicker than."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit

    class Watched(QMainWindow):
        """Says when it is painted for the first time."""

        def paintEvent(self, event: QPaintEvent) -> None:
            """Paint, and close soon after."""
            super().paintEvent(event)
            _say(started)
            QTimer.singleShot(0, self.close)

    application = QApplication([])
    window = Watched()
    window.setCentralWidget(QPlainTextEdit("text"))
    window.resize(1440, 900)
    window.show()
    application.exec()


if __name__ == "__main__":
    {"program": program, "bare": bare}[sys.argv[1]](float(sys.argv[2]))
