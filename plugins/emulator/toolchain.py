"""The C++ compiler that stands in for nvcc: which one there is, and how it is called."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench.plugin_api import Message, cache_folder, message

Family = Literal["gcc", "clang", "zig"]
TIME_LIMIT = 300.0
"""Seconds one call of the compiler may take; the worker's own limit is usually shorter."""

NO_COMPILER = (
    "The emulator needs a C++ compiler and found none: install g++ or clang++ (Debian: apt install g++), or run "
    "pip install ziglang, then look for devices again."
)


@dataclass(frozen=True)
class Toolchain:
    """A C++ compiler: its command line so far, its family and the first line of `--version`."""

    command: tuple[str, ...]
    family: Family
    version: str

    @property
    def c_library(self) -> tuple[str, ...]:
        """What links a library with the C library and nothing of C++.

        zig would first build libc++, libc++abi and libunwind from their sources into its cache, which takes minutes.
        """
        return ("-nostdlib", "-lc", "-lm") if self.family == "zig" else ("-lm",)

    @property
    def mathematics(self) -> tuple[str, ...]:
        """What binds a kernel to libm's own versions of its functions.

        Without it glibc's loader takes the oldest version of an unversioned name: `powf` is then a wrapper that sets errno.
        """
        return ("-Wl,--as-needed", "-lm") if self.family == "gcc" else ()

    def run(self, arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """Call the compiler in `folder` with next to no environment and limited memory and file size."""
        return subprocess.run(
            [*_limits(self.family), *self.command, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIME_LIMIT,
            check=False,
        )


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    zig = str(cache_folder() / "zig")
    return {**kept, "LC_ALL": "C", "ZIG_GLOBAL_CACHE_DIR": zig, "ZIG_LOCAL_CACHE_DIR": zig}


def _limits(family: Family) -> tuple[str, ...]:
    """Return a prefix that limits the compiler's memory (zig maps far more than it uses: not there) and its files."""
    shell = shutil.which("sh")
    if shell is None:
        return ()
    memory = "" if family == "zig" else "ulimit -v 8388608; "
    return (shell, "-c", f'{memory}ulimit -f 2097152; exec "$@"', "compiler")


def _say_version(command: tuple[str, ...]) -> str | None:
    """Return what a compiler says when it is asked for its version, None when it does not run."""
    try:
        asked = subprocess.run(
            command,
            env=_environment(),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout.strip() if asked.returncode == 0 and asked.stdout.strip() else None


def _toolchain(command: tuple[str, ...]) -> Toolchain | None:
    version = _say_version((*command, "--version"))
    if version is None:
        return None
    family: Family = "clang" if "clang" in version.lower() else "gcc"
    return Toolchain(command, "zig" if Path(command[0]).stem == "zig" else family, version.splitlines()[0].strip())


def _candidates() -> list[tuple[str, ...]]:
    found = []
    if os.environ.get("CXX"):
        found.append(tuple(shlex.split(os.environ["CXX"])))
    return found + [(path,) for name in ("g++", "clang++") if (path := shutil.which(name))]


def find_toolchain() -> Toolchain | None:
    """Return the compiler to use: `$CXX`, g++, clang++, else the ziglang wheel; None when there is none."""
    for command in _candidates():
        if found := _toolchain(command):
            return found
    zig = _zig_of_the_wheel()
    version = _say_version((str(zig), "version")) if zig is not None else None
    return Toolchain((str(zig), "c++", "-fno-sanitize=undefined"), "zig", f"zig {version}") if version else None


def _zig_of_the_wheel() -> Path | None:
    """Return the program inside the `ziglang` wheel; called directly, since the wheel's module only starts it."""
    wheel = importlib.util.find_spec("ziglang")
    if wheel is None or wheel.origin is None:
        return None
    program = Path(wheel.origin).with_name("zig.exe" if sys.platform == "win32" else "zig")
    return program if program.exists() else None


def why_unavailable(toolchain: Toolchain | None) -> Message | None:
    """Return why kernels cannot be emulated on this machine, None when they can."""
    if not sys.platform.startswith("linux"):
        return message("The emulator runs on Linux only so far; on {system} use a CUDA device.", system=platform.system())
    return message(NO_COMPILER) if toolchain is None else None


def processor() -> str:
    """Return what decides the machine code of `-march=native`: the processor's name and features."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    wanted = re.findall(r"^(?:model name|flags|Features|CPU part)\s*:\s*(.*)$", text.split("\n\n", 1)[0], re.MULTILINE)
    return " ".join([platform.machine(), *wanted])


def cores() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
