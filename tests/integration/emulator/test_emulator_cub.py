"""CUB's block and warp primitives with blocks that are no whole number of warps, and a TempStorage used too early."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_kernel, launch, run

F32, I32 = np.float32, np.int32
THREADS, ITEMS = 100, 3
HEAD = f"#include <cub/cub.cuh>\nconstexpr int T = {THREADS}, N = {ITEMS};\n"
NUMBERS = np.random.default_rng(5).integers(-1000, 1000, THREADS * ITEMS).astype(I32)


def block(body: str, given: np.ndarray = NUMBERS, *, checked: bool = False) -> list[int]:
    """Return `y` of a kernel whose body has `x[N]` (blocked from `in`), `r` and `y`, as long as the input."""
    source = f"""{HEAD}__global__ void k(int* y, const int* in) {{ int r = threadIdx.x, x[N];
      for (int i = 0; i < N; ++i) x[i] = in[r * N + i];
      {body} }}"""
    found: list[int] = (
        launch(compile_kernel(source), [np.zeros_like(given), given], block=THREADS, checked=checked).arrays[0].tolist()
    )
    return found


@pytest.mark.parametrize("checked", [False, True])
def test_block_reduce_gives_thread_0_the_sum_the_largest_and_the_sum_of_some(checked: bool) -> None:
    body = """using R = cub::BlockReduce<int, T>; __shared__ typename R::TempStorage t;
      int all = R(t).Sum(x); __syncthreads(); int most = R(t).Reduce(x[0], cub::Max()); __syncthreads();
      int some = R(t).Sum(x[0], 40); __syncthreads(); int least = R(t).Reduce(x, [](int a, int b) { return a < b ? a : b; });
      if (r == 0) { y[0] = all; y[1] = most; y[2] = some; y[3] = least; }"""
    first = NUMBERS[::ITEMS]
    assert block(body, checked=checked)[:4] == [NUMBERS.sum(), first.max(), first[:40].sum(), NUMBERS.min()]


def test_block_scan_gives_every_thread_its_prefix_and_the_aggregate() -> None:
    head = "using S = cub::BlockScan<int, T>; __shared__ S::TempStorage t; int out[N], sum;"
    give = "for (int i = 0; i < N; ++i) y[r * N + i] = out[i] + (sum - sum);"
    assert block(f"{head} S(t).ExclusiveSum(x, out, sum); {give}") == (np.cumsum(NUMBERS) - NUMBERS).tolist()
    assert block(f"{head} S(t).InclusiveSum(x, out, sum); {give}") == np.cumsum(NUMBERS).tolist()
    assert block(f"{head} S(t).InclusiveScan(x, out, cub::Max(), sum); {give}") == np.maximum.accumulate(NUMBERS).tolist()
    assert block(f"{head} S(t).ExclusiveSum(x[0], out[0], sum); y[r] = sum;")[:THREADS] == [NUMBERS[::ITEMS].sum()] * THREADS


def test_a_running_prefix_goes_from_one_part_of_the_input_to_the_next() -> None:
    source = f"""{HEAD}struct Running {{ int total; __device__ int operator()(int sum) {{ int old = total;
        total += sum; return old; }} }};
    __global__ void k(int* y) {{ using S = cub::BlockScan<int, T, cub::BLOCK_SCAN_WARP_SCANS>; __shared__ S::TempStorage t;
      Running prefix{{7}};
      for (int part = 0; part < 3; ++part) {{ int out; S(t).ExclusiveSum(1, out, prefix); y[part * T + threadIdx.x] = out;
        __syncthreads(); }} }}"""
    assert run(source, np.zeros(THREADS * 3, I32), block=THREADS).tolist() == list(range(7, 7 + THREADS * 3))


@pytest.mark.parametrize("kind", ["DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE"])
def test_loads_and_stores_of_every_kind_agree_and_respect_the_number_of_valid_items(kind: str) -> None:
    body = f"""using L = cub::BlockLoad<int, T, N, cub::BLOCK_LOAD_{kind}>;
        using S = cub::BlockStore<int, T, N, cub::BLOCK_STORE_{kind}>;
      __shared__ union {{ typename L::TempStorage l; typename S::TempStorage s; }} t;
      L(t.l).Load(in, x, 250, -1); __syncthreads(); S(t.s).Store(y, x, 260);"""
    assert block(body) == [*NUMBERS[:250].tolist(), *[-1] * 10, *[0] * 40]


def test_exchange_and_shuffle_move_items_between_threads() -> None:
    striped = "using E = cub::BlockExchange<int, T, N>; __shared__ E::TempStorage t; E(t).BlockedToStriped(x); y[r] = x[1];"
    assert block(striped)[:THREADS] == NUMBERS[THREADS : 2 * THREADS].tolist()
    rotated = "using S = cub::BlockShuffle<int, T>; __shared__ S::TempStorage t; int o; S(t).Rotate(x[0], o, 2); y[r] = o;"
    assert block(rotated)[:THREADS] == np.roll(NUMBERS[::ITEMS], -2).tolist()


@pytest.mark.parametrize("method", ["Sort", "SortDescending"])
def test_radix_sort_is_stable_with_values_and_takes_part_of_the_bits(method: str) -> None:
    body = f"""using S = cub::BlockRadixSort<int, T, N, int>; __shared__ S::TempStorage t; int v[N];
      for (int i = 0; i < N; ++i) v[i] = r * N + i; S(t).{method}(x, v); for (int i = 0; i < N; ++i) y[r * N + i] = v[i];"""
    keys = NUMBERS % 50
    wanted = np.argsort(keys if method == "Sort" else -keys, kind="stable")
    assert block(body, keys) == wanted.tolist()
    low = "using S = cub::BlockRadixSort<unsigned, T, N>; __shared__ S::TempStorage t; unsigned u[N];"
    low += "for (int i = 0; i < N; ++i) u[i] = x[i]; S(t).Sort(u, 0, 3); for (int i = 0; i < N; ++i) y[r * N + i] = u[i];"
    assert block(low, keys % 64) == (keys % 64)[np.argsort(keys % 8, kind="stable")].tolist()


def test_floats_are_sorted_with_their_signs() -> None:
    source = f"""{HEAD}__global__ void k(float* y) {{ using S = cub::BlockRadixSort<float, 32, 1>; __shared__ S::TempStorage t;
      float x[1] = {{y[threadIdx.x]}}; S(t).Sort(x); y[threadIdx.x] = x[0]; }}"""
    numbers = np.random.default_rng(1).standard_normal(32).astype(F32)
    assert run(source, numbers, block=32).tolist() == np.sort(numbers).tolist()


def test_warp_primitives_work_on_logical_warps_and_segments() -> None:
    source = f"""{HEAD}__global__ void k(int* y) {{ int r = threadIdx.x;
      using R = cub::WarpReduce<int, 8>; __shared__ R::TempStorage t[8]; int sum = R(t[r / 8]).Sum(r);
      if (r % 8 == 0) y[r / 8] = sum;
      using H = cub::WarpReduce<int>; __shared__ H::TempStorage h[2]; y[64 + r] = H(h[r / 32]).HeadSegmentedSum(1, r % 10 == 0);
      using S = cub::WarpScan<int, 16>; __shared__ S::TempStorage s[4]; int out, all; S(s[r / 16]).ExclusiveSum(2, out, all);
      y[128 + r] = out * 100 + all; }}"""
    found = run(source, np.zeros(192, I32), block=64).tolist()
    assert found[:8] == [sum(range(first, first + 8)) for first in range(0, 64, 8)]
    heads = [r for r in range(32) if r % 10 == 0]
    assert [found[64 + r] for r in heads] == [10, 10, 10, 2]
    assert found[128:160] == [2 * (r % 16) * 100 + 32 for r in range(32)]


def test_its_shared_memory_is_counted_and_small() -> None:
    body = "using R = cub::BlockReduce<int, 128>; __shared__ R::TempStorage t; y[0] = R(t).Sum(1);"
    source = f"{HEAD}__global__ void k(int* y) {{ {body} }}"
    kernel = compile_kernel(source)
    assert 16 <= (kernel.compiled.data.static_shared_bytes or 0) <= 64
    assert launch(kernel, [np.zeros(1, I32)], block=128, checked=True).arrays[0].shape == (1,)


def test_a_block_that_is_not_the_one_the_primitive_was_made_for_is_caught_as_out_of_bounds() -> None:
    source = f"""{HEAD}__global__ void k(int* y) {{ using E = cub::BlockExchange<int, 32, 1>; __shared__ E::TempStorage t;
      int x[1] = {{1}}; E(t).BlockedToStriped(x); y[threadIdx.x] = x[0]; }}"""
    kernel = compile_kernel(source)
    assert launch(kernel, [np.zeros(32, I32)], block=32, checked=True).arrays[0].tolist() == [1] * 32
    with pytest.raises(Exception, match=r"out-of-bounds|Out of bounds|out of bounds"):
        launch(kernel, [np.zeros(1024, I32)], block=1024, checked=True)
