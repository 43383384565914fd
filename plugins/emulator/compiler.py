"""Builds: the kernel, its checked twin and the runtime, each once per content, never half written."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec

import resources
from plugins.emulator import confinement, preprocess
from plugins.emulator.diagnostics import ENTRY_FILE, USER_FILE, compile_failed, missing_header, parse
from plugins.emulator.recipe import Facts, Recipe, write_recipe
from plugins.emulator.set_aside import NotThere
from plugins.emulator.toolchain import Toolchain, cores, processor
from workbench.plugin_api import Code, Compiled, CompileData, Failure, Fault, SourceLine, message

SYMBOL = "ledger_module"
_COMMON = (
    "-x", "c++", "-march=native", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-fno-exceptions",
    "-fno-rtti", "-fno-strict-aliasing", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-fno-stack-protector",
    "-fno-threadsafe-statics", "-fcheck-new", "-fno-asynchronous-unwind-tables", "-ffunction-sections", "-fdata-sections",
    "-fno-delete-null-pointer-checks", "-fstack-clash-protection",
    "-Wno-unknown-pragmas", "-Wno-attributes", "-Wno-unused",
)  # fmt: skip
_LINK = ("-shared", "-nostdlib", "-Wl,--gc-sections", "-Wl,-Bsymbolic", "kernel.o", "-o", "kernel.so")
"""A step of its own: zig finds no C++ headers when told -nostdlib, and -fsanitize=thread would bring its own runtime."""
_PLAIN = ("-O3", "-g1")
_CHECKED = (
    "-O1", "-g", "-fno-tree-vectorize", "-fsanitize=thread", "-fsanitize=bounds,alignment", "-DLEDGER_CHECKED",
    "-Wuninitialized",
)  # fmt: skip
_TRACED = ("-O1", "-g", "-fno-tree-vectorize", "-fsanitize=thread", "-DLEDGER_CHECKED")
"""Without bounds and alignment: their checks would be branches of their own in the control flow."""
_GCC_TRACED = ("-fsanitize-coverage=trace-pc", "-fno-thread-jumps", "-fno-split-paths", "-fno-tree-tail-merge")
"""No copies of code for one way through it: its lanes would seem to part."""
_CLANG_TRACED = (
    "-fsanitize-coverage=trace-pc,no-prune", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize",
    "-mllvm", "-tsan-instrument-atomics=0", "-mllvm", "-tsan-instrument-read-before-write=1", "-gdwarf-4",
)  # fmt: skip
_RUNTIME = ("-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-pthread")
_GCC_ONLY = ("-fno-gnu-unique",)
_GCC_CHECKED = ("--param=tsan-distinguish-volatile=1", "-Wmaybe-uninitialized", "-fexpensive-optimizations")
"""The last one: GCC fuses a product with a sum only with it, and the twin's results are to be the plain build's."""
_CLANG_CHECKED = (
    "-mllvm", "-tsan-instrument-atomics=0", "-mllvm", "-tsan-distinguish-volatile=1",
    "-mllvm", "-tsan-instrument-read-before-write=1", "-Wconditional-uninitialized", "-gdwarf-4",
)  # fmt: skip
"""Atomics report themselves (resources/emulator/atomics.h); Clang would replace them in spite of no_sanitize."""


@dataclass(frozen=True)
class Compiler:
    """A toolchain with the shim, and the folders where runtimes and stubs are kept."""

    toolchain: Toolchain
    cache: Path
    """For what belongs to the machine: the runtime and the empty headers."""

    @functools.cached_property
    def identity(self) -> str:
        """Hash of all that decides a binary except the kernel: compiler, processor, shim and this plugin's own code."""
        digest = hashlib.sha256(f"{self.toolchain.version}\0{self.toolchain.command}\0{processor()}\0{_COMMON}{_PLAIN}".encode())
        folders = (resources.path("emulator"), Path(__file__).parent)
        for path in sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".h", ".cpp", ".py")):
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    def compile(self, code: Code, folder: Path, name: str) -> Compiled:
        """Return the compiled kernel, from `folder` when it is there. Raises Fault(CompileFailed | NotSupported)."""
        if code.language != "cuda":
            sentence = message("The emulator runs CUDA C++ only, not {language}.", language=code.language)
            raise Fault(Failure("NotSupported", sentence))
        started = time.perf_counter()
        key = hashlib.sha256(f"{self.identity}\0{code.hash}".encode()).hexdigest()[:32]
        binary = folder / f"{key}.so"
        if binary.exists() and (facts := read_facts(binary)) is not None:
            seconds = time.perf_counter() - started
            return Compiled(binary, SYMBOL, msgspec.structs.replace(facts.data, cached=True, seconds=seconds))
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix="build-") as work:
            return self._build(code, binary, Path(work), name or "kernel", started)

    def _build(self, code: Code, binary: Path, work: Path, name: str, started: float) -> Compiled:
        try:
            recipe = write_recipe(self.toolchain, code, work, self.cache, name)
        except NotThere as fault:
            if fault.garbled is not None:
                self._find_mistake(fault.garbled, work, name)
            raise
        try:
            output = self._make(recipe, work, name)
        except Fault as fault:
            if fault.failure.kind != "NotSupported":
                raise missing_header(fault.failure, code.source.text, code.includes, name) or fault from None
            # What the shim refused may be another kernel's.
            recipe = write_recipe(self.toolchain, code, work, self.cache, name, alone=True)
            output = self._make(recipe, work, name)
        image = confinement.check(work / "kernel.so", recipe.expanded)
        warnings = [f"{line}: <{header}> is not there and counts as empty on the emulator" for line, header in recipe.absent]
        warnings += [f"{line.line}: {line.text}" for line in parse(output, recipe.entry_line) if line.severity == "warning"]
        data = CompileData(
            compiler=self.toolchain.version,
            seconds=time.perf_counter() - started,
            symbol=code.entry,
            binary_hash=hashlib.sha256((work / "kernel.so").read_bytes()).hexdigest(),
            static_shared_bytes=confinement.static_shared_bytes(image),
            warnings=(*warnings, *(f"option without meaning on the emulator: {option}" for option in recipe.ignored)),
        )
        _keep(recipe, data, binary, work)
        return Compiled(binary, SYMBOL, data)

    def _make(self, recipe: Recipe, work: Path, name: str) -> str:
        """Make kernel.so of a recipe and return what the compiler said."""
        (work / "kernel.cpp").write_text(recipe.text, encoding="utf-8", newline="\n")
        (work / "kernel.cu").write_text(recipe.expanded, encoding="utf-8", newline="\n")
        flags = [*_PLAIN, *self._flags(recipe.standard, recipe.fused)]
        return self._library(flags, work, name, recipe.entry_line)

    def _find_mistake(self, text: str, work: Path, name: str) -> None:
        """Raise Fault(CompileFailed) with the compiler's own line where a source, taken as it stands, breaks the grammar.

        Host code stands in it without its headers, so only what the compiler expected and did not find is believed.
        """
        (work / "garbled.cpp").write_text(f'#line 1 "{USER_FILE}"\n{text}', encoding="utf-8", newline="\n")
        # Without -c zig builds its C++ library first, for minutes.
        done = self.toolchain.run([*self._flags(preprocess.STANDARD, True), "-fsyntax-only", "-c", "garbled.cpp"], work)
        mistakes = [line for line in done.stderr.splitlines() if ": error: expected " in line]
        if mistakes:
            raise compile_failed("\n".join(mistakes), name)

    def checked(self, compiled: Compiled) -> Path:
        """Return the twin that reports every access, built beside the kernel when it is first asked for."""
        binary = compiled.binary.with_suffix(".checked.so")
        if binary.exists():
            return binary
        special = _GCC_CHECKED if self.toolchain.family == "gcc" else _CLANG_CHECKED
        with tempfile.TemporaryDirectory(dir=binary.parent, prefix="build-") as folder:
            found = self._twin(compiled, Path(folder), (*_CHECKED, *special))
            said = [line for line in found if "uninitialized" in line.text and line.severity == "warning"]
            (Path(folder) / "said.json").write_bytes(msgspec.json.encode(said))
            os.replace(Path(folder) / "said.json", binary.with_suffix(".json"))
            os.replace(Path(folder) / "kernel.so", binary)
        return binary

    def traced(self, compiled: Compiled) -> Path:
        """Return the twin that writes down every access and every basic block, built when it is first asked for."""
        binary = compiled.binary.with_suffix(".traced.so")
        if binary.exists():
            return binary
        special = _GCC_TRACED if self.toolchain.family == "gcc" else _CLANG_TRACED
        with tempfile.TemporaryDirectory(dir=binary.parent, prefix="build-") as folder:
            self._twin(compiled, Path(folder), (*_TRACED, *special))
            os.replace(Path(folder) / "kernel.so", binary)
        return binary

    def _twin(self, compiled: Compiled, work: Path, flags: Sequence[str]) -> tuple[SourceLine, ...]:
        """Build a compiled kernel's source again as work/kernel.so with these flags; returns what the compiler said."""
        facts = facts_of(compiled)
        (work / "kernel.cpp").write_bytes(compiled.binary.with_suffix(".cpp").read_bytes())
        expanded = compiled.binary.with_suffix(".cu").read_text(encoding="utf-8")
        every = [*flags, *self._flags(facts.standard, facts.fused)]
        output = self._library(every, work, compiled.data.symbol, facts.entry_line)
        confinement.check(work / "kernel.so", expanded, checked=True)
        return tuple(parse(output, facts.entry_line))

    def runtime(self) -> Path:
        """Return the runtime that every kernel is loaded with, built when it is first asked for. Raises Fault(CompileFailed)."""
        binary = self.cache / f"runtime-{self.identity[:32]}.so"
        if binary.exists():
            return binary
        self.cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.cache, prefix="build-") as folder:
            work, name = Path(folder), "the emulator's runtime"
            sources = {f"{path.stem}.o": path for path in sorted(resources.path("emulator/runtime").glob("*.cpp"))}

            def make(made: str) -> str:
                return self._call([*_RUNTIME, *_machine(), "-c", str(sources[made]), "-o", made], work, name, 1)

            with ThreadPoolExecutor(cores()) as pool:
                list(pool.map(make, sources))  # raises what a compile raised
            self._call(["-shared", "-pthread", *sources, *self.toolchain.c_library, "-o", "runtime.so"], work, name, 1)
            os.replace(work / "runtime.so", binary)
        return binary

    def _library(self, flags: Sequence[str], work: Path, name: str, entry_line: int) -> str:
        """Make kernel.so from kernel.cpp and return what the compiler said."""
        output = self._call([*flags, "-c", "kernel.cpp", "-o", "kernel.o"], work, name, entry_line)
        self._call([*_LINK, *self.toolchain.mathematics], work, name, entry_line)
        return output

    def _flags(self, standard: str, fused: bool) -> list[str]:
        shim = str(resources.path("emulator/cuda_emulator.h"))
        contract = "-ffp-contract=fast" if fused else "-ffp-contract=off"
        special = _GCC_ONLY if self.toolchain.family == "gcc" else ()
        topics = ("-iquote", str(resources.path("emulator").parent))
        return [*_COMMON, *special, *_machine(), f"-std={standard}", contract, *topics, "-include", shim]

    def _call(self, arguments: Sequence[str], work: Path, name: str, entry_line: int) -> str:
        try:
            done = self.toolchain.run(arguments, work)
        except subprocess.TimeoutExpired:
            sentence = message("The compiler did not finish {name} within its limit; make the kernel smaller.", name=name)
            raise Fault(Failure("CompileFailed", sentence)) from None
        if done.returncode != 0:
            raise compile_failed(done.stderr, name, entry_line)
        return done.stderr


def _machine() -> tuple[str, ...]:
    return ("-fcf-protection=none", "-mno-red-zone") if os.uname().machine == "x86_64" else ()


def _keep(recipe: Recipe, data: CompileData, binary: Path, work: Path) -> None:
    """Move a finished build into its place; the library comes last, so that it is never there without the rest."""
    facts = Facts(data, recipe.fibers, recipe.in_order, recipe.launch_bound, recipe.standard, recipe.fused, recipe.entry_line)
    (work / "kernel.json").write_bytes(msgspec.json.encode(facts))
    for suffix in (".cu", ".cpp", ".json", ".so"):
        os.replace(work / f"kernel{suffix}", binary.with_suffix(suffix))


def read_facts(binary: Path) -> Facts | None:
    """Return what is kept beside a compiled kernel, None when it is missing or damaged."""
    try:
        return msgspec.json.decode(binary.with_suffix(".json").read_bytes(), type=Facts)
    except (OSError, msgspec.MsgspecError):
        return None


def facts_of(compiled: Compiled) -> Facts:
    """Return what is kept beside a compiled kernel. Raises Fault(CompileFailed) when it is gone."""
    facts = read_facts(compiled.binary)
    if facts is None:
        sentence = message(
            "The compiled kernel {symbol} is no longer in the cache; compile it again.", symbol=compiled.data.symbol
        )
        raise Fault(Failure("CompileFailed", sentence))
    return facts


__all__ = ["ENTRY_FILE", "SYMBOL", "Compiler", "facts_of", "read_facts"]
