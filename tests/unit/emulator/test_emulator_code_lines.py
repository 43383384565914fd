"""The line of a kernel that an address in its library belongs to, read from what the machine's compiler wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from plugins.emulator.code_lines import line_of
from plugins.emulator.toolchain import find_toolchain

SOURCE = """\
static inline __attribute__((always_inline)) int far_away(int *p, int i) { return p[i] * 3; }
#line 1 "kernel.cu"
static inline __attribute__((always_inline)) int inner(int *p, int i) {
    return p[i] * 7;
}
static inline __attribute__((always_inline)) int outer(int *p, int i) {
    return inner(p, i);
}
extern "C" void only_inner(int *p, int i, int *to) {
    *to = outer(p, i);
}
extern "C" void only_far(int *p, int i, int *to) {
    *to = far_away(p, i);
}
"""


@pytest.fixture(scope="module", params=["-gdwarf-4", "-gdwarf-5"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with functions whose code is inlined, from the kernel's file and from another one."""
    folder = tmp_path_factory.mktemp("lines")
    (folder / "shim.h").write_text(SOURCE, encoding="utf-8")
    compiler = find_toolchain()
    assert compiler is not None
    done = compiler.run(["-x", "c++", "-O2", "-g", request.param, "-fPIC", "-c", "shim.h", "-o", "code.o"], folder)
    assert done.returncode == 0, done.stderr
    assert compiler.run(["-shared", "-nostdlib", "code.o", "-o", "code.so"], folder).returncode == 0
    return folder / "code.so"


def lines_of(library: Path, function: str) -> set[int | None]:
    begin, size = next((start, size) for name, start, size in functions(library) if name == function)
    return {line_of(library, offset) for offset in range(begin, begin + size)}


def functions(library: Path) -> list[tuple[str, int, int]]:
    with library.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return [(symbol.name, symbol["st_value"], symbol["st_size"]) for symbol in table.iter_symbols() if symbol["st_size"]]


def test_of_inlined_calls_the_innermost_in_the_kernel_counts(library: Path) -> None:
    assert 2 in lines_of(library, "only_inner")
    assert not lines_of(library, "only_inner") & {10, 11}


def test_code_of_another_file_is_at_the_line_of_the_kernel_that_calls_it(library: Path) -> None:
    assert 11 in lines_of(library, "only_far")
    assert None not in lines_of(library, "only_far")


def test_an_address_outside_the_code_and_a_library_without_lines_have_no_line(library: Path, tmp_path: Path) -> None:
    assert line_of(library, 0) is None
    assert line_of(library, 2**40) is None
    assert line_of(tmp_path / "gone.so", 0x1000) is None
    content = library.read_bytes()
    for kept in (3, 20, 200, len(content) // 2, len(content) - 100):
        (tmp_path / "cut.so").write_bytes(content[:kept])
        assert line_of(tmp_path / "cut.so", 0x1000) is None
    (tmp_path / "text.so").write_text("no library", encoding="utf-8")
    assert line_of(tmp_path / "text.so", 0x1000) is None
