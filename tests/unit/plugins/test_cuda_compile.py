"""CUDA sources compiled to cubins without a GPU: by NVRTC where its wheel is installed, by nvcc where that is there."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from plugins.cuda.compile import Compiler, kept_beside
from plugins.cuda.elf import kernel_symbols
from plugins.cuda.nvcc import Nvcc, find_nvcc
from plugins.cuda.nvrtc import Nvrtc, open_nvrtc
from plugins.cuda.utility_binary import utility_binary
from workbench.model.launch import Launch
from workbench.model.source import SourceText
from workbench.plugin_api import Code, Failure, Fault, Unavailable

needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc on this machine")

SAXPY = """
__global__ void saxpy(int n, float a, const float* x, float* y) {
    __shared__ float tile[64];
    tile[threadIdx.x % 64] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) y[threadIdx.x] = a * tile[5] + y[threadIdx.x];
}
__global__ void other(float* y) { y[0] = 1; }
"""


@pytest.fixture(scope="module")
def nvrtc() -> Nvrtc:
    """Return NVRTC, or skip where the extra `compile` is not installed."""
    if importlib.util.find_spec("cuda") is None:
        pytest.skip("the extra `compile` is not installed")
    try:
        return open_nvrtc()
    except Unavailable as error:
        pytest.skip(str(error))


def no_nvcc() -> Nvcc | None:
    return None


def code(text: str, entry: str = "saxpy", template: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> Code:
    return Code(SourceText(text), "cuda", entry, Launch((1,), (1,)), template, options)


def failure(nvrtc: Nvrtc, wanted: Code, folder: Path, *, nvcc: bool = True) -> Failure:
    """Return how a compilation fails."""
    compiler = Compiler(nvrtc, "sm_90") if nvcc else Compiler(nvrtc, "sm_90", nvcc=no_nvcc)
    with pytest.raises(Fault) as told:
        compiler.compile(wanted, folder, name="candidate.cu")
    return told.value.failure


def errors(told: Failure) -> list[int]:
    return [line.line for line in told.lines if line.severity == "error"]


def test_a_kernel_becomes_a_cubin_with_its_resources(nvrtc: Nvrtc, tmp_path: Path) -> None:
    made = Compiler(nvrtc, "sm_90").compile(code(SAXPY), tmp_path)
    assert made.symbol == "_Z5saxpyifPKfPf"
    assert made.symbol in kernel_symbols(made.binary.read_bytes())
    assert made.data.static_shared_bytes == 256
    assert made.data.spill_bytes == 0
    assert (made.data.registers or 0) > 0
    assert made.data.compiler.startswith("NVRTC ")


def test_the_same_code_is_found_again_and_other_code_is_not(nvrtc: Nvrtc, tmp_path: Path) -> None:
    compiler = Compiler(nvrtc, "sm_90")
    first, again = (compiler.compile(code(SAXPY), tmp_path) for _ in range(2))
    assert (first.data.cached, again.data.cached) == (False, True)
    assert again.binary == first.binary
    assert again.data.binary_hash == first.data.binary_hash
    assert compiler.compile(code(SAXPY + "\n"), tmp_path).binary != first.binary
    assert Compiler(nvrtc, "sm_80").compile(code(SAXPY), tmp_path).binary != first.binary
    assert [path for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_extern_c_template_and_namespace_entries_are_found(nvrtc: Nvrtc, tmp_path: Path) -> None:
    compiler = Compiler(nvrtc, "sm_90")
    assert compiler.compile(code('extern "C" __global__ void k(int* p) { *p = 1; }', "k"), tmp_path).symbol == "k"
    template = "template <class T, int N> __global__ void grow(T* y) { y[0] *= N; }"
    assert compiler.compile(code(template, "grow", ("float", "4")), tmp_path).symbol == "_Z4growIfLi4EEvPT_"
    spaced = "namespace deep { __global__ void k(int* p) { *p = 1; } }"
    assert compiler.compile(code(spaced, "deep::k"), tmp_path).symbol == "_ZN4deep1kEPi"


def test_an_error_is_told_at_its_line_in_the_users_file(nvrtc: Nvrtc, tmp_path: Path) -> None:
    told = failure(nvrtc, code(SAXPY.replace("tile[5] +", "tiles[5] +")), tmp_path)
    assert told.kind == "CompileFailed"
    assert errors(told) == [6]
    assert '"tiles" is undefined' in told.lines[0].text
    assert "line 6" in str(told.message)


def test_lines_are_counted_in_crlf_files_too(nvrtc: Nvrtc, tmp_path: Path) -> None:
    told = failure(nvrtc, code(SAXPY.replace("tile[5] +", "tiles[5] +").replace("\n", "\r\n")), tmp_path)
    assert errors(told) == [6]


@pytest.mark.parametrize("entry", ["sax", "blockDim", "int"])
def test_an_entry_that_is_no_kernel_is_answered_with_those_that_are(nvrtc: Nvrtc, tmp_path: Path, entry: str) -> None:
    told = failure(nvrtc, code(SAXPY, entry), tmp_path)
    assert told.kind == "WrongInput"
    assert "saxpy, other" in str(told.message)


def test_a_template_without_arguments_says_what_it_needs(nvrtc: Nvrtc, tmp_path: Path) -> None:
    told = failure(nvrtc, code("template <class T> __global__ void grow(T* y) { y[0] *= 2; }", "grow"), tmp_path)
    assert told.kind == "CompileFailed"
    assert "template arguments" in str(told.message)


def test_an_unknown_option_is_told_in_the_compilers_words(nvrtc: Nvrtc, tmp_path: Path) -> None:
    told = failure(nvrtc, code(SAXPY, options=("--no-such-option",)), tmp_path)
    assert told.kind == "CompileFailed"
    assert "--no-such-option" in str(told.message)


def test_a_constant_that_is_not_in_the_source_is_told_by_name(nvrtc: Nvrtc, tmp_path: Path) -> None:
    wanted = Code(SourceText(SAXPY), "cuda", "saxpy", Launch((1,), (1,)), constants={"weights": (1.0,)})
    assert "weights" in str(failure(nvrtc, wanted, tmp_path).message)


def test_a_constants_symbol_and_type_are_kept_beside_the_binary(nvrtc: Nvrtc, tmp_path: Path) -> None:
    text = "namespace n { __constant__ int w[3]; __global__ void k(int* p) { *p = w[1]; } }"
    wanted = Code(SourceText(text), "cuda", "n::k", Launch((1,), (1,)), constants={"n::w": (1.0,)})
    made = Compiler(nvrtc, "sm_90").compile(wanted, tmp_path)
    assert kept_beside(made.binary).constants["n::w"].symbol == "_ZN1n1wE"
    assert kept_beside(made.binary).constants["n::w"].element == "int"


def test_what_nvcc_brings_unasked_is_there_without_nvcc(nvrtc: Nvrtc, tmp_path: Path) -> None:
    text = """#include <cstddef>
#include <cstdint>
#include <stdbool.h>
__global__ void k(float *y, std::size_t n) {
    std::uint32_t i = threadIdx.x;
    bool inside = i < n;
    y[i] = inside ? -INFINITY : NAN;
}
"""
    compiled = Compiler(nvrtc, "sm_90", nvcc=no_nvcc).compile(code(text, "k"), tmp_path)
    assert compiled.data.compiler.startswith("NVRTC")


@needs_nvcc
def test_the_whole_of_cub_goes_to_nvcc_because_nvrtc_refuses_it(nvrtc: Nvrtc, tmp_path: Path) -> None:
    text = """#include <cub/cub.cuh>
__global__ void k(int *y) {
    __shared__ typename cub::WarpReduce<int>::TempStorage storage;
    y[threadIdx.x] = cub::WarpReduce<int>(storage).Sum(y[threadIdx.x]);
}
"""
    assert Compiler(nvrtc, "sm_90").compile(code(text, "k"), tmp_path).data.compiler.startswith("nvcc")
    assert "needs nvcc" in str(failure(nvrtc, code(text, "k"), tmp_path / "other", nvcc=False).message)


def test_common_headers_compile_without_nvcc(nvrtc: Nvrtc, tmp_path: Path) -> None:
    text = """#include <cstdint>
    #include <stdio.h>
    #include <math.h>
    #include <float.h>
    #include <cuda_fp16.h>
    __global__ void k(uint8_t* p, int64_t n, __half* h) {
        if (n < 0) printf("negative\\n");
        p[0] = (uint8_t)sqrtf(FLT_MAX);
        h[0] = __hadd(h[1], h[2]);
    }"""
    assert Compiler(nvrtc, "sm_90", nvcc=no_nvcc).compile(code(text, "k"), tmp_path).symbol.startswith("_Z1k")


HOST = "#include <iostream>\n" + SAXPY + 'int main() { std::cout << "x"; saxpy<<<1, 1>>>(0, 0, 0, 0); }\n'


def test_host_code_without_nvcc_is_refused_with_its_lines(nvrtc: Nvrtc, tmp_path: Path) -> None:
    told = failure(nvrtc, code(HOST), tmp_path, nvcc=False)
    assert told.kind == "NotSupported"
    assert [line.line for line in told.lines] == [1, 10]
    assert "nvcc" in str(told.message)


@needs_nvcc
def test_host_code_goes_through_nvcc(nvrtc: Nvrtc, tmp_path: Path) -> None:
    made = Compiler(nvrtc, "sm_90").compile(code(HOST), tmp_path)
    assert made.data.compiler.startswith("nvcc ")
    assert made.symbol == "_Z5saxpyifPKfPf"
    assert (made.data.registers or 0) > 0


@needs_nvcc
def test_nvcc_errors_are_told_at_their_line_and_templates_are_made(nvrtc: Nvrtc, tmp_path: Path) -> None:
    assert errors(failure(nvrtc, code(HOST.replace("tile[5] +", "tiles[5] +")), tmp_path)) == [7]
    text = "#include <vector>\ntemplate <class T> __global__ void grow(T* y) { y[0] *= 2; }\n"
    assert Compiler(nvrtc, "sm_90").compile(code(text, "grow", ("double",)), tmp_path).symbol == "_Z4growIdEvPT_"


def test_the_workbenchs_own_kernels_compile_for_old_and_new_gpus(nvrtc: Nvrtc) -> None:
    assert "draw_bfloat16" in kernel_symbols(utility_binary(nvrtc, "sm_80"))


def test_an_architecture_the_compiler_does_not_know_is_one_sentence(nvrtc: Nvrtc) -> None:
    with pytest.raises(Unavailable, match="sm_1"):
        utility_binary(nvrtc, "sm_1")
