"""First pass: the kernel's own macros and conditions are resolved, every header is empty, every line keeps its number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plugins.emulator.diagnostics import USER_FILE, compile_failed
from plugins.emulator.headers import Absent, write_named_stubs, write_stubs
from plugins.emulator.source_lines import unify_line_ends
from plugins.emulator.toolchain import Toolchain
from workbench.plugin_api import Code, Failure, Fault, SourceLine, message, write_includes

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
    ignored: tuple[str, ...] = ()
    fast: bool = False
    """nvcc's -use_fast_math: functions and divisions of float mean their less exact forms."""
    flush: bool = False
    """Denormals count as zero, nvcc's -ftz=true."""


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
        elif re.fullmatch(r"(?:-I|--include-path=).+", option):
            continue  # the headers found there are the version's own
        elif re.fullmatch(r"--?use_fast_math", option):
            switches |= {"fast": True, "ftz": True}
        else:
            ignored.append(option)
    return Options(standard, tuple(defines), arch, switches["fmad"], tuple(ignored), switches["fast"], switches["ftz"])


@dataclass(frozen=True)
class Places:
    """Where the first pass finds headers: empty ones that stand for CUDA's and C++'s, and the project's own."""

    empty: tuple[Path, ...]
    own: tuple[Path, ...]
    home: Path
    """The folder of the source."""
    stand_ins: Path
    """Below it lie empty headers in the place of those that nobody has."""
    absent: Mapping[Path, Absent]
    """Of those, the ones that are not CUDA's or C++'s either."""

    def absent_at(self, file: Path) -> Absent | None:
        """Return the header that nobody has and that a (resolved) file stands for."""
        return next((absent for stub, absent in self.absent.items() if stub.resolve() == file), None)


@dataclass(frozen=True)
class Expanded:
    """A source after its own preprocessing. `absent`: line and name of the headers that nobody has, taken as empty."""

    text: str
    absent: tuple[tuple[int, str], ...] = ()


def expand(toolchain: Toolchain, code: Code, options: Options, work: Path, *, stubs: Path, name: str) -> Expanded:
    """Return the source after its own preprocessing, line for line, each header of the project on the line that includes it.

    Raises Fault(CompileFailed | NotSupported).
    """
    home, own = write_includes(work / "own", code.includes)
    (home / USER_FILE).write_text(unify_line_ends(code.source.text), encoding="utf-8", newline="\n")
    every = "\n".join((code.source.text, *(header.text for header in code.includes.values())))
    named, absent = write_named_stubs(every, work / "named")
    places = Places((write_stubs(stubs), named), tuple(own), home, work / "named", absent)
    defines = [f"-D{define}" for define in (*_DEFINES, f"__CUDA_ARCH__={options.arch}")]
    folders = [part for folder in (*places.own, *places.empty) for part in ("-I", str(folder))]
    arguments = ["-E", "-x", "c++", f"-std={options.standard}", "-nostdinc", "-w", *folders, *defines]
    done = toolchain.run([*arguments, *options.defines, USER_FILE], home)
    if done.returncode != 0:
        raise compile_failed(done.stderr, name)
    met: dict[tuple[int, str], None] = {}
    text = "".join(_own_lines(done.stdout, places, met))
    return Expanded(text, tuple(met))


def _own_lines(output: str, places: Places, met: dict[tuple[int, str], None]) -> Iterator[str]:
    """Yield the lines of the kernel's file, padded so that each stands at its number.

    Line and name of each header that nobody has go into `met`. Raises what `_is_own` and `_absent` raise.
    """
    now = 1
    kept: list[bool] = []  # of the headers around the line: whether each is the project's own
    for line in output.split("\n"):
        marker = _MARKER.match(line)
        if marker is None:
            if not kept:
                yield line + "\n"
                now += 1
            elif all(kept) and not line.startswith("#"):
                yield f" {line.strip()}" if line.strip() else ""
            continue
        flags = marker["flags"].split()
        if "1" in flags and not marker["file"].startswith("<"):
            if (absent := _absent(marker["file"], places, now)) is not None:
                met[now, absent] = None
            kept.append(_is_own(marker["file"], places, now))
        elif "2" in flags:
            kept = kept[:-1]
        elif marker["file"].startswith("<") or marker["file"] != USER_FILE:
            continue
        if not kept and marker["file"] == USER_FILE:
            wanted = int(marker["line"])
            yield "\n" * max(0, wanted - now)
            now = max(now, wanted)


def _is_own(file: str, places: Places, line: int) -> bool:
    """Tell a header of the project from an empty one. Raises Fault(NotSupported) for any other file."""
    path = _unescaped(file)
    found = (places.home / path).resolve()
    if any(found.is_relative_to(folder.resolve()) for folder in (*places.empty, places.stand_ins)):
        return False
    if any(found.is_relative_to(folder.resolve()) for folder in places.own):
        return True
    sentence = message(
        "Line {line}: the emulator does not include {file}; only CUDA's and the standard headers, and those of the project.",
        line=line,
        file=path,
    )
    raise Fault(Failure("NotSupported", sentence, (SourceLine(line, f"#include {path}"),)))


def _unescaped(file: str) -> str:
    """Return the path of a line marker, whose wide characters may be written as octal bytes."""
    if "\\" not in file:
        return file
    return file.encode().decode("unicode_escape").encode("latin-1", "replace").decode("utf-8", "replace")


def _absent(file: str, places: Places, line: int) -> str | None:
    """Return the name of the header that nobody has and that a file stands for. Raises Fault(CompileFailed) for one in quotes."""
    absent = places.absent_at((places.home / _unescaped(file)).resolve())
    if absent is not None and absent.quoted:
        raise _not_found(absent.name, line)
    return absent.name if absent is not None else None


def _not_found(header: str, line: int) -> Fault:
    sentence = message(
        'Line {line}: the header "{header}" lies neither beside the source nor in the project; put it there, or take this line '
        "out if the kernel needs nothing from it.",
        line=line, header=header,
    )  # fmt: skip
    return Fault(Failure("CompileFailed", sentence, (SourceLine(line, f'#include "{header}"'),)))
