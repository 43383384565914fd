import asyncio

from PySide6.QtWidgets import QApplication

class QEventLoop(asyncio.SelectorEventLoop):
    def __init__(self, app: QApplication | None = ...) -> None: ...
