"""nvcc for sources that NVRTC cannot take: those with host code. It needs the machine's C++ compiler."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from plugins.cuda.nvrtc import PROGRAM_NAME, Built
from workbench.plugin_api import SourceText, write_includes

_RELEASE = re.compile(r"release (\d+)\.(\d+)")


class Nvcc:
    """An nvcc on this machine."""

    def __init__(self, path: str) -> None:
        self._path = path
        told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=60).stdout
        found = _RELEASE.search(told)
        self.version = (int(found[1]), int(found[2])) if found else (0, 0)

    def build(
        self, source: bytes, options: Sequence[str], instance: str | None, includes: Mapping[str, SourceText] | None = None
    ) -> Built:
        """Compile to a cubin. `instance` is a template kernel's full name, made to exist by taking its address; `includes` are
        headers of the project.

        The compiler's temporary folder is removed; names in the log are those of `NVRTC`.
        """
        tail = f'\n#line 1 "ledger"\nvoid (*ledger_instance)() = (void (*)())&{instance};\n' if instance else ""
        with tempfile.TemporaryDirectory(prefix="kernel-ledger-") as folder:
            home, searched = write_includes(Path(folder, "source"), includes or {})
            program, binary = home / PROGRAM_NAME, home / "kernel.cubin"
            program.write_bytes(source + tail.encode())
            given = [*options, *(f"-I{place}" for place in searched)]
            command = [self._path, "-cubin", "-Xptxas=-v", *given, "-o", binary.name, PROGRAM_NAME]
            done = subprocess.run(command, cwd=home, capture_output=True, check=False, stdin=subprocess.DEVNULL)
            log = (done.stdout + done.stderr).decode(errors="replace")
            if done.returncode != 0 or not binary.is_file():
                return Built(b"", log)
            return Built(binary.read_bytes(), log)


def find_nvcc() -> Nvcc | None:
    """Return the nvcc on the PATH or in the usual folder, None where there is none."""
    path = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    return Nvcc(path) if path else None
