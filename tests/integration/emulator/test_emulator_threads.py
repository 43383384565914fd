"""Threads of a block together: barriers, warps, atomics, and what is reported when they miss each other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_kernel, launch, launch_failure, run

I32 = np.int32


def test_a_reduction_over_shared_memory_adds_every_element() -> None:
    source = """
    __global__ void k(float* y, const float* x, int n) {
      __shared__ float s[256];
      int i = blockIdx.x * 256 + threadIdx.x;
      s[threadIdx.x] = i < n ? x[i] : 0.f;
      __syncthreads();
      for (int d = 128; d > 0; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); }
      if (threadIdx.x == 0) y[blockIdx.x] = s[0];
    }"""
    x = np.arange(1000, dtype=np.float32)
    got = run(source, np.zeros(4, np.float32), x, I32(1000), grid=4, block=256)
    assert got.tolist() == [x[i * 256 : (i + 1) * 256].sum() for i in range(4)]


def test_threads_that_returned_count_as_arrived() -> None:
    source = """
    __global__ void k(int* y) {
      __shared__ int s[64];
      if (threadIdx.x >= 40) return;
      s[threadIdx.x] = threadIdx.x;
      __syncthreads();
      y[threadIdx.x] = s[39 - threadIdx.x] + __syncthreads_count(threadIdx.x % 2) * 100;
    }"""
    assert run(source, np.zeros(40, I32), block=64).tolist() == [39 - i + 2000 for i in range(40)]


def test_syncthreads_and_or_see_every_predicate() -> None:
    source = """
    __global__ void k(int* y, int n) {
      int all = __syncthreads_and(threadIdx.x < n), any = __syncthreads_or(threadIdx.x == n);
      y[threadIdx.x] = all * 2 + any;
    }"""
    kernel = compile_kernel(source)
    assert set(launch(kernel, [np.zeros(64, I32), I32(64)], block=64).arrays[0]) == {2}
    assert set(launch(kernel, [np.zeros(64, I32), I32(63)], block=64).arrays[0]) == {1}


def test_live_threads_at_different_barriers_are_a_fault_with_both_lines() -> None:
    source = (
        "__global__ void k(int* y) {\n  if (threadIdx.x < 32)\n    __syncthreads();\n  else\n    __syncthreads();\n  y[0] = 1;\n}"
    )
    failure = launch_failure(compile_kernel(source), np.zeros(1, I32), block=64)
    assert failure.kind == "DeviceFault"
    assert "different barriers, lines 3 and 5" in str(failure.message)
    assert [line.line for line in failure.lines] == [3, 5]


def test_after_a_reported_fault_the_next_launch_works() -> None:
    bad = compile_kernel("__global__ void k(int* y) {\n if (threadIdx.x % 2)\n __syncthreads();\n else\n __syncthreads();\n}")
    launch_failure(bad, np.zeros(1, I32), block=64, grid=50)
    good = "__global__ void k(int* y) { __syncthreads(); y[threadIdx.x] = threadIdx.x; }"
    assert run(good, np.zeros(64, I32), block=64).tolist() == list(range(64))


def test_shuffles_move_values_between_lanes() -> None:
    source = """
    __global__ void k(int* y) {
      int i = threadIdx.x, n = blockDim.x, v = i * 10;
      y[i] = __shfl_sync(0xffffffff, v, 3);
      y[n + i] = __shfl_up_sync(0xffffffff, v, 2);
      y[2 * n + i] = __shfl_down_sync(0xffffffff, v, 2, 8);
      y[3 * n + i] = __shfl_xor_sync(0xffffffff, v, 1);
      y[4 * n + i] = __shfl_sync(0xffffffff, v, 9, 8);
      y[5 * n + i] = (int)__shfl_sync(0xffffffff, (double)v, 5);
    }"""
    got = run(source, np.zeros(6 * 64, I32), block=64).reshape(6, 64)
    lane, base = np.arange(64) % 32, np.arange(64) // 32 * 32
    assert (got[0] == (base + 3) * 10).all()
    assert (got[1] == (base + np.where(lane >= 2, lane - 2, lane)) * 10).all()
    assert (got[2] == (base + np.where(lane % 8 + 2 < 8, lane + 2, lane)) * 10).all()
    assert (got[3] == (base + (lane ^ 1)) * 10).all()
    assert (got[4] == (base + lane // 8 * 8 + 1) * 10).all()
    assert (got[5] == (base + 5) * 10).all()


def test_a_warp_reduction_by_shuffles_and_by_reduce_sync_agree() -> None:
    source = """
    __global__ void k(int* y, const int* x) {
      int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
      for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
      int r = __reduce_add_sync(0xffffffffu, x[i]);
      if (threadIdx.x % 32 == 0) { y[2 * (i / 32)] = v; y[2 * (i / 32) + 1] = r; }
    }"""
    x = np.arange(256, dtype=I32) ** 2
    sums = x.reshape(8, 32).sum(1)
    assert run(source, np.zeros(16, I32), x, grid=2, block=128).reshape(8, 2).tolist() == [[s, s] for s in sums.tolist()]


def test_votes_and_matches_see_the_lanes_of_the_mask() -> None:
    source = """
    __global__ void k(unsigned* y) {
      unsigned lane = threadIdx.x;
      y[lane] = __ballot_sync(0xffffffff, lane % 3 == 0);
      if (lane < 8) y[32 + lane] = __ballot_sync(0xff, lane & 1) | __any_sync(0xff, lane == 7) << 30
          | __all_sync(0xff, lane < 7) << 31;
      y[64 + lane] = __match_any_sync(0xffffffff, lane / 16);
      __syncwarp();
      y[96 + lane] = __activemask();
    }"""
    got = run(source, np.zeros(128, np.uint32), block=32).reshape(4, 32)
    assert set(got[0]) == {sum(1 << i for i in range(0, 32, 3))}
    assert set(got[1][:8]) == {0xAA | 1 << 30}
    assert set(got[2]) == {0x0000FFFF, 0xFFFF0000}
    assert set(got[3]) == {0xFFFFFFFF}


def test_two_halves_of_a_warp_may_work_on_different_masks() -> None:
    source = """
    __global__ void k(int* y) {
      int lane = threadIdx.x, v = lane;
      if (lane < 16) { for (int d = 8; d; d /= 2) v += __shfl_xor_sync(0x0000ffff, v, d); }
      else { v += __shfl_xor_sync(0xffff0000, v, 1); }
      y[lane] = v;
    }"""
    got = run(source, np.zeros(32, I32), block=32)
    assert got.tolist() == [120] * 16 + [i + (i ^ 1) for i in range(16, 32)]


def test_lanes_that_never_come_are_reported_instead_of_waited_for() -> None:
    source = (
        "__global__ void k(int* y) {\n  if (threadIdx.x < 16)\n"
        "    y[0] = __shfl_sync(0xffffffff, 1, 0);\n  else\n    __syncthreads();\n}"
    )
    failure = launch_failure(compile_kernel(source), np.zeros(1, I32), block=32)
    assert failure.kind == "DeviceFault"
    assert "at line 5 and at the warp operation of line 3" in str(failure.message)


def test_a_lane_outside_its_own_mask_is_reported() -> None:
    failure = launch_failure(
        compile_kernel("__global__ void k(int* y) { y[0] = __shfl_sync(1, 1, 0); }"), np.zeros(1, I32), block=2
    )
    assert "whose mask 0x1 does not name its own lane" in str(failure.message)


@pytest.mark.parametrize("dtype", ["int", "unsigned", "unsigned long long", "float", "double"])
def test_atomic_add_loses_nothing_between_blocks(dtype: str) -> None:
    kind = {"int": "int32", "unsigned": "uint32", "unsigned long long": "uint64", "float": "float32", "double": "float64"}[dtype]
    source = f"__global__ void k({dtype}* y) {{ atomicAdd(y, 2); atomicAdd(&y[1], ({dtype})threadIdx.x); }}"
    got = run(source, np.zeros(2, kind), grid=40, block=100)
    assert got.tolist() == [8000, 40 * 4950]


def test_every_atomic_function_gives_the_old_value_and_the_new_state() -> None:
    source = """
    __global__ void k(int* y, unsigned* u, unsigned long long* w, float* f, int* old) {
      int i = 0;
      old[i++] = atomicSub(&y[0], 3); old[i++] = atomicExch(&y[1], 9); old[i++] = atomicMin(&y[2], -4);
        old[i++] = atomicMax(&y[3], 70);
      old[i++] = atomicAnd(&y[4], 6); old[i++] = atomicOr(&y[5], 8); old[i++] = atomicXor(&y[6], 3);
        old[i++] = atomicCAS(&y[7], 5, 50);
      old[i++] = atomicCAS(&y[8], 6, 60); old[i++] = atomicInc(&u[0], 5); old[i++] = atomicInc(&u[1], 5);
      old[i++] = atomicDec(&u[2], 5); old[i++] = atomicDec(&u[3], 5);
      atomicMax(&w[0], 1ull << 40); atomicExch(&f[0], 2.5f); atomicMin(&u[4], 7u);
    }"""
    y, u = np.full(9, 5, I32), np.array([4, 5, 0, 3, 9], np.uint32)
    arrays = launch(compile_kernel(source), [y, u, np.zeros(1, np.uint64), np.zeros(1, np.float32), np.zeros(13, I32)]).arrays
    assert arrays[0].tolist() == [2, 9, -4, 70, 4, 13, 6, 50, 5]
    assert arrays[1].tolist() == [5, 0, 5, 2, 7]
    assert (arrays[2][0], arrays[3][0]) == (1 << 40, 2.5)
    assert arrays[4].tolist() == [5] * 9 + [4, 5, 0, 3]


def test_a_thread_that_waits_for_another_through_memory_gives_it_a_turn() -> None:
    source = """
    __global__ void k(volatile int* flag, int* y) {
      if (threadIdx.x == 0) { while (*flag == 0) { } y[0] = *flag; }
      else if (threadIdx.x == 1) *flag = 42;
    }"""
    assert launch(compile_kernel(source), [np.zeros(1, I32), np.zeros(1, I32)], block=2).arrays[1].tolist() == [42]


def test_a_spin_lock_in_a_block_is_passed_on() -> None:
    source = """
    __global__ void k(int* lock, int* y) {
      bool done = false;
      while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) { y[0] += 1; __threadfence(); atomicExch(lock, 0); done = true; }
      }
    }"""
    assert launch(compile_kernel(source), [np.zeros(1, I32), np.zeros(1, I32)], block=64, grid=8).arrays[1].tolist() == [512]


def test_full_blocks_of_1024_threads_meet_at_barriers() -> None:
    source = """
    __global__ void k(int* y) {
      __shared__ int s[1024];
      for (int r = 0; r < 4; ++r) { s[threadIdx.x] = threadIdx.x + r; __syncthreads();
        y[blockIdx.x * 1024 + threadIdx.x] += s[1023 - threadIdx.x];
        __syncthreads(); }
    }"""
    got = run(source, np.zeros(3072, I32), grid=3, block=1024)
    assert got.tolist() == [4 * (1023 - i % 1024) + 6 for i in range(3072)]


def test_activemask_names_the_lanes_that_came_together() -> None:
    source = """
    __global__ void k(unsigned* y, int* total) {
      int lane = threadIdx.x % 32;
      if (lane % 2) {
        unsigned mask = __activemask();
        y[threadIdx.x] = mask;
        if (lane == __ffs(mask) - 1) atomicAdd(total, __popc(mask));
      } else { __syncwarp(0x55555555); y[threadIdx.x] = __activemask(); }
    }"""
    arrays = launch(compile_kernel(source), [np.zeros(64, np.uint32), np.zeros(1, I32)], block=64).arrays
    assert arrays[0].tolist() == [0x55555555, 0xAAAAAAAA] * 32
    assert arrays[1].tolist() == [32]


def test_lanes_that_called_one_function_from_two_places_do_not_come_together_in_it() -> None:
    source = """
    struct Counter {
      int* at;
      __device__ void add() {
        const unsigned mask = __activemask();
        if (__ffs(mask) - 1 == threadIdx.x % 32) atomicAdd(at, __popc(mask));
      }
    };
    template <class T> __device__ T count(T* at) { Counter{at}.add(); return T(1); }
    __global__ void k(int* y) {
      if (threadIdx.x % 3 == 0) count(y);
      if (threadIdx.x % 2 == 0) { int one = count(y + 1); atomicAdd(y + 2, one); }
      else Counter{y + 3}.add();
    }"""
    assert run(source, np.zeros(4, np.int32), block=64).tolist() == [22, 32, 32, 32]
