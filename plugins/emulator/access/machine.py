"""What NVIDIA's compiler makes of a kernel, built without a GPU: NVRTC or nvcc for PTX, nvdisasm for SASS.

The emulator has only the source. How wide its accesses are, how often a loop is unrolled and what is hoisted out of it is the
compiler's choice: its own list of accesses says it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from plugins.emulator.access.ptx import MachineAccess, entries, read_ptx
from plugins.emulator.access.sass import read_sass
from workbench.plugin_api import Code, Message, cache_folder, message

ARCHITECTURE = "sm_90"
SOURCE = "kernel.cu"
LIMIT = 120.0
"""Seconds that one call of a compiler may take."""
NEEDED = message(
    "The widths of the machine's accesses are not known here, so every line is source-level: run pip install "
    "'kernel-ledger[compile]' for NVIDIA's compiler, which needs no GPU."
)


class Machine(msgspec.Struct, frozen=True):
    """The compiler's accesses. `sass` is None without nvdisasm; `title` says what they are, empty when `reason` says why not."""

    title: str = ""
    ptx: tuple[MachineAccess, ...] = ()
    sass: tuple[MachineAccess, ...] | None = None
    reason: Message | None = None


@dataclass(frozen=True)
class _Build:
    ptx: str
    cubin: bytes


def read_machine(code: Code) -> Machine:
    """Return the compiler's list of accesses for a version, from the cache when it is there."""
    compilers = [maker for maker in (_nvrtc_title(), _nvcc_title()) if maker]
    if not compilers:
        return Machine(reason=NEEDED)
    key = hashlib.sha256(f"{code.hash}\0{compilers}\0{_disassembler()}\0{_own_text()}".encode()).hexdigest()[:32]
    kept = cache_folder() / "machine" / f"{key}.json"
    try:
        return msgspec.json.decode(kept.read_bytes(), type=Machine)
    except (OSError, msgspec.MsgspecError):
        machine = _make(code)
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_suffix(f".{hashlib.sha256(str(id(machine)).encode()).hexdigest()[:8]}")
    part.write_bytes(msgspec.json.encode(machine))
    part.replace(kept)
    return machine


def _own_text() -> str:
    return hashlib.sha256(b"".join(Path(__file__).with_name(name).read_bytes() for name in ("ptx.py", "sass.py"))).hexdigest()


def _make(code: Code) -> Machine:
    said = ""
    for title, build in ((_nvrtc_title(), _with_nvrtc), (_nvcc_title(), _with_nvcc)):
        if not title:
            continue
        made, said = build(code)
        if made is None:
            continue
        entry = _symbol(made.ptx, code)
        if entry is None:
            continue
        sass = _disassemble(made.cubin)
        lists = tuple(read_ptx(made.ptx, entry, SOURCE))
        words = "PTX and SASS" if sass is not None else "PTX"
        known = None if sass is None else tuple(read_sass(sass, entry, SOURCE))
        return Machine(f"{words} of {_architecture(code)}, {title}", lists, known)
    return Machine(
        reason=message(
            "NVIDIA's compiler does not take this source, so every line is source-level: {reason}.",
            reason=_first_error(said) or "it has no kernel of that name",
        )
    )


def _first_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if any(word in line.lower() for word in ("error", "nvcc fatal"))]
    return lines[0].rstrip(".") if lines else ""


def _architecture(code: Code) -> str:
    for option in code.options:
        if found := re.fullmatch(r"(?:--gpu-architecture|-arch)=(?:sm|compute)_(\d+a?)", option):
            return f"sm_{found[1]}"
    return ARCHITECTURE


def _options(code: Code) -> list[str]:
    """Return the project's own options without a choice of architecture, then ours."""
    own = [option for option in code.options if not option.startswith(("-arch", "--gpu-architecture"))]
    return [*own, f"-arch={_architecture(code)}", "-lineinfo"]


def _expression(code: Code) -> str:
    return f"{code.entry}<{', '.join(code.template)}>" if code.template else code.entry


def _symbol(ptx: str, code: Code) -> str | None:
    """Return the kernel's symbol: its name, or a mangled one that holds it (Itanium C++ ABI: length and name)."""
    there = entries(ptx)
    name = code.entry.split("::")[-1]
    if name in there:
        return name
    mangled = f"{len(name)}{name}"
    fitting = [symbol for symbol in there if mangled in symbol and (f"{mangled}I" in symbol) == bool(code.template)]
    return fitting[0] if len(fitting) == 1 else None


# --- compilers ---------------------------------------------------------------------------------------------------------


def _nvrtc_title() -> str:
    try:
        from cuda.bindings import nvrtc

        _, major, minor = nvrtc.nvrtcVersion()
    except (ImportError, RuntimeError, OSError):
        return ""
    return f"NVRTC {major}.{minor}"


def _with_nvrtc(code: Code) -> tuple[_Build | None, str]:
    from cuda.bindings import nvrtc

    texts = [header.text.encode() for header in code.includes.values()]
    names = [name.encode() for name in code.includes]
    _, program = nvrtc.nvrtcCreateProgram(code.source.text.encode(), SOURCE.encode(), len(texts), texts, names)
    try:
        if code.template:
            nvrtc.nvrtcAddNameExpression(program, _expression(code).encode())
        options = [*_options(code), *(f"--include-path={folder}" for folder in _include_folders())]
        (result,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
        log = bytes(nvrtc.nvrtcGetProgramLogSize(program)[1])
        nvrtc.nvrtcGetProgramLog(program, log)
        if int(result) != 0:
            return None, log.rstrip(b"\0").decode(errors="replace")
        ptx, cubin = bytes(nvrtc.nvrtcGetPTXSize(program)[1]), bytes(nvrtc.nvrtcGetCUBINSize(program)[1])
        nvrtc.nvrtcGetPTX(program, ptx)
        nvrtc.nvrtcGetCUBIN(program, cubin)
        return _Build(ptx.rstrip(b"\0").decode(errors="replace"), cubin), ""
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _include_folders() -> list[Path]:
    if importlib.util.find_spec("cuda.pathfinder") is None:
        return []
    from cuda.pathfinder import find_nvidia_header_directory

    return [Path(folder) for library in ("cudart", "cccl") if (folder := find_nvidia_header_directory(library))]


def _nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def _nvcc_title() -> str:
    compiler = _nvcc()
    if compiler is None:
        return ""
    try:
        told = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False, timeout=LIMIT).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"release (\d+\.\d+)", told)
    return f"nvcc {found[1]}" if found else ""


def _with_nvcc(code: Code) -> tuple[_Build | None, str]:
    compiler = _nvcc()
    assert compiler is not None
    tail = f"\nvoid (*ledger_instance)() = (void (*)())&{_expression(code)};\n" if code.template else ""
    with tempfile.TemporaryDirectory(prefix="kernel-ledger-") as folder:
        work = Path(folder, "a", "b", "c", "d")  # headers may be named by way of the folders above
        for name, text in ((SOURCE, code.source.text + tail), *((name, header.text) for name, header in code.includes.items())):
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text, encoding="utf-8", newline="\n")
        command = [compiler, "-cubin", "--keep", *_options(code), "-o", "kernel.out", SOURCE]
        try:
            done = subprocess.run(
                command, cwd=work, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=LIMIT
            )
            texts = sorted(work.glob("kernel*.ptx"))
            if done.returncode != 0 or not texts:
                return None, done.stderr
            return _Build(texts[0].read_text(encoding="utf-8", errors="replace"), (work / "kernel.out").read_bytes()), ""
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, str(error)


def _disassembler() -> str | None:
    found = shutil.which("nvdisasm")
    spec = importlib.util.find_spec("nvidia") if found is None else None
    for root in (spec.submodule_search_locations or ()) if spec is not None else ():
        found = next((str(path) for path in sorted(Path(root).glob("*/bin/nvdisasm"))), found)
    return found


def _disassemble(cubin: bytes) -> str | None:
    tool = _disassembler()
    if tool is None or not cubin:
        return None
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        try:
            done = subprocess.run(
                [tool, "-c", "--print-line-info-inline", file.name], capture_output=True, text=True, check=False, timeout=LIMIT
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
    return done.stdout if done.returncode == 0 else None


def widths(accesses: Sequence[MachineAccess]) -> dict[tuple[int, str | None, str], list[int]]:
    """Return the widths of each line's accesses, by (line, space, kind); space None is a generic address."""
    found: dict[tuple[int, str | None, str], list[int]] = {}
    for access in accesses:
        found.setdefault((access.line, access.space, access.kind), []).append(access.width)
    return found
