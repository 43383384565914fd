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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
CXX_FAILED = (
    "The emulator needs a C++ compiler and found none, and “{command}”, which $CXX names, does not run: install g++ or clang++ "
    "(Debian: apt install g++), or run pip install ziglang, then look for devices again."
)
PASSED_OVER = (
    "$CXX names “{command}”, which gave no version but “{said}”, so kernels are compiled with {taken}; name a C++ compiler "
    "that runs, or unset CXX."
)


@dataclass(frozen=True)
class Toolchain:
    """A C++ compiler: its command line so far, its family and the first line of `--version`."""

    command: tuple[str, ...]
    family: Family
    version: str
    remark: Message | None = None
    """Why `$CXX` was passed over."""

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


def _ask(command: tuple[str, ...]) -> tuple[bool, str]:
    """Return whether a program did what it was asked, and what it said, or what came of it instead."""
    try:
        asked = subprocess.run(
            command,
            env={**_environment(), "HOME": os.environ.get("HOME", "")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, str(getattr(error, "strerror", None) or error)
    worked = asked.returncode == 0 and bool(asked.stdout.strip())
    said = (asked.stdout if worked else asked.stderr or asked.stdout).strip()
    return worked, said or f"[{asked.returncode}]"


def _toolchain(words: tuple[str, ...]) -> Toolchain | str:
    """Return the compiler that a command line starts, or what it said instead of its version."""
    worked, command = _without_python(words)
    if not worked:
        return command[0]
    if "zig" not in Path(command[0]).stem.lower():
        worked, said = _ask((*command, "--version"))
        return Toolchain(command, "clang" if "clang" in said.lower() else "gcc", _first_line(said)) if worked else said
    of_zig = "c++" in command[1:2]
    worked, said = _ask((command[0], "version") if of_zig else (*command, "--version"))
    version = f"zig {_first_line(said)}" if of_zig else _first_line(said)
    return Toolchain((*command, "-fno-sanitize=undefined"), "zig", version) if worked else said


def _without_python(words: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """Return `python -m ziglang c++` as the program that it starts, or (False, what Python said); other words as they are.

    Started through Python it would be known neither by its name nor in the bare environment of a compile.
    """
    if "python" not in Path(words[0]).stem.lower() or words[1:3] != ("-m", "ziglang"):
        return True, words
    worked, said = _ask((words[0], "-c", "import ziglang; print(ziglang.__file__)"))
    return (True, (str(_zig_beside(Path(said))), *words[3:])) if worked else (False, (said,))


def _first_line(text: str) -> str:
    return text.splitlines()[0].strip()


def _named_by_cxx() -> tuple[str, ...]:
    text = os.environ.get("CXX", "")
    try:
        return tuple(shlex.split(text))
    except ValueError:  # a quotation that never ends
        return (text,)


def find_toolchain() -> Toolchain | None:
    """Return the compiler to use: `$CXX`, g++, clang++, else the ziglang wheel; None when there is none."""
    named = _named_by_cxx()
    found = _toolchain(named) if named else None
    if isinstance(found, Toolchain):
        return found
    taken = next((one for one in map(_toolchain, _candidates()) if isinstance(one, Toolchain)), None)
    if taken is None or found is None:
        return taken
    sentence = message(PASSED_OVER, command=" ".join(named), said=found.splitlines()[-1], taken=taken.version)
    return replace(taken, remark=sentence)


def _candidates() -> Iterator[tuple[str, ...]]:
    yield from ((path,) for name in ("g++", "clang++") if (path := shutil.which(name)))
    if zig := _zig_of_the_wheel():
        yield str(zig), "c++"


def _zig_of_the_wheel() -> Path | None:
    """Return the program inside the `ziglang` wheel; called directly, since the wheel's module only starts it."""
    wheel = importlib.util.find_spec("ziglang")
    if wheel is None or wheel.origin is None:
        return None
    program = _zig_beside(Path(wheel.origin))
    return program if program.exists() else None


def _zig_beside(module: Path) -> Path:
    return module.with_name("zig.exe" if sys.platform == "win32" else "zig")


def why_unavailable(toolchain: Toolchain | None) -> Message | None:
    """Return why kernels cannot be emulated on this machine, None when they can."""
    if not sys.platform.startswith("linux"):
        return message("The emulator runs on Linux only so far; on {system} use a CUDA device.", system=platform.system())
    if toolchain is not None:
        return None
    named = _named_by_cxx()
    return message(CXX_FAILED, command=" ".join(named)) if named else message(NO_COMPILER)


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
