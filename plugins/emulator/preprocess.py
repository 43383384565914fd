"""First pass: the kernel's own macros and conditions are resolved, every header is empty, every line keeps its number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plugins.emulator.diagnostics import USER_FILE, compile_failed, missing_header
from plugins.emulator.headers import write_stubs
from plugins.emulator.source_lines import unify_line_ends
from plugins.emulator.toolchain import Toolchain
from workbench.plugin_api import Failure, Fault, SourceLine, message

_MARKER = re.compile(r'^#\s*(?:line\s+)?(?P<line>\d+)\s+"(?P<file>(?:\\.|[^"\\])*)"(?P<flags>[\s\d]*)$')
DEFAULT_ARCH = 700
"""`__CUDA_ARCH__` where no target is named: sm_70 has independent thread scheduling and none of the assembly-only features."""

STANDARD = "c++17"
"""Of C++, where the project names none or an older one."""
_DEFINES = (
    "__CUDACC__", "__NVCC__", "__CUDACC_VER_MAJOR__=12", "__CUDACC_VER_MINOR__=0", "CUDART_VERSION=12000", "CUDA_VERSION=12000",
    "KERNEL_LEDGER_EMULATOR",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What a project's compiler options mean here."""

    standard: str = STANDARD
    defines: tuple[str, ...] = ()
    arch: int = DEFAULT_ARCH
    fused: bool = True
    """Multiply and add contracted to one operation, nvcc's -fmad=true."""
    fast: bool = False
    """nvcc's -use_fast_math: functions and divisions of float mean their less exact forms."""
    flush: bool = False
    """Denormals count as zero, nvcc's -ftz=true."""
    ignored: tuple[str, ...] = ()


def read_options(given: Sequence[str]) -> Options:
    """Return the meaning of nvcc or NVRTC options; those that mean nothing on a CPU are named in `ignored`."""
    standard, arch = STANDARD, DEFAULT_ARCH
    defines, ignored = [], []
    switches = {"fmad": True, "fast": False, "ftz": False}
    for option in given:
        if found := re.fullmatch(r"--?std=(c\+\+\d\w)", option):
            standard = max(found[1], STANDARD)
        elif re.fullmatch(r"-[DU]\w+(\(\w*\))?(=.*)?", option, re.DOTALL):
            defines.append(option)
        elif found := re.fullmatch(r"(?:--gpu-architecture|-arch)=(?:sm|compute)_(\d+)a?", option):
            arch = int(found[1]) * 10
        elif found := re.fullmatch(r"--?(fmad|ftz|prec-div|prec-sqrt)=(true|false)", option):
            switches[found[1]] = found[2] == "true"
        elif re.fullmatch(r"--?use_fast_math", option):
            switches |= {"fast": True, "ftz": True}
        else:
            ignored.append(option)
    return Options(standard, tuple(defines), arch, switches["fmad"], switches["fast"], switches["ftz"], tuple(ignored))


def expand(toolchain: Toolchain, text: str, options: Options, work: Path, *, stubs: Path, name: str) -> str:
    """Return the source after its own preprocessing, line for line. Raises Fault(CompileFailed | NotSupported)."""
    (work / USER_FILE).write_text(unify_line_ends(text), encoding="utf-8", newline="\n")
    defines = [f"-D{define}" for define in (*_DEFINES, f"__CUDA_ARCH__={options.arch}")]
    arguments = ["-E", "-x", "c++", f"-std={options.standard}", "-nostdinc", "-w", "-I", str(write_stubs(stubs)), *defines]
    done = toolchain.run([*arguments, *options.defines, USER_FILE], work)
    if done.returncode != 0:
        raise missing_header(done.stderr, name) or compile_failed(done.stderr, name)
    return "".join(_own_lines(done.stdout, stubs))


def _own_lines(output: str, stubs: Path) -> Iterator[str]:
    """Yield the lines of the kernel's file, padded so that each stands at its number."""
    depth, now = 0, 1
    for line in output.split("\n"):
        marker = _MARKER.match(line)
        if marker is None:
            if depth == 0:
                yield line + "\n"
                now += 1
            continue
        flags = marker["flags"].split()
        if "1" in flags and not marker["file"].startswith("<"):
            _check_included(marker["file"], stubs, now)
            depth += 1
        elif "2" in flags:
            depth = max(0, depth - 1)
        elif marker["file"].startswith("<") or marker["file"] != USER_FILE:
            continue
        if depth == 0 and marker["file"] == USER_FILE:
            wanted = int(marker["line"])
            yield "\n" * max(0, wanted - now)
            now = max(now, wanted)


def _check_included(file: str, stubs: Path, line: int) -> None:
    path = (
        file.encode().decode("unicode_escape").encode("latin-1", "replace").decode("utf-8", "replace") if "\\" in file else file
    )
    if Path(path).resolve().is_relative_to(stubs.resolve()):
        return
    sentence = message(
        "Line {line}: the emulator does not include {file}; only CUDA's and the standard headers.", line=line, file=path
    )
    raise Fault(Failure("NotSupported", sentence, (SourceLine(line, f"#include {path}"),)))
