"""From a version's code to a cubin on disk, kept by content: NVRTC, or nvcc where the source has host code."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from plugins.cuda.compiler_log import Diagnostics, read_diagnostics, read_resources
from plugins.cuda.elf import kernel_symbols, matching
from plugins.cuda.headers import PRELUDE
from plugins.cuda.nvcc import Nvcc, find_nvcc
from plugins.cuda.nvrtc import Built, Nvrtc, include_folders
from plugins.cuda.source_scan import constant_type, host_lines, kernel_names, mentions
from workbench.plugin_api import Code, Compiled, CompileData, Failure, Fault, Message, SourceLine, message, write_includes

ARCHITECTURE_OPTIONS = ("-arch", "--gpu-architecture")


class Constant(msgspec.Struct, frozen=True):
    """A `__constant__` array: the name the driver knows and the element type in the source."""

    symbol: str
    element: str


class Kept(msgspec.Struct, frozen=True):
    """What lies beside a cubin in the folder."""

    symbol: str
    data: CompileData
    constants: dict[str, Constant] = {}


def kept_beside(binary: Path) -> Kept:
    """Read what `Compiler.compile` kept beside a binary."""
    return msgspec.json.decode(binary.with_suffix(".json").read_bytes(), type=Kept)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(content)
    os.replace(part, path)


def compile_failed(text: Message, diagnostics: Diagnostics | None = None, log: str = "") -> Fault:
    """Return the fault of a source that gives no kernel."""
    return Fault(Failure("CompileFailed", text, diagnostics.lines if diagnostics else (), log))


def no_such_kernel(text: Message, log: str = "") -> Fault:
    """Return the fault of a source that has no kernel under the project's name."""
    return Fault(Failure("WrongInput", text, detail=log))


def entry_expression(code: Code) -> str:
    """Return the kernel's name with its template arguments, as C++ writes it."""
    return f"{code.entry}<{', '.join(code.template)}>" if code.template else code.entry


class Compiler:
    """Compiles for one architecture (`sm_90`; a `-arch` among the code's options wins)."""

    def __init__(self, nvrtc: Nvrtc, architecture: str, *, nvcc: Callable[[], Nvcc | None] = find_nvcc) -> None:
        self._nvrtc = nvrtc
        self._architecture = architecture
        self._find_nvcc = nvcc

    def compile(self, code: Code, folder: Path, *, name: str = "") -> Compiled:
        """Return the binary for `code`, made or found in `folder`. `name` stands in sentences for the source.

        Raises Fault(CompileFailed) with the lines, Fault(NotSupported) for host code on a machine without nvcc.
        """
        title = name or code.entry
        source = code.source.text
        host = host_lines(source)
        nvcc = self._find_nvcc() if host else None
        if host and nvcc is None:
            raise Fault(_needs_nvcc(title, host[0].line, host))
        self._check_names(code, title)
        compiler = f"nvcc {_dotted(nvcc.version)}" if nvcc else f"NVRTC {_dotted(self._nvrtc.version)}"
        binary = folder / f"{self._key(code, compiler)}.cubin"
        if binary.is_file() and binary.with_suffix(".json").is_file():
            kept = kept_beside(binary)
            return Compiled(binary, kept.symbol, msgspec.structs.replace(kept.data, cached=True))
        started = time.perf_counter()
        built = self._with_nvcc(nvcc, code) if nvcc else self._with_nvrtc(code)
        if not built.cubin:
            raise _why(built.log, code, title, compiler)
        kept = self._keep(code, built, compiler, time.perf_counter() - started)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(binary, built.cubin)
        write_whole(binary.with_suffix(".json"), msgspec.json.encode(kept))
        return Compiled(binary, kept.symbol, kept.data)

    def _key(self, code: Code, compiler: str) -> str:
        return hashlib.sha256(f"{code.hash} {self._architecture} {compiler}".encode()).hexdigest()[:32]

    def _check_names(self, code: Code, title: str) -> None:
        source, there = code.source.text, ", ".join(kernel_names(code.source.text)) or "none"
        if not mentions(source, code.entry):
            raise no_such_kernel(
                message(
                    "{name} has no kernel named {entry}; its kernels are: {there}.", name=title, entry=code.entry, there=there
                )
            )
        for constant in code.constants:
            if not mentions(source, constant):
                raise compile_failed(
                    message(
                        "{name} has no __constant__ array named {constant}, which the project fills.",
                        name=title,
                        constant=constant,
                    )
                )

    def _options(self, code: Code) -> list[str]:
        """Return the architecture, unless the code's own options choose one, then the code's options."""
        chosen = any(option.startswith(ARCHITECTURE_OPTIONS) for option in code.options)
        return [*([] if chosen else [f"--gpu-architecture={self._architecture}"]), *code.options]

    def _with_nvrtc(self, code: Code) -> Built:
        includes = [f"--include-path={folder}" for folder in include_folders()]
        # From a hit in NVRTC's own cache the log comes without ptxas's lines; 12.x does not know the option.
        fresh = ["--no-cache"] if self._nvrtc.version >= (13, 0) else []
        options = [*self._options(code), "--ptxas-options=-v", "-lineinfo", f"--pre-include={PRELUDE}", *fresh, *includes]
        wanted = [entry_expression(code), *(f"&{constant}" for constant in code.constants)]
        with tempfile.TemporaryDirectory(prefix="kernel-ledger-") as folder:
            _, own = write_includes(Path(folder), code.includes)
            searched = [f"--include-path={place}" for place in own] if code.includes else []
            return self._nvrtc.build(code.source.text, [*searched, *options], wanted)

    def _with_nvcc(self, nvcc: Nvcc, code: Code) -> Built:
        instance = entry_expression(code) if code.template else None
        options = ["-lineinfo", *self._options(code)]
        built = nvcc.build(code.source.text.encode(), options, instance, code.includes)
        if not built.cubin:
            return built
        found = matching(kernel_symbols(built.cubin), code.entry)
        symbols = {entry_expression(code): found[0]} if len(found) == 1 else {}
        return Built(built.cubin, built.log, symbols)

    def _keep(self, code: Code, built: Built, compiler: str, seconds: float) -> Kept:
        symbol = built.symbols.get(entry_expression(code))
        if symbol is None:
            raise no_such_kernel(
                message(
                    "{entry} does not name exactly one kernel of this source; its kernels are: {there}.",
                    entry=entry_expression(code),
                    there=", ".join(kernel_symbols(built.cubin)) or "none",
                ),
                built.log,
            )
        resources, said = read_resources(built.log, symbol), read_diagnostics(built.log)
        warnings = tuple(f"{line.line}: {line.text}" for line in said.lines if line.severity == "warning")
        data = CompileData(
            compiler,
            seconds,
            symbol=symbol,
            binary_hash=hashlib.sha256(built.cubin).hexdigest(),
            registers=resources.registers,
            spill_bytes=resources.spill_bytes,
            static_shared_bytes=resources.shared_bytes,
            warnings=warnings,
        )
        constants = {
            name: Constant(built.symbols.get(f"&{name}", name), constant_type(code.source.text, name) or "")
            for name in code.constants
        }
        return Kept(symbol, data, constants)


def _dotted(version: Sequence[int]) -> str:
    return ".".join(str(part) for part in version)


def _needs_nvcc(title: str, line: int, host: tuple[SourceLine, ...]) -> Failure:
    text = message(
        "{name} has code for the host at line {line}, which needs nvcc, and no nvcc is on the PATH; "
        "install the CUDA toolkit or keep only the kernel in the file.",
        name=title,
        line=line,
    )
    return Failure("NotSupported", text, host)


def _why(log: str, code: Code, title: str, compiler: str) -> Fault:
    """Return why a compilation gave no binary: errors at lines, else the entry's name, else an option or a header."""
    said = read_diagnostics(log)
    if said.errors:
        first = said.errors[0]
        text = message(
            "{name} does not compile; the first of its errors ({count}) is at line {line}: {error}",
            name=title,
            count=len(said.errors),
            line=first.line,
            error=first.text,
        )
        return compile_failed(text, said, log)
    there = ", ".join(kernel_names(code.source.text)) or "none"
    if said.blames_entry:
        text = message(
            "{name} has no kernel {entry}; its kernels are: {there} (a template kernel needs its template arguments).",
            name=title,
            entry=entry_expression(code),
            there=there,
        )
        return compile_failed(text, said, log) if code.entry in kernel_names(code.source.text) else no_such_kernel(text, log)
    first_words = (said.elsewhere or tuple(row for row in log.splitlines() if row.strip()) or ("no words",))[0]
    text = message("{compiler} refused {name}: {words}", compiler=compiler, name=title, words=first_words.strip())
    return compile_failed(text, said, log)
