"""NVRTC through whichever binding is there: CuPy's (it fits the CuPy that launches) or cuda-bindings (compiles without CuPy)."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from plugins.cuda.headers import standard_headers
from workbench.plugin_api import Unavailable

PROGRAM_NAME = "kernel.cu"
"""What the compiler is told the user's source is called; its log repeats it before each line number."""


@dataclass(frozen=True)
class Built:
    """A compilation: the binary (empty when it failed), the compiler's log, and the symbol of each name expression."""

    cubin: bytes
    log: str
    symbols: dict[str, str] = field(default_factory=dict)


class Nvrtc(Protocol):
    """One binding of NVRTC."""

    version: tuple[int, int]

    def build(self, source: str, options: Sequence[str], names: Sequence[str]) -> Built:
        """Compile to a cubin. A failed compilation is a Built without binary; `names` are C++ name expressions."""


class CupyNvrtc:
    """CuPy's binding."""

    def __init__(self) -> None:
        from cupy.cuda import nvrtc

        self._nvrtc = nvrtc
        self.version = nvrtc.getVersion()

    def build(self, source: str, options: Sequence[str], names: Sequence[str]) -> Built:
        """See `Nvrtc`."""
        nvrtc, headers = self._nvrtc, standard_headers()
        texts, includes = [text.encode() for text in headers.values()], [name.encode() for name in headers]
        program = nvrtc.createProgram(source, PROGRAM_NAME, texts, includes)
        try:
            for name in names:
                nvrtc.addNameExpression(program, name)
            try:
                nvrtc.compileProgram(program, list(options))
            except nvrtc.NVRTCError:
                return Built(b"", nvrtc.getProgramLog(program))
            symbols = {name: nvrtc.getLoweredName(program, name) for name in names}
            return Built(nvrtc.getCUBIN(program), nvrtc.getProgramLog(program), symbols)
        finally:
            nvrtc.destroyProgram(program)


class BindingsNvrtc:
    """The binding of the package cuda-bindings. Every call answers a tuple that begins with the result code."""

    def __init__(self) -> None:
        from cuda.bindings import nvrtc

        self._nvrtc = nvrtc
        _, major, minor = nvrtc.nvrtcVersion()
        self.version = (major, minor)

    def build(self, source: str, options: Sequence[str], names: Sequence[str]) -> Built:
        """See `Nvrtc`."""
        nvrtc, headers = self._nvrtc, standard_headers()
        texts, includes = [text.encode() for text in headers.values()], [name.encode() for name in headers]
        _, program = nvrtc.nvrtcCreateProgram(source.encode(), PROGRAM_NAME.encode(), len(texts), texts, includes)
        try:
            for name in names:
                nvrtc.nvrtcAddNameExpression(program, name.encode())
            (code,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
            log = bytes(nvrtc.nvrtcGetProgramLogSize(program)[1])
            nvrtc.nvrtcGetProgramLog(program, log)
            text = log.rstrip(b"\0").decode(errors="replace")
            if int(code) != 0:
                return Built(b"", text)
            symbols = {name: nvrtc.nvrtcGetLoweredName(program, name.encode())[1].decode() for name in names}
            cubin = bytes(nvrtc.nvrtcGetCUBINSize(program)[1])
            nvrtc.nvrtcGetCUBIN(program, cubin)
            return Built(cubin, text, symbols)
        finally:
            nvrtc.nvrtcDestroyProgram(program)


def open_nvrtc() -> Nvrtc:
    """Return a working binding. Raises Unavailable when neither package, or no NVRTC library, is installed."""
    for package, binding in (("cupy", CupyNvrtc), ("cuda.bindings", BindingsNvrtc)):
        try:
            if importlib.util.find_spec(package) is not None:
                return binding()
        except (ImportError, RuntimeError, OSError):
            continue
    raise Unavailable("NVRTC, NVIDIA's compiler library, cannot be loaded; run: pip install 'kernel-ledger[compile]'")


def include_folders() -> list[str]:
    """Return the folders with CUDA's headers: the wheels', CUDA_PATH's and the installed toolkit's, CCCL's beside each."""
    found: list[Path] = []
    if importlib.util.find_spec("cuda") is not None and importlib.util.find_spec("cuda.pathfinder") is not None:
        from cuda.pathfinder import find_nvidia_header_directory

        found += [Path(folder) for library in ("cudart", "cccl") if (folder := find_nvidia_header_directory(library))]
    roots = [Path(value) for value in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME")) if value]
    compiler = shutil.which("nvcc")
    if compiler:
        roots.append(Path(compiler).resolve().parent.parent)
    roots.append(Path("/usr/local/cuda"))
    for root in [root for root in roots if (root / "include" / "cuda_runtime.h").is_file()]:
        found += [root / "include", root / "include" / "cccl"]
    return [str(folder) for folder in dict.fromkeys(found) if folder.is_dir()]
