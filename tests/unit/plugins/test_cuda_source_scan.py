"""What is read off a source without compiling it, and what a compiler's log says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins.cuda.compiler_log import read_diagnostics, read_resources
from plugins.cuda.elf import kernel_symbols, matching
from plugins.cuda.source_scan import constant_type, host_lines, kernel_names, mentions, without_comments


def test_kernels_are_named_whatever_stands_around_them() -> None:
    text = """
    // __global__ void commented(int* p)
    /* __global__ void also_commented(int* p) */
    extern "C" __global__ void plain(int* p) {}
    template <class T> __global__ void __launch_bounds__(256, 2) bounded(T* p) {}
    static __global__
    void below(int* p);
    __device__ int helper(int a) { return a; }
    const char* words = "__global__ void in_a_string(";
    """
    assert kernel_names(text) == ("plain", "bounded", "below")


def test_host_code_is_found_outside_comments_only() -> None:
    text = "// main(\n#include <vector>\n__global__ void k() {}\n/* k<<<1, 1>>>() */ int x;\nint main() { k<<<1, 1>>>(); }\n"
    assert [(line.line, line.text) for line in host_lines(text)] == [
        (2, "#include <vector>"),
        (5, "int main() { k<<<1, 1>>>(); }"),
    ]
    assert host_lines("#include <cuda_fp16.h>\n#include <stdint.h>\n__global__ void k() { int domain(3); }") == ()


@given(st.text(alphabet="ab/*\"'\\\n ", max_size=60))
def test_blanking_comments_keeps_every_offset_and_line(text: str) -> None:
    blanked = without_comments(text)
    assert len(blanked) == len(text)
    assert [at for at, char in enumerate(text) if char == "\n"] == [at for at, char in enumerate(blanked) if char == "\n"]


@pytest.mark.parametrize(
    ("declaration", "element"),
    [
        ("__constant__ float w[9];", "float"),
        ("__constant__ const unsigned char w[9];", "unsigned char"),
        ("static __constant__ double const w[3] = {1, 2, 3};", "double"),
        ("__constant__ __half w[2];", "__half"),
        ("__device__ float w[2];", None),
    ],
)
def test_the_type_of_a_constant_is_read(declaration: str, element: str | None) -> None:
    assert constant_type(declaration, "w") == element


def test_a_name_is_looked_for_as_a_whole_word_in_code() -> None:
    assert mentions("__global__ void saxpy();", "saxpy")
    assert mentions("namespace a { __global__ void k(); }", "a::k")
    assert not mentions("__global__ void saxpy2(); // saxpy", "saxpy")


LOG = """kernel.cu(3): warning #177-D: variable "u" was declared but never referenced
kernel.cu(9): error: expected a ";"
/usr/include/x.h(12): error: odd
__nv_name_map(2): error: identifier "nope" is undefined
ptxas info    : Compiling entry function 'a' for 'sm_90'
ptxas         .     8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 132 bytes smem
ptxas info    : Compiling entry function 'b' for 'sm_90'
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
"""


def test_a_log_gives_lines_of_the_users_file_and_blames_others_by_name() -> None:
    said = read_diagnostics(LOG)
    assert [(line.line, line.severity) for line in said.lines] == [(3, "warning"), (9, "error")]
    assert said.elsewhere == ("/usr/include/x.h(12): error: odd",)
    assert said.blames_entry


def test_resources_are_those_of_the_asked_kernel() -> None:
    a, b, none = (read_resources(LOG, symbol) for symbol in ("a", "b", "c"))
    assert (a.registers, a.spill_bytes, a.shared_bytes) == (14, 16, 132)
    assert (b.registers, b.spill_bytes, b.shared_bytes) == (8, 0, 0)
    assert (none.registers, none.spill_bytes, none.shared_bytes) == (None, None, None)


def test_mangled_names_match_their_whole_part_only() -> None:
    symbols = ("plain", "_Z5saxpyifPf", "_Z6saxpy2Pf", "_ZN2ns1fEPi", "_Z4growIfEvPT_", "_Z4growIdEvPT_")
    assert matching(symbols, "plain") == ("plain",)
    assert matching(symbols, "saxpy") == ("_Z5saxpyifPf",)
    assert matching(symbols, "ns::f") == ("_ZN2ns1fEPi",)
    assert len(matching(symbols, "grow")) == 2
    assert matching(symbols, "axpy") == ()


def test_what_is_no_cubin_is_refused() -> None:
    with pytest.raises(ValueError, match="ELF"):
        kernel_symbols(b"//ptx")
