"""What is refused, each in one sentence with its line: what the emulator lacks, what a GPU would refuse, what is confined."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_failure, compile_kernel, launch, launch_failure, run

F32, I32 = np.float32, np.int32


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('asm volatile("membar.gl;");', "inline assembly (asm)"),
        ("nvcuda::wmma::experimental::bmma_sync(y, y, y, y);", "tensor core operations on single bits (bmma_sync)"),
        ("y[0] = tex2DGather<float>(0, 1, 2);", "layered, gathered and graded textures and surfaces (tex2DGather)"),
        ("auto g = cooperative_groups::this_cluster();", "thread block clusters (this_cluster)"),
        ("k<<<1, 1>>>(y);", "launching a kernel from a kernel"),
        ("try { y[0] = 1; } catch (...) { }", "exceptions (try)"),
    ],
)
def test_what_the_emulator_lacks_is_named_with_its_line(body: str, named: str) -> None:
    failure = compile_failure(f"__global__ void k(float* y) {{\n  y[0] = 1.f;\n  {body}\n}}")
    assert failure.kind == "NotSupported"
    assert str(failure.message) == f"Line 3: the emulator cannot do {named}; use a CUDA device for this kernel."
    assert [(line.line, line.text) for line in failure.lines] == [(3, body)]


@pytest.mark.parametrize(
    "declared",
    [
        "__global__ __cluster_dims__(2, 1, 1) void k(int* y)",
        "__global__ void __cluster_dims__(2, 1, 1) k(int* y)",
        "__cluster_dims__(2, 1, 1) __global__ void k(int* y)",
        "__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64) k(int* y)",
    ],
)
def test_a_kernel_with_cluster_dimensions_is_refused_wherever_they_stand(declared: str) -> None:
    source = f"__global__ void other(int* y) {{ y[0] = 7; }}\n{declared} {{ y[0] = 1; }}\n"
    failure = compile_failure(source)
    assert failure.kind == "NotSupported"
    assert str(failure.message).startswith("Line 2: the emulator cannot do thread block clusters (__cluster_dims__)")
    kernel = compile_kernel(source, "other")
    assert launch(kernel, [np.zeros(1, I32)]).arrays[0].tolist() == [7]


def test_a_kernel_that_launches_another_does_not_hinder_it() -> None:
    source = "__global__ void k(int* y) { y[0] = 5; }\n__global__ void parent(int* y) {\n  k<<<1, 1>>>(y);\n}\n"
    assert run(source, np.zeros(1, I32)).tolist() == [5]
    failure = compile_failure(source, "parent")
    assert str(failure.message).startswith("Line 3: the emulator cannot do launching a kernel from a kernel;")


def test_inline_assembly_hidden_in_a_macro_or_split_over_lines_is_seen() -> None:
    hidden = '#define FENCE as##m volatile("" ::: "memory")\n__global__ void k(int* y) { FENCE; }'
    assert compile_failure(hidden).kind == "NotSupported"
    split = '__global__ void k(int* y) { __as\\\nm__(""); }'
    assert compile_failure(split).kind == "NotSupported"


def test_another_kernel_with_unsupported_parts_does_not_hinder_this_one() -> None:
    source = (
        "__global__ void other(float* y) { y[0] = tex2DGather<float>(0, 1, 2); }\n__global__ void k(float* y) { y[0] = 5.f; }"
    )
    assert run(source, np.zeros(1, F32)).tolist() == [5]


def test_a_header_that_nobody_has_is_named_where_a_kernel_needs_something_from_it() -> None:
    failure = compile_failure(
        "#include <stdint.h>\n#include <cudnn.h>\n#include <ours.h>\n__global__ void k(int* y) { *y = ours(3); }"
    )
    assert failure.kind == "NotSupported"
    gcc, clang = "'ours' was not declared in this scope", "use of undeclared identifier 'ours'"
    assert str(failure.message).startswith((f"Line 4: {gcc}", f"Line 4: {clang}"))
    assert "from what kernel.cu includes and the emulator has not got: cudnn.h, ours.h. Put the header" in str(failure.message)
    assert [(line.line, line.text) for line in failure.lines][1:] == [(2, "#include cudnn.h"), (3, "#include ours.h")]


def test_headers_of_host_libraries_stand_in_nobodys_way() -> None:
    source = "#include <cublasLt.h>\n#include <sys/stat.h>\n#include <omp.h>\n#include <common/book.h>\n"
    source += "using namespace cv;\nusing namespace std;\n__global__ void k(int* y) { y[0] = max(3, 4); }"
    assert run(source, np.zeros(1, I32)).tolist() == [4]


def test_a_file_by_its_path_is_not_included() -> None:
    failure = compile_failure('__device__ int x;\n#include "/etc/hostname"\n__global__ void k(int* y) { }')
    assert failure.kind == "NotSupported"
    assert "Line 2: the emulator does not include /etc/hostname" in str(failure.message)


def test_synchronising_the_grid_is_refused_and_another_kernel_does_not_mind() -> None:
    source = (
        "#include <cooperative_groups.h>\n__global__ void whole(int* y) {\n  cooperative_groups::this_grid().sync();\n}\n"
        "__global__ void k(int* y) { y[0] = cooperative_groups::this_grid().size(); }"
    )
    failure = compile_failure(source, "whole")
    assert failure.kind == "NotSupported"
    assert str(failure.message).startswith("Line 3: the emulator cannot do synchronising the whole grid (sync() of a grid")
    assert run(source, np.zeros(1, I32), block=4, grid=3).tolist() == [12]


def test_a_compile_error_is_at_the_users_line() -> None:
    failure = compile_failure("#include <cuda_runtime.h>\n\n__global__ void k(float* y) {\n  float a = 1.0f\n  y[0] = a + b;\n}")
    assert failure.kind == "CompileFailed"
    assert failure.lines[0].line in (4, 5)
    assert str(failure.message).startswith("kernel.cu does not compile: line ")


def test_an_unknown_name_is_reported_with_the_compilers_words() -> None:
    failure = compile_failure("__global__ void k(float* y) {\n  // nothing\n  y[0] = unknown + 1;\n}")
    assert (failure.lines[0].line, failure.lines[0].severity) == (3, "error")
    assert "unknown" in failure.lines[0].text
    assert failure.detail


def test_an_error_in_a_template_is_at_the_line_of_the_kernel_that_uses_it() -> None:
    source = (
        "template <class T> __device__ T f(T x) {\n  return x.size();\n}\n"
        "template <class T> __global__ void k(T* y) {\n  y[0] = f(y[0]);\n}"
    )
    assert 2 in [line.line for line in compile_failure(source, template=("float",)).lines]


def test_an_entry_that_is_not_there_names_the_kernels_that_are() -> None:
    failure = compile_failure("__global__ void one(int* y) { }\nnamespace n { __global__ void two(int* y) { } }", entry="three")
    assert failure.kind == "WrongInput"
    assert str(failure.message) == "kernel.cu has no kernel named three; it has: one, n::two."
    assert "has no kernel: no function in it is marked __global__" in str(compile_failure("void k(int* y) { }").message)


@pytest.mark.parametrize("declared", ['extern "C" int system(const char*);', 'extern "C" __device__ int system(const char*);'])
def test_system_cannot_be_called(declared: str) -> None:
    failure = compile_failure(f'{declared}\n__global__ void k(int* y) {{\n  y[0] = system("true");\n}}')
    assert failure.kind in ("NotSupported", "CompileFailed")
    assert "system" in str(failure.message)
    assert failure.lines


@pytest.mark.parametrize("name", ["dlsym", "fork", "mprotect", "syscall", "ledger_free", "ledger_launch"])
def test_no_function_outside_the_list_can_be_linked(name: str) -> None:
    source = f'extern "C" __device__ long {name}(long);\n__global__ void k(long* y) {{ y[0] = {name}(y[0]); }}'
    failure = compile_failure(source)
    assert failure.kind == "NotSupported"
    assert f"The kernel calls {name}, which a kernel cannot call" in str(failure.message)
    assert failure.lines[0].line == 1


def test_code_that_would_run_when_the_kernel_is_loaded_is_refused() -> None:
    computed = "__device__ int f() { return clock(); }\n__device__ int start = f();\n__global__ void k(int* y) { y[0] = start; }"
    assert "first value is computed when it is loaded" in str(compile_failure(computed).message)
    attribute = "__attribute__((constructor)) __device__ void f() { }\n__global__ void k(int* y) { f(); }"
    assert "the attribute constructor" in str(compile_failure(attribute).message)


def test_calling_a_host_function_is_refused_as_nvcc_does() -> None:
    failure = compile_failure("int twice(int x) { return 2 * x; }\n__global__ void k(int* y) {\n  y[0] = twice(3);\n}")
    assert failure.kind == "CompileFailed"
    assert str(failure.message) == (
        "Line 3: k calls twice, a host function; only functions marked __device__ can be called from a kernel."
    )


def test_launches_beyond_a_gpus_limits_are_refused_with_both_numbers() -> None:
    kernel = compile_kernel("__global__ void k(int* y) { extern __shared__ int s[]; y[0] = s[0]; }")
    y = np.zeros(1, I32)
    for how, sentence in (
        ({"block": 2048}, "The launch asks for 2048 threads per block; the limit is 1024."),
        ({"block": (2, 2, 128)}, "The launch asks for a block of 128 in z; the limit is 64."),
        ({"grid": (1, 70000)}, "The launch asks for a grid of 70000 in y; the limit is 65535."),
        ({"shared": 240000}, "The launch needs 240000 bytes of shared memory per block; the limit is 232448."),
    ):
        failure = launch_failure(kernel, y, **how)
        assert failure.kind == "LaunchRefused"
        assert str(failure.message) == sentence


def test_too_much_static_shared_memory_and_launch_bounds_are_refused() -> None:
    big = compile_kernel(
        "__global__ void k(int* y) { __shared__ int s[20000]; s[threadIdx.x] = 1; __syncthreads(); y[0] = s[0]; }"
    )
    assert "80000 bytes of static shared memory; the limit is 49152" in str(launch_failure(big, np.zeros(1, I32)).message)
    bound = compile_kernel("__global__ void __launch_bounds__(64) k(int* y) { }")
    assert "the kernel's __launch_bounds__ allows 64" in str(launch_failure(bound, np.zeros(1, I32), block=65).message)


def test_wrong_arguments_are_refused_by_position() -> None:
    kernel = compile_kernel("__global__ void k(float* y, int n, float a) { y[0] = n * a; }")
    y = np.zeros(1, F32)
    for arguments, sentence in (
        ([y, I32(1)], "The project gives 2 arguments, but the kernel has 3 parameters."),
        (
            [y, np.int64(1), F32(1)],
            "Argument 2 is a int64 of 8 bytes, but the kernel's parameter is a signed integer of 4 bytes.",
        ),
        ([y, F32(1), F32(1)], "Argument 2 is a float32 of 4 bytes, but the kernel's parameter is a signed integer of 4 bytes."),
        ([y, y, F32(1)], "Argument 2 is an array, but the kernel's parameter is no pointer."),
        ([I32(1), I32(1), F32(1)], "Argument 1 is a int32, but the kernel's parameter is a pointer."),
    ):
        failure = launch_failure(kernel, *arguments)
        assert failure.kind == "LaunchRefused"
        assert str(failure.message) == sentence


def test_a_failed_assertion_and_a_trap_are_faults_with_their_line() -> None:
    source = "#include <assert.h>\n__global__ void k(int* y) {\n  assert(y[0] > 3);\n  __trap();\n}"
    kernel = compile_kernel(source)
    failed = launch_failure(kernel, np.zeros(1, I32))
    assert str(failed.message) == "Line 3: the assertion y[0] > 3 failed, block (0, 0, 0), thread (0, 0, 0)."
    quiet = compile_kernel(source.replace("__trap();", ""), options=("-DNDEBUG",))
    launch(quiet, [np.zeros(1, I32)])
    assert "Line 4: __trap() was called" in str(launch_failure(kernel, np.full(1, 9, I32)).message)
