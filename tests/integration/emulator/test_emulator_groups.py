"""Cooperative groups: each collective against what the lanes' numbers say, and what goes wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_kernel, launch, launch_failure, run

I32 = np.int32
HEAD = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
"""


def by_rank(body: str, *, block: int = 64, checked: bool = False) -> list[int]:
    """Return `y` of a kernel whose body has `b` (the block), `r` (the thread's rank) and gives `y[r]`."""
    source = f"{HEAD}__global__ void k(int* y) {{ auto b = cg::this_thread_block(); int r = b.thread_rank(); {body} }}"
    found: list[int] = launch(compile_kernel(source), [np.zeros(block, I32)], block=block, checked=checked).arrays[0].tolist()
    return found


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16, 32])
def test_a_tile_of_every_size_shuffles_votes_reduces_and_scans_inside_itself(size: int) -> None:
    tile = f"auto t = cg::tiled_partition<{size}>(b);"
    ranks = range(64)
    first = [r // size * size for r in ranks]
    assert by_rank(f"{tile} y[r] = t.shfl(r, {size - 1});") == [f + size - 1 for f in first]
    assert by_rank(f"{tile} y[r] = t.shfl_xor(r, {size // 2});") == [r ^ (size // 2) for r in ranks]
    assert by_rank(f"{tile} y[r] = t.shfl_down(r, 1);") == [min(r + 1, f + size - 1) for r, f in zip(ranks, first, strict=True)]
    assert by_rank(f"{tile} y[r] = t.shfl_up(r, 1);") == [max(r - 1, f) for r, f in zip(ranks, first, strict=True)]
    assert by_rank(f"{tile} y[r] = cg::reduce(t, r, cg::plus<int>());") == [sum(range(f, f + size)) for f in first]
    assert by_rank(f"{tile} y[r] = cg::inclusive_scan(t, 1);") == [r % size + 1 for r in ranks]
    assert by_rank(f"{tile} y[r] = cg::exclusive_scan(t, 2);") == [r % size * 2 for r in ranks]
    assert by_rank(f"{tile} y[r] = t.any(r == 9) * 2 + t.all(r >= 8);") == [(f <= 9 < f + size) * 2 + (f >= 8) for f in first]
    assert by_rank(f"{tile} y[r] = t.meta_group_rank() * 100 + t.meta_group_size();") == [
        f // size * 100 + 64 // size for f in first
    ]


def test_matches_and_ballots_are_numbered_from_the_tiles_first_lane() -> None:
    assert by_rank("auto t = cg::tiled_partition<4>(b); y[r] = t.ballot(r % 2);") == [0b1010] * 64
    assert by_rank("auto t = cg::tiled_partition<4>(b); y[r] = t.match_any(r % 4 < 3);")[:4] == [0b0111, 0b0111, 0b0111, 0b1000]
    assert (
        by_rank("auto t = cg::tiled_partition<4>(b); int all; y[r] = t.match_all(r / 4, all) * 2 + all;") == [0b1111 * 2 + 1] * 64
    )


def test_values_larger_than_a_register_are_shuffled() -> None:
    body = "auto t = cg::tiled_partition<8>(b); double2 v = make_double2(r, -r); v = t.shfl(v, 2); y[r] = v.x * 100 - v.y;"
    assert by_rank(body) == [(r // 8 * 8 + 2) * 101 for r in range(64)]


def test_threads_that_came_together_are_counted_and_numbered_in_order() -> None:
    body = (
        "if (r % 3 == 0) { auto c = cg::coalesced_threads(); y[r] = c.size() * 1000 + c.thread_rank() * 10 + c.shfl(r, 1) / 3; }"
    )
    found = by_rank(body)
    lanes = [r for r in range(64) if r % 3 == 0]
    for warp in (0, 1):
        mine = [r for r in lanes if r // 32 == warp]
        assert [found[r] for r in mine] == [len(mine) * 1000 + n * 10 + mine[1] // 3 for n in range(len(mine))]
    summed = by_rank("if (r % 3 == 0) { auto c = cg::coalesced_threads(); y[r] = cg::reduce(c, r, cg::plus<int>()); }")
    assert summed[0] == sum(r for r in range(32) if r % 3 == 0)
    assert summed[33] == sum(r for r in range(32, 64) if r % 3 == 0)


def test_partitions_by_label_by_predicate_and_by_size() -> None:
    labelled = by_rank(
        "auto l = cg::labeled_partition(cg::tiled_partition<32>(b), r % 5); y[r] = l.size() * 10 + l.meta_group_rank();"
    )
    assert labelled[:5] == [70, 71, 62, 63, 64]
    binary = by_rank(
        "auto p = cg::binary_partition(cg::tiled_partition<32>(b), r % 4 == 0); y[r] = p.size() * 100 + p.thread_rank();"
    )
    assert binary[:5] == [800, 2400, 2401, 2402, 801]
    groups = by_rank("cg::thread_group g = cg::tiled_partition(b, 4); g.sync(); y[r] = g.size() * 10 + g.thread_rank();")
    assert groups[:5] == [40, 41, 42, 43, 40]


@pytest.mark.parametrize("checked", [False, True])
def test_a_tile_of_several_warps_meets_without_the_rest_of_the_block(checked: bool) -> None:
    body = """__shared__ int s[256]; auto t = cg::tiled_partition<64>(b);
    if (r >= 64) { s[r] = r; t.sync(); y[r] = s[r ^ 63]; } else y[r] = -1;"""
    assert by_rank(body, block=256, checked=checked) == [-1] * 64 + [r ^ 63 for r in range(64, 256)]


def test_the_block_and_the_grid_know_their_sizes() -> None:
    source = f"""{HEAD}__global__ void k(int* y) {{
      cg::thread_block b = cg::this_thread_block(); cg::grid_group g = cg::this_grid();
      if (g.thread_rank() == 13) {{ y[0] = b.size(); y[1] = b.group_index().x; y[2] = b.thread_index().y; y[3] = g.size();
        y[4] = g.num_blocks(); y[5] = g.block_rank(); cg::sync(cg::coalesced_threads()); }}
      cg::sync(b); }}"""
    assert run(source, np.zeros(6, I32), block=(2, 2), grid=4).tolist() == [4, 3, 0, 16, 4, 3]


def test_an_asynchronous_copy_has_arrived_after_the_wait() -> None:
    body = "__shared__ int s[64]; y[r] = r; b.sync(); cg::memcpy_async(b, s, y, sizeof(int) * 64); cg::wait(b); y[r] = s[63 - r];"
    assert by_rank(body) == list(range(63, -1, -1))
    some = "__shared__ int s[64]; s[r] = 9; b.sync(); cg::memcpy_async(b, s, 64, y, 3); cg::wait(b); y[r] = s[r];"
    assert by_rank(some) == [0] * 3 + [9] * 61


def test_a_lane_that_never_comes_to_a_tiles_barrier_is_found() -> None:
    source = f"""{HEAD}__global__ void k(int* y) {{ auto t = cg::tiled_partition<8>(cg::this_thread_block());
      if (threadIdx.x != 3)
        t.sync();
      else
        while (true) __syncthreads(); }}"""
    failure = launch_failure(compile_kernel(source), np.zeros(1, I32), block=8)
    assert failure.kind == "DeviceFault"
    assert 8 in [line.line for line in failure.lines]
