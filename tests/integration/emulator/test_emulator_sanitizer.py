"""The planted faults of tests/data/faults, each caught at its line, and their clean twins without a word."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.fault_kernels import FaultKernel, every_kernel
from tests.helpers.sanitizing import sanitize, sanitize_pair

F32, I32 = np.float32, np.int32
PAIRS = every_kernel()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_planted_fault_is_caught_at_its_line_and_its_twin_is_clean(pair: FaultKernel) -> None:
    findings = sanitize_pair(pair, pair.faulty)
    expected = [one for one in findings if one.kind == pair.kind and pair.line in one.lines]
    assert expected, [str(one.sentence) for one in findings]
    assert findings[0].severity == pair.severity
    assert {one.kind for one in findings if one.severity == "error"} <= {pair.kind}
    assert [str(one.sentence) for one in sanitize_pair(pair, pair.clean)] == []


def test_the_planted_set_has_every_kind_and_forty_faults_at_least() -> None:
    assert len(PAIRS) >= 40
    assert {pair.kind for pair in PAIRS} == {
        "OutOfBounds", "Misaligned", "Uninitialised", "RaceInBlock", "RaceBetweenBlocks", "BarriersDiffer", "Deadlock",
        "WarpOperation",
    }  # fmt: skip


def test_a_race_names_both_lines_threads_the_place_and_how_often() -> None:
    source = """__global__ void k(int* y) {
  __shared__ int row[64];
  row[threadIdx.x] = 1;
  y[threadIdx.x] = row[63 - threadIdx.x];
}"""
    findings = sanitize(source, [("y", np.zeros(64, I32), False)], block=64)
    read = next(one for one in findings if one.touch.kind == "read")
    assert read.other is not None
    assert (read.kind, read.severity, read.array, read.count) == ("RaceInBlock", "error", "row", 32)
    assert (read.touch.line, read.other.line, read.other.kind) == (4, 3, "write")
    assert str(read.sentence) == (
        "Line 4: thread (32, 0, 0) of block (0, 0, 0) reads row[31] after thread (31, 0, 0) wrote it at line 3, "
        "with no barrier between."
    )


def test_one_launch_tells_several_findings_and_goes_on_with_the_other_blocks() -> None:
    source = """__global__ void k(float* y, const float* x) {
  if (blockIdx.x == 1)
    y[0] = x[200];
  y[blockIdx.x + 1] += 1.f;
}"""
    findings = sanitize(source, [("y", np.zeros(5, F32), False), ("x", np.zeros(200, F32), True)], grid=3)
    assert [(one.kind, one.touch.line, one.touch.block, one.count) for one in findings] == [
        ("Uninitialised", 4, (0, 0, 0), 2),
        ("OutOfBounds", 3, (1, 0, 0), 1),
    ]


def test_the_same_value_written_by_many_is_information_and_another_value_an_error() -> None:
    source = "__global__ void k(int* y, const int* x) {\n  if (x[threadIdx.x] > 3)\n    y[0] = VALUE;\n}"
    arguments = [("y", np.zeros(1, I32), False), ("x", np.arange(64, dtype=I32), True)]
    same = sanitize(source.replace("VALUE", "1"), arguments, block=64)
    assert [(one.kind, one.severity) for one in same] == [("RaceInBlock", "information")]
    different = sanitize(source.replace("VALUE", "threadIdx.x"), arguments, block=64)
    assert [(one.kind, one.severity) for one in different] == [("RaceInBlock", "error")]


def test_a_race_within_a_warp_is_a_warning_and_one_across_warps_an_error_as_racecheck_weighs_them() -> None:
    source = """__global__ void k(int* y) {
  __shared__ volatile int row[64];
  row[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = row[threadIdx.x ^ DISTANCE];
}"""
    arguments = [("y", np.zeros(64, I32), False)]
    within = sanitize(source.replace("DISTANCE", "16"), arguments, block=64)
    across = sanitize(source.replace("DISTANCE", "32"), arguments, block=64)
    assert {(one.kind, one.severity) for one in within} == {("RaceInBlock", "warning")}
    assert {(one.kind, one.severity) for one in across} == {("RaceInBlock", "error")}


def test_lanes_of_one_warp_that_write_different_values_by_one_instruction_are_an_error() -> None:
    source = """__global__ void k(int* y) {
  __shared__ int one;
  one = VALUE;
  __syncthreads();
  y[threadIdx.x] = one;
}"""
    arguments = [("y", np.zeros(32, I32), False)]
    different = sanitize(source.replace("VALUE", "threadIdx.x"), arguments, block=32)
    assert [(one.kind, one.severity, one.lines) for one in different] == [("RaceInBlock", "error", (3,))]
    assert [one.severity for one in sanitize(source.replace("VALUE", "7"), arguments, block=32)] == ["information"]


LOCK = """__device__ int lock;
__global__ void k(int* y) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) { }
    ACQUIRED
    y[0] += 1;
    RELEASED
    atomicExch(&lock, 0);
  }
}"""


def test_a_lock_with_fences_orders_blocks_and_one_without_does_not() -> None:
    arguments = [("y", np.zeros(1, I32), True)]
    fence = "__threadfence();"
    good = LOCK.replace("ACQUIRED", fence).replace("RELEASED", fence)
    assert sanitize(good, arguments, grid=4, block=32) == ()
    bad = sanitize(LOCK.replace("ACQUIRED", "").replace("RELEASED", ""), arguments, grid=4, block=32)
    assert {(one.kind, one.lines) for one in bad} == {("RaceBetweenBlocks", (6,))}


def test_a_fence_of_the_block_does_not_order_blocks() -> None:
    fence = "__threadfence_block();"
    bad = sanitize(LOCK.replace("ACQUIRED", fence).replace("RELEASED", fence), [("y", np.zeros(1, I32), True)], grid=4, block=32)
    assert {one.kind for one in bad} == {"RaceBetweenBlocks"}


def test_a_volatile_flag_after_a_fence_hands_data_to_the_next_block() -> None:
    source = """__global__ void k(int* y, int* data, volatile int* flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) while (flag[blockIdx.x - 1] == 0) { }
  int before = blockIdx.x > 0 ? data[blockIdx.x - 1] : 0;
  data[blockIdx.x] = before + 1;
  FENCE
  flag[blockIdx.x] = 1;
  y[blockIdx.x] = before;
}"""
    arguments = [("y", np.zeros(4, I32), False), ("data", np.zeros(4, I32), False), ("flag", np.zeros(4, I32), True)]
    assert sanitize(source.replace("FENCE", "__threadfence();"), arguments, grid=4, block=32) == ()
    bad = sanitize(source.replace("FENCE", ""), arguments, grid=4, block=32)
    assert {(one.kind, one.lines) for one in bad} == {("RaceBetweenBlocks", (4, 5))}


def test_an_early_return_counts_as_arrived() -> None:
    source = """__global__ void k(int* y, int n) {
  __shared__ int row[32];
  if (threadIdx.x >= n) return;
  row[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = row[n - 1 - threadIdx.x];
}"""
    assert sanitize(source, [("y", np.zeros(32, I32), False), ("n", I32(20), True)], block=32) == ()


def test_the_local_memory_of_another_thread_is_out_of_bounds() -> None:
    source = """__global__ void k(int* y, int n) {
  __shared__ int* theirs;
  int mine[4] = {1, 2, 3, n};
  if (threadIdx.x == 0) theirs = mine;
  __syncthreads();
  y[threadIdx.x] = theirs[n];
}"""
    findings = sanitize(source, [("y", np.zeros(2, I32), False), ("n", I32(3), True)], block=2)
    assert [(one.kind, one.touch.line) for one in findings] == [("OutOfBounds", 6)]
    assert "another thread's local memory" in str(findings[0].sentence)
