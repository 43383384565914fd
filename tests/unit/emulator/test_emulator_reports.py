"""Reading what others wrote: compilers' messages, fault reports, options, ELF files."""

from __future__ import annotations

import _ctypes
from pathlib import Path

import pytest

from plugins.emulator.confinement import allowed
from plugins.emulator.diagnostics import compile_failed, parse
from plugins.emulator.elf import NotElf, read_image
from plugins.emulator.fault_report import read_fault
from plugins.emulator.preprocess import Options, read_options
from plugins.emulator.source_lines import words

GCC = """kernel.cu: In function 'void k(float*)':
kernel.cu:4:10: error: 'b' was not declared in this scope; did you mean 'y'?
    4 |   y[0] = b;
      |          ^
kernel.cu:9:3: warning: unused variable 'q' [-Wunused-variable]
"""
INSTANTIATED = """/x/semantics.h: In instantiation of 'ledger::div(const A&, const B&) [with A = P; B = int]':
kernel.cu:12:19:   required from here
/x/resources/emulator/semantics.h:40:18: error: no match for 'operator/' (operand types are 'const P' and 'const int')
"""
CLANG = """./kernel.cu:3:11: error: expected ';' after expression
kernel.cu:2:1: note: to match this '{'
1 error generated.
"""


def test_gcc_messages_become_lines_with_their_severity() -> None:
    found = [(line.line, line.severity, line.text) for line in parse(GCC)]
    assert found == [
        (4, "error", "'b' was not declared in this scope; did you mean 'y'?"),
        (9, "warning", "unused variable 'q'"),
    ]


def test_an_error_inside_a_header_belongs_to_the_kernels_line_that_needs_it() -> None:
    assert [(line.line, line.severity) for line in parse(INSTANTIATED)] == [(12, "error")]


def test_clang_messages_are_read_too() -> None:
    assert [(line.line, line.severity) for line in parse(CLANG)] == [(3, "error"), (2, "note")]


def test_output_without_a_place_is_still_a_failure() -> None:
    failure = compile_failed("collect2: fatal: out of memory", "k.cu").failure
    assert failure.kind == "CompileFailed"
    assert failure.detail.startswith("collect2")


def test_options_of_nvcc_and_nvrtc_are_understood() -> None:
    got = read_options(["--std=c++20", "-DN=4", "-DF(x)=x", "-UQ", "--gpu-architecture=compute_90a", "--fmad=false", "-lineinfo"])
    assert got == Options("c++20", ("-DN=4", "-DF(x)=x", "-UQ"), 900, False, ("-lineinfo",))
    assert read_options(["-std=c++11"]).standard == "c++17"


def test_words_leave_out_strings_comments_and_numbers() -> None:
    text = 'a("asm \\" volatile", \'x\', R"(asm)", 0x1F, 1e5f, 1\'000) // asm\n/* asm */ b'
    assert words(text) == {"a", "b"}


def test_kernels_may_name_mathematics_and_the_shim_only() -> None:
    for name in ("sinf", "expf@GLIBC_2.27", "memcpy", "ledger_barrier"):
        assert allowed(name, checked=False)
    for name in ("system", "malloc", "ledger_start", "ledger_launch", "environ", "dlopen", "__tsan_read4"):
        assert not allowed(name, checked=False)
    assert allowed("__tsan_read4", checked=True)
    assert not allowed("__tsan_acquire", checked=True)


def test_an_elf_library_shows_its_symbols(tmp_path: Path) -> None:
    image = read_image(Path(_ctypes.__file__))
    assert any(name.startswith("Py") for name in image.undefined)
    text = tmp_path / "no.so"
    text.write_text("no library")
    with pytest.raises(NotElf):
        read_image(text)


def test_a_damaged_fault_report_is_no_report(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.write_bytes(b"kind=OutOfBounds\n\xff\xfe half")
    assert read_fault(report) is None
    report.write_text("kind=DeviceFault\ntext=Too much in block ({block}).\narg.block=1, 0, 0\n")
    failure = read_fault(report)
    assert failure is not None
    assert (failure.kind, str(failure.message)) == ("DeviceFault", "Too much in block (1, 0, 0).")
