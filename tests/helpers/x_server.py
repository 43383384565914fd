"""A real X server without a screen: Xvfb, and what is painted on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT = 1440, 900
_HEADER = ">25I"
"""XWDFile.h: header size, file version, pixmap format, depth, width, height ... in the order of the X server's words."""


class XServer:
    """An Xvfb that keeps its screen in a file, as `xwd` writes them."""

    def __init__(self, display: str, screen: Path) -> None:
        self.display = display
        self._screen = screen

    def pixels(self) -> npt.NDArray[np.uint32]:
        """Return the screen as (height, width) of 0x00RRGGBB."""
        data = self._screen.read_bytes()
        words = struct.unpack_from(_HEADER, data)
        size, width, height, row, colors = words[0], words[4], words[5], words[12], words[19]
        start = size + 12 * colors
        lines = np.frombuffer(data, dtype="<u4" if words[7] == 0 else ">u4", count=height * row // 4, offset=start)
        return lines.reshape(height, row // 4)[:, :width].astype(np.uint32) & np.uint32(0xFFFFFF)


def is_there() -> bool:
    """Return whether Xvfb is installed."""
    return shutil.which("Xvfb") is not None


@contextlib.contextmanager
def x_server(folder: Path) -> Iterator[XServer]:
    """Start Xvfb on a free display; it has ended when the block is left."""
    readable, writable = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writable), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", str(folder), "-nolisten", "tcp"],
        pass_fds=[writable],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writable)
    try:
        with os.fdopen(readable) as said:
            number = said.readline().strip()
        assert number, "Xvfb did not start"
        yield XServer(f":{number}", folder / "Xvfb_screen0")
    finally:
        server.terminate()
        server.wait(30)
