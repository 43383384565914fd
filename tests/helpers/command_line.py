"""The real `kernel-ledger` program as a process, for tests that read what it prints and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.helpers.projects import TOML
from workbench.worker.arena import PREFIX

PROGRAM = (sys.executable, "-c", "from workbench.cli import main; main()")
LIMIT = 120.0
QUICK = TOML.replace("rounds = 10\nrepeats = 2", "rounds = 4\nrepeats = 1") + "[timing]\ngroups = 1\nwarmup = 1\n"
"""Few rounds in one process: what is timed is nothing that a test looks at."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def sentence(self) -> str:
        """The last line on standard error; what stands before it is progress."""
        assert "Traceback" not in self.err, self.err
        return self.err.strip().rpartition("\n")[2]


@dataclass(frozen=True)
class Walked:
    """A project whose baseline and one candidate were run by the program; `run` is how the candidate's run ended."""

    folder: Path
    session: Path
    run: Done


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Return this process's environment with bytecode kept in the session's cache, changed; None removes a variable."""
    root = str(Path(__file__).resolve().parents[2])
    found = {**os.environ, "PYTHONPATH": root, "PYTHONPYCACHEPREFIX": os.environ["KERNEL_LEDGER_CACHE"] + "/pycache"}
    for name in ("PYTHONDONTWRITEBYTECODE", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "COLUMNS"):
        found.pop(name, None)
    for name, value in (changes or {}).items():
        found.pop(name, None)
        if value is not None:
            found[name] = value
    return found


def ledger(
    *words: object,
    change: Mapping[str, str | None] | None = None,
    program: Sequence[str] = PROGRAM,
    limit: float = LIMIT,
) -> Done:
    """Run the program with these words to its end, which must come within `limit` seconds."""
    done = subprocess.run(
        [*program, *map(str, words)],
        env=environment(change),
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=limit,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def python(code: str) -> str:
    """Run a few lines in the program's environment and return what they print."""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


class Started:
    """The program while it runs; `folder` takes what it prints."""

    def __init__(self, folder: Path, *words: object) -> None:
        self._out, self._err = folder / "out.txt", folder / "err.txt"
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [*PROGRAM, *map(str, words)], env=environment(), stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip

    def wait_for(self, words: str) -> None:
        """Wait until it has said this on standard error."""
        deadline = time.monotonic() + LIMIT
        while words not in self._err.read_text(encoding="utf-8"):
            assert self.process.poll() is None, self._err.read_text(encoding="utf-8")
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def wait_for_children(self, count: int) -> list[psutil.Process]:
        """Wait until it has this many child processes, each in its arena, and return them all, grandchildren too."""
        deadline = time.monotonic() + LIMIT
        while True:
            found = psutil.Process(self.process.pid).children(recursive=True)
            if len(found) >= count and all(_is_in_arena(child) for child in found):
                return found
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def wait_for_kernel(self) -> None:
        """Wait until a kernel runs on the emulator: meanwhile its process may open no file."""
        deadline = time.monotonic() + LIMIT
        while not any(child.rlimit(psutil.RLIMIT_NOFILE)[0] == 0 for child in self.wait_for_children(2)):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def end(self, number: signal.Signals) -> Done:
        """Send it a signal and wait for its end."""
        self.process.send_signal(number)
        code = self.process.wait(LIMIT)
        return Done(code, self._out.read_text(encoding="utf-8"), self._err.read_text(encoding="utf-8"))


def _is_in_arena(child: psutil.Process) -> bool:
    """Tell whether it has left the program's own folder: between fork and exec a child still stands there."""
    try:
        return Path(child.cwd()).name.startswith(PREFIX)
    except psutil.Error:
        return False


def alive_after(processes: list[psutil.Process], seconds: float = 15.0) -> list[psutil.Process]:
    """Return those of the processes that still run after this time at the latest."""
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return [process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
