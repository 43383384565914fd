"""Reads and writes where they may not go."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_kernel, emulator, launch, launch_failure
from workbench.plugin_api import ResolvedLaunch

F32, I32 = np.float32, np.int32
SHIFT = """__global__ void k(float* y, const float* x, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i + d];
}"""


def test_a_read_one_past_the_end_is_caught_with_its_line_and_place() -> None:
    failure = launch_failure(
        compile_kernel(SHIFT), np.zeros(100, F32), np.zeros(100, F32), I32(100), I32(1), grid=4, block=32, checked=True
    )
    assert failure.kind == "OutOfBounds"
    assert str(failure.message) == (
        "Line 4: out-of-bounds read of 4 bytes at byte 400 (element 100) of argument 2, which has 400 bytes, "
        "block (3, 0, 0), thread (3, 0, 0)."
    )
    assert [(line.line, line.text) for line in failure.lines] == [(4, "y[i] = x[i + d];")]


def test_a_read_before_the_start_is_caught() -> None:
    failure = launch_failure(
        compile_kernel(SHIFT), np.zeros(100, F32), np.zeros(100, F32), I32(100), I32(-2), grid=4, block=32, checked=True
    )
    assert "at byte -8 (element -2) of argument 2" in str(failure.message)


def test_a_write_past_the_end_is_caught_before_it_happens() -> None:
    source = "__global__ void k(float* y, int n) {\n\n  y[threadIdx.x + n] = 1.f;\n}"
    kernel = compile_kernel(source)
    failure = launch_failure(kernel, np.zeros(8, F32), I32(1), block=8, checked=True)
    assert "Line 3: out-of-bounds write of 4 bytes at byte 32 (element 8) of argument 1" in str(failure.message)
    assert launch(kernel, [np.zeros(8, F32), I32(0)], block=8, checked=True).arrays[0].tolist() == [1.0] * 8


def test_a_write_near_the_end_that_nothing_checked_shows_in_the_guards() -> None:
    kernel = compile_kernel("__global__ void k(float* y, int n) { y[n + threadIdx.x] = 1.f; }")
    device = emulator()
    buffer = device.allocate(40)
    device.launch(kernel, ResolvedLaunch((1, 1, 1), (2, 1, 1)), [buffer, I32(10)])
    hits = device.check_guards([buffer])
    device.free(buffer)
    assert [(hit.buffer_index, hit.offset) for hit in hits] == [(0, 40)]


@pytest.mark.parametrize(
    "word", ["atomicAdd(y + n, 1.f)", "y[n] += 1.f", "memcpy(y + n, y, 4 * (n - n + 1))", "y[0] = __ldg(y + n)"]
)
def test_every_kind_of_access_is_seen(word: str) -> None:
    source = f"__global__ void k(float* y, int n) {{\n  {word};\n}}"
    failure = launch_failure(compile_kernel(source), np.zeros(16, F32), I32(16), checked=True)
    assert failure.kind == "OutOfBounds"
    assert failure.lines[0].line == 2
    assert "at byte 64" in str(failure.message)


def test_an_index_outside_a_shared_or_local_array_is_caught() -> None:
    shared = "__global__ void k(float* y, int i) {\n  __shared__ float t[4][8];\n  t[1][i] = 1.f;\n  y[0] = t[0][0];\n}"
    failure = launch_failure(compile_kernel(shared), np.zeros(1, F32), I32(8), checked=True)
    assert failure.kind == "OutOfBounds"
    assert "Line 3: index 8 is outside an array of type float[8]" in str(failure.message).replace("float [", "float[")
    local = "__global__ void k(int* y, int i) {\n  int t[3] = {1, 2, 3};\n  y[0] = t[i];\n}"
    assert "Line 3: index -1 is outside" in str(
        launch_failure(compile_kernel(local), np.zeros(1, I32), I32(-1), checked=True).message
    )


def test_dynamic_shared_memory_ends_where_the_launch_says() -> None:
    source = (
        "__global__ void k(float* y) {\n  extern __shared__ float s[];\n  s[threadIdx.x] = 1.f;\n"
        "  __syncthreads();\n  y[0] = s[0];\n}"
    )
    kernel = compile_kernel(source)
    assert launch(kernel, [np.zeros(1, F32)], block=10, shared=40, checked=True).arrays[0][0] == 1.0
    failure = launch_failure(kernel, np.zeros(1, F32), block=11, shared=40, checked=True)
    assert failure.kind == "OutOfBounds"
    assert failure.lines[0].line == 3


def test_a_misaligned_vector_access_is_a_fault() -> None:
    source = "__global__ void k(float* y, int i) {\n  *reinterpret_cast<float4*>(y + i) = make_float4(1, 2, 3, 4);\n}"
    failure = launch_failure(compile_kernel(source), np.zeros(16, F32), I32(1), checked=True)
    assert failure.kind == "DeviceFault"
    assert "Line 2" in str(failure.message)
    assert "is not a multiple of" in str(failure.message)


def test_a_null_pointer_is_out_of_bounds() -> None:
    source = (
        "struct Box { float* p; };\n__global__ void k(float* y) {\n  Box b{nullptr};\n"
        "  if (threadIdx.x == 3) y = b.p;\n  *y = 1.f;\n}"
    )
    failure = launch_failure(compile_kernel(source), np.zeros(1, F32), block=4, checked=True)
    assert "in no argument of the kernel, block (0, 0, 0), thread (3, 0, 0)" in str(failure.message)


def test_checked_launches_give_the_same_answers_as_plain_ones() -> None:
    source = """
    __constant__ float w[3];
    __global__ void k(float* y, const float* x, int n) {
      __shared__ float s[66];
      int i = blockIdx.x * 64 + threadIdx.x;
      s[threadIdx.x + 1] = i < n ? x[i] : 0.f;
      if (threadIdx.x == 0) { s[0] = i > 0 ? x[i - 1] : 0.f; s[65] = i + 64 < n ? x[i + 64] : 0.f; }
      __syncthreads();
      if (i < n) y[i] = w[0] * s[threadIdx.x] + w[1] * s[threadIdx.x + 1] + w[2] * s[threadIdx.x + 2];
    }"""
    kernel = compile_kernel(source, constants={"w": (1.0, 2.0, 4.0)})
    x = np.arange(1000, dtype=F32)
    plain, checked = (
        launch(kernel, [np.zeros(1000, F32), x, I32(1000)], grid=16, block=64, checked=c).arrays[0] for c in (False, True)
    )
    assert (plain == checked).all()
    assert plain[1:3].tolist() == [0 + 2 + 8, 1 + 4 + 12]
