"""What kernels use of libcu++ and of the primitives for asynchronous copies."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_failure, compile_kernel, launch, run

F32, I32 = np.float32, np.int32


@pytest.mark.parametrize("checked", [False, True])
def test_atomic_references_count_add_and_exchange(checked: bool) -> None:
    source = """#include <cuda/atomic>
    __global__ void k(int* y, float* f) { cuda::atomic_ref<int, cuda::thread_scope_device> a(y[0]);
      a.fetch_add(2, cuda::std::memory_order_relaxed); a++; cuda::atomic_ref<float> b(*f); b.fetch_add(0.5f);
      cuda::atomic_ref<int> most(y[1]); most.fetch_max((int)threadIdx.x);
      int seen = y[2]; cuda::atomic_ref<int> c(y[2]); while (!c.compare_exchange_weak(seen, seen + 3)) { } }"""
    found = launch(compile_kernel(source), [np.zeros(3, I32), np.zeros(1, F32)], block=32, grid=4, checked=checked).arrays
    assert found[0].tolist() == [384, 31, 384]
    assert found[1].tolist() == [64.0]


def test_a_flag_between_blocks_is_waited_for() -> None:
    source = """#include <cuda/atomic>
    __global__ void k(int* data, int* flag) { cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
      if (blockIdx.x == 0) { data[0] = 42; ready.store(1, cuda::memory_order_release); }
      else { while (ready.load(cuda::memory_order_acquire) == 0) { } data[blockIdx.x] = data[0]; } }"""
    assert run(source, np.zeros(3, I32), np.zeros(1, I32), grid=3).tolist() == [42] * 3


@pytest.mark.parametrize("checked", [False, True])
def test_a_barrier_in_shared_memory_separates_phases(checked: bool) -> None:
    source = """#include <cuda/barrier>
    __global__ void k(int* y) { __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ int s[64]; int r = threadIdx.x;
      if (r == 0) init(&bar, blockDim.x);
      __syncthreads();
      for (int phase = 0; phase < 3; ++phase) { s[r] = r + phase; auto token = bar.arrive(); bar.wait(std::move(token));
        y[r] += s[63 - r]; bar.arrive_and_wait(); } }"""
    found = launch(compile_kernel(source), [np.zeros(64, I32)], block=64, checked=checked).arrays[0]
    assert found.tolist() == [3 * (63 - r) + 3 for r in range(64)]


def test_copies_through_a_pipeline_have_arrived_after_the_wait() -> None:
    source = """#include <cooperative_groups.h>
    #include <cuda/pipeline>
    __global__ void k(int* y) { __shared__ int s[2][32]; auto b = cooperative_groups::this_thread_block();
      __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; auto p = cuda::make_pipeline(b, &state);
      for (int half = 0; half < 2; ++half) { p.producer_acquire();
        cuda::memcpy_async(b, s[half], y + 32 * half, sizeof(int) * 32, p);
        p.producer_commit(); }
      for (int half = 0; half < 2; ++half) { p.consumer_wait(); int v = s[half][31 - threadIdx.x]; p.consumer_release();
        y[32 * half + threadIdx.x] = v; } }"""
    assert run(source, np.arange(64, dtype=I32), block=32).tolist() == [*range(31, -1, -1), *range(63, 31, -1)]


def test_the_primitives_of_cuda_pipeline_copy_and_fill_with_zeros() -> None:
    source = """#include <cuda_pipeline.h>
    __global__ void k(int* y) { __shared__ __align__(16) int s[64]; int r = threadIdx.x;
      __pipeline_memcpy_async(s + 4 * r, y + 4 * r, 16, r == 1 ? 8 : 0); __pipeline_commit(); __pipeline_wait_prior(0);
      __syncthreads(); for (int i = 0; i < 4; ++i) y[4 * r + i] = s[63 - (4 * r + i)]; }"""
    wanted = np.arange(64)
    wanted[6:8] = 0
    assert run(source, np.arange(64, dtype=I32), block=16).tolist() == wanted[::-1].tolist()


def test_cuda_std_and_thrust_names_stand_for_cpps_own() -> None:
    source = """#include <cuda/std/limits>
    #include <cuda/functional>
    #include <thrust/functional.h>
    __global__ void k(int* y) { y[0] = cuda::std::numeric_limits<int>::max();
        y[1] = cuda::std::min(3, 4) + cuda::maximum<>()(5, 6);
      y[2] = thrust::plus<int>()(1, 2) + cuda::ceil_div(10, 4); cuda::std::array<int, 2> a = {7, 8}; y[3] = a[1];
      y[4] = cuda::std::is_same_v<int, int>; }"""
    assert run(source, np.zeros(5, I32)).tolist() == [2147483647, 9, 6, 8, 1]


def test_what_libcudacxx_has_and_the_shim_has_not_is_a_compile_error_at_its_line() -> None:
    failure = compile_failure("#include <cuda/std/span>\n__global__ void k(int* y) {\n  cuda::counting_semaphore<4> s(1);\n}")
    assert failure.kind == "CompileFailed"
    assert failure.lines[0].line == 3
