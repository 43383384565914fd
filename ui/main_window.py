"""The window: docks, tabs and menus only. What they show is in `ui.panels`, what they do in `ui.dialogs.verbs`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSizePolicy, QTabWidget, QVBoxLayout, QWidget

from ui import theme
from ui.actions import Actions
from ui.bridge import Bridge
from ui.dialogs.command_palette import CommandPalette
from ui.dialogs.verbs import Verbs
from ui.notices import Notice
from ui.panels import PAGES
from ui.panels.environment import EnvironmentPanel
from ui.panels.gpu import GpuPanel
from ui.panels.jobs import JobsPanel
from ui.panels.log import LogPanel
from ui.panels.proof import ProofPanel
from ui.panels.selection import SelectionPanel
from ui.panels.versions import VersionsPanel
from ui.widgets.dock import Dock
from ui.widgets.lazy_page import LazyPage
from ui.widgets.menus import draw_icons
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.status_line import StatusLine
from ui.widgets.top_bar import TopBar
from workbench.paths import config_folder
from workbench.texts import message, tr

FOLD_BELOW = 1440
"""Width in px under which the right docks fold away until the user asks for them."""
_SIZE = QSize(1440, 900)
"""Of a new window, px, where the screen has room for it."""
_LEFT, _RIGHT, _BOTTOM = 300, 320, 150
_LAYOUT, _IDLE_MS = 1, 150


class MainWindow(QMainWindow):
    """Everything the user sees. `closed` is emitted once, after the layout was kept."""

    closed = Signal()

    def __init__(self, bridge: Bridge, settings: QSettings | None = None) -> None:
        super().__init__()
        self.bridge = bridge
        self._settings = settings or QSettings(str(config_folder() / "window.ini"), QSettings.Format.IniFormat)
        self._layout_of = ""
        self._folded: bool | None = None
        self.setObjectName("main")
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.verbs = Verbs(bridge, self)
        self.actions_ = Actions(bridge, dict(self.verbs.handlers()) | dict(self._own_handlers()), self)
        self.addActions(list(self.actions_.all()))
        draw_icons(self.actions_)
        self._build()
        self._listen()
        self.resize(_SIZE.boundedTo(QApplication.primaryScreen().availableSize()))
        self._show_title()
        self.pages.setFocus()
        self._idle = QTimer(self, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(self._build_next_page)
        self._idle.start()

    def _own_handlers(self) -> Mapping[str, Callable[[], None]]:
        pages = {f"page_{name}": partial(self.show_page, name) for name in PAGES}
        themes = {f"theme_{choice}": partial(self.wear, choice) for choice in theme.CHOICES}
        own: dict[str, Callable[[], None]] = {
            "quit": self._quit,
            "palette": self._open_palette,
            "toggle_left": self._toggle_left,
            "toggle_right": self._toggle_right,
            "toggle_log": self._toggle_log,
        }
        return own | pages | themes

    def _build(self) -> None:
        bridge = self.bridge
        self.bar = TopBar(bridge, self.actions_, self)
        self.setMenuWidget(self.bar)
        centre = QWidget()
        centre.setObjectName("centre")
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.notices = NoticeBar()
        self.pages = self._make_pages()
        column.addWidget(self.notices)
        column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self._add_docks()
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        status.addWidget(StatusLine(bridge, self.actions_), 1)
        self.palette_ = CommandPalette(bridge, self.actions_, self)
        self.palette_.stand_over(self.bar.field)

    def _make_pages(self) -> QTabWidget:
        bridge, pages = self.bridge, QTabWidget()
        pages.setDocumentMode(True)
        pages.setAccessibleName(tr("Pages"))
        pages.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        pages.tabBar().setExpanding(False)
        pages.tabBar().setDrawBase(False)
        for make, title in PAGES.values():
            pages.addTab(LazyPage(partial(make, bridge)), tr(title))
        return pages

    def _add_docks(self) -> None:
        bridge = self.bridge
        left, right, bottom = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea,
                               Qt.DockWidgetArea.BottomDockWidgetArea)  # fmt: skip
        self.left = self._docked(left, VersionsPanel(bridge), JobsPanel(bridge))
        self.right = self._docked(right, SelectionPanel(bridge), ProofPanel(bridge), GpuPanel(bridge), EnvironmentPanel(bridge))
        (self.log,) = self._docked(bottom, LogPanel(bridge))
        self.selection = self.right[0]
        self.selection.hide()
        self.log.hide()
        self.resizeDocks([self.left[0], self.right[1]], [_LEFT, _RIGHT], Qt.Orientation.Horizontal)
        self.resizeDocks(list(self.left), [600, 170], Qt.Orientation.Vertical)
        self.resizeDocks(list(self.right), [200, 420, 160, 210], Qt.Orientation.Vertical)
        self.resizeDocks([self.log], [_BOTTOM], Qt.Orientation.Vertical)

    def _docked(self, area: Qt.DockWidgetArea, *panels: QWidget) -> tuple[Dock, ...]:
        docks = tuple(Dock(panel, self) for panel in panels)
        for dock in docks:
            self.addDockWidget(area, dock)
        return docks

    def _listen(self) -> None:
        bridge = self.bridge
        bridge.notice_posted.connect(self._show_notice)
        bridge.page_requested.connect(self.show_page)
        bridge.session_changed.connect(self._session_changed)
        bridge.session_changed.connect(self._count_reviews)
        bridge.theme_changed.connect(self._draw_icons)
        self.pages.currentChanged.connect(self._page_changed)
        self._count_reviews()

    def _build_next_page(self) -> None:
        """Make one page that was not looked at yet, while the window is idle."""
        waiting = [page for page in self.pages.findChildren(LazyPage) if not page.is_built()]
        if waiting:
            waiting[0].build()
            self._idle.start()

    def page_names(self) -> tuple[str, ...]:
        """Return the pages, from the left."""
        return tuple(PAGES)

    def page_name(self) -> str:
        """Return the page in front."""
        return list(PAGES)[self.pages.currentIndex()]

    def show_page(self, name: str) -> None:
        """Bring a page to the front and give it the keyboard."""
        self.pages.setCurrentIndex(list(PAGES).index(name))
        self.pages.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_notice(self, notice: object) -> None:
        if isinstance(notice, Notice):
            self.notices.show_notice(notice)

    def _page_changed(self) -> None:
        on_timeline = self.page_name() == "timeline"
        self.selection.setVisible(on_timeline and self._right_shown())

    def _open_palette(self) -> None:
        self.palette_.open()

    def _quit(self) -> None:
        self.close()

    def _right_shown(self) -> bool:
        return any(not dock.isHidden() for dock in self.right[1:])

    def _toggle_left(self) -> None:
        _show(self.left, all(dock.isHidden() for dock in self.left))

    def _toggle_right(self) -> None:
        _show(self.right[1:], not self._right_shown())
        self._page_changed()

    def _toggle_log(self) -> None:
        self.log.setVisible(self.log.isHidden())

    def wear(self, choice: theme.Choice) -> None:
        """Change the theme, and remember it."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            theme.apply(application, choice)
            self._settings.setValue("theme", choice)
            self.bridge.announce_theme()

    def _draw_icons(self) -> None:
        draw_icons(self.actions_)

    def _show_title(self) -> None:
        view = self.bridge.workspace.session.value
        name = view.project.name if view and view.project else ""
        self.setWindowTitle(str(message("{name} — Kernel ledger", name=name)) if name else "Kernel ledger")

    def _count_reviews(self) -> None:
        view = self.bridge.workspace.session.value
        waiting = sum(item.decision == "in review" for item in view.suggestions) if view else 0
        title = message("Review {count}", count=waiting) if waiting else message("Review")
        self.pages.setTabText(list(PAGES).index("review"), str(title))

    def _session_changed(self) -> None:
        self._show_title()
        view = self.bridge.workspace.session.value
        path = view.path if view else ""
        if path and path != self._layout_of:
            self._keep_layout()
            self._layout_of = path
            self._restore_layout()

    def _group(self) -> str:
        return "layout-" + hashlib.sha256(self._layout_of.encode()).hexdigest()[:16]

    def _keep_layout(self) -> None:
        if self._layout_of:
            self._settings.setValue(f"{self._group()}/state", self.saveState(_LAYOUT))
            self._settings.setValue(f"{self._group()}/page", self.page_name())
            self._settings.setValue(f"{self._group()}/geometry", self.saveGeometry())
            self._settings.sync()

    def _restore_layout(self) -> None:
        state = self._settings.value(f"{self._group()}/state")
        if isinstance(state, QByteArray) and self.restoreState(state, _LAYOUT):
            page = self._settings.value(f"{self._group()}/page")
            self.show_page(str(page) if page in PAGES else "editor")
            self._page_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold the right docks away when the window becomes narrow, and bring them back when it grows."""
        super().resizeEvent(event)
        narrow = self.width() < FOLD_BELOW
        if narrow != self._folded:
            self._folded = narrow
            _show(self.right[1:], not narrow)
            self._page_changed()
        self.palette_.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the layout and say that the window is gone."""
        self._keep_layout()
        self._layout_of = ""
        super().closeEvent(event)
        self.closed.emit()


def _show(docks: tuple[Dock, ...], visible: bool) -> None:
    for dock in docks:
        dock.setVisible(visible)
