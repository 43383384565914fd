"""How kernels touch memory: lanes that act together, merged widths, sampling, and what the report says of itself."""

from __future__ import annotations

import numpy as np
import pytest

from plugins.emulator.access import analyse as analysis
from tests.helpers.access_bench import analyse, analyse_launch, line_of
from tests.helpers.access_launches import read_launches
from workbench.plugin_api import Fault

F32, I32 = np.float32, np.int32


def test_instruction_counts_and_times_are_missing() -> None:
    totals = analyse_launch(read_launches()[0]).totals
    assert totals["smsp__inst_executed_op_global_ld.sum"] is None
    assert totals["gpu__time_duration.sum"] is None


def test_lanes_of_an_if_in_a_loop_share_a_request_in_each_turn_and_not_by_how_often_each_came() -> None:
    source = """__global__ void k(const float* x, float* y) {
  int t = threadIdx.x;
  float s = 0;
  #pragma unroll 1
  for (int j = 0; j < 64; ++j)
    if ((t * 7 + j * 5) % 3 != 0)
      s += x[t + j];
  y[t] = s;
}"""
    loaded = line_of(analyse(source, np.zeros(128, F32), np.zeros(32, F32)), 7)
    assert loaded.requests == 64
    assert loaded.active_lanes == sum((t * 7 + j * 5) % 3 != 0 for t in range(32) for j in range(64))


def test_lanes_that_break_out_of_a_loop_store_apart_and_meet_behind_it() -> None:
    source = """__global__ void k(const float* x, float* y, float* z) {
  int t = threadIdx.x;
  #pragma unroll 1
  for (int j = 0; j < 32; ++j)
    if (x[t * 32 + j] > 0.f) {
      z[t] = j;
      break;
    }
  y[t] = t;
}"""
    x = np.zeros((32, 32), F32)
    x[np.arange(30), np.arange(30) % 8] = 1
    report = analyse(source, x, np.zeros(32, F32), np.zeros(32, F32))
    stored = line_of(report, 6, kind="write")
    assert stored.requests == 8
    assert stored.exactness == "source-level"
    assert "may bring some together" in str(stored.reason)
    assert line_of(report, 5).requests == 32
    assert line_of(report, 5).exactness == "exact"
    assert line_of(report, 9, kind="write").requests == 1


def test_early_returns_do_not_keep_the_others_apart() -> None:
    source = """__global__ void k(const float* x, float* y, int n) {
  int t = threadIdx.x;
  if (t & 1) {
    if (t > n)
      return;
    y[t] = x[t] + 1.f;
  }
  y[t + 32] = 2.f;
}"""
    report = analyse(source, np.zeros(32, F32), np.zeros(64, F32), I32(15))
    stored = line_of(report, 8, kind="write")
    assert (stored.requests, stored.active_lanes) == (1, 24)


def test_a_condition_of_several_parts_joins_its_lanes_as_the_machine_does() -> None:
    source = """__global__ void k(const float* x, float* y) {
  int t = threadIdx.x;
  if ((x[t] > 0.f && x[t + 32] > 0.f) ||
      x[t + 64] > 0.f)
    y[t] = x[t + 96];
}"""
    x = np.zeros(128, F32)
    x[:16], x[32:40], x[64:72] = 1, 1, 1
    report = analyse(source, x, np.zeros(32, F32))
    assert line_of(report, 4).requests == 1
    assert line_of(report, 4).active_lanes == 24
    assert line_of(report, 5, kind="write").requests == 1


def test_functions_called_from_two_sides_keep_their_lanes_apart_and_meet_after() -> None:
    source = """__device__ __noinline__ float pick(const float* x, int k) {
  return x[k] * 2.f;
}
__global__ void k(const float* x, float* y) {
  int t = threadIdx.x;
  float v;
  if (t < 8)
    v = pick(x, t);
  else
    v = pick(x, 40 - t) + 1.f;
  y[t] = v;
}"""
    report = analyse(source, np.zeros(64, F32), np.zeros(32, F32))
    assert (line_of(report, 2).requests, line_of(report, 2).active_lanes) == (2, 32)
    assert line_of(report, 11, kind="write").requests == 1


def test_warp_operations_and_barriers_bring_lanes_together() -> None:
    source = """__global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float v = t % 3 ? x[t] : x[t + 64] + 1.f;
  v += __shfl_xor_sync(0xFFFFFFFFu, v, 1);
  s[t] = v;
  __syncthreads();
  y[t] = s[63 - t];
}"""
    report = analyse(source, np.zeros(128, F32), np.zeros(64, F32), block=(64,))
    assert line_of(report, 6, "shared", "write").requests == 2
    assert line_of(report, 8, "shared", "read").active_lanes == 64


def test_parts_of_a_vector_are_one_access_and_a_packed_structure_stays_apart() -> None:
    source = """struct Three { float a, b, c; };
__global__ void k(const float4* x, float4* y, const Three* p, const uchar4* b, float* z) {
  int t = threadIdx.x;
  y[t] = x[t];
  Three q = p[t];
  uchar4 u = b[t];
  z[t] = q.a + q.b + q.c + u.x + u.y + u.z;
}"""
    report = analyse(
        source, np.zeros(128, F32), np.zeros(128, F32), np.zeros(96, F32), np.zeros(128, np.uint8), np.zeros(32, F32)
    )
    assert (line_of(report, 4).requests, line_of(report, 4).widths, line_of(report, 4).sectors) == (1, (16,), 16)
    assert (line_of(report, 4, kind="write").requests, line_of(report, 4, kind="write").widths) == (1, (16,))
    assert (line_of(report, 5).requests, line_of(report, 5).widths, line_of(report, 5).sectors) == (3, (4,), 36)
    assert (line_of(report, 6).requests, line_of(report, 6).widths) == (1, (4,))


def test_both_arms_are_one_access_where_the_compiler_has_one() -> None:
    source = """__global__ void k(const float* x, float* y, int n) {
  int t = threadIdx.x;
  float v;
  if (t & 1)
    v = x[t] * 2.f;
  else
    v = x[n - t] * 3.f;
  y[t] = v;
}"""
    report = analyse(source, np.zeros(64, F32), np.zeros(32, F32), I32(63))
    loads = [line for line in report.lines if line.kind == "read"]
    assert [(line.requests, line.active_lanes, line.exactness) for line in loads] == [(1, 32, "exact")]


def test_an_unrolled_loop_that_lanes_leave_at_different_times_is_source_level_and_says_why() -> None:
    source = """__global__ void k(const float* x, const int* n, float* y) {
  float s = 0;
  for (int j = 0; j < n[threadIdx.x]; ++j)
    s += x[j * 32 + threadIdx.x];
  y[threadIdx.x] = s;
}"""
    report = analyse(source, np.zeros(1024, F32), np.arange(32, dtype=I32), np.zeros(32, F32))
    loaded = line_of(report, 4)
    assert loaded.exactness == "source-level"
    assert "unrolled" in str(loaded.reason)
    assert not report.totals_exact


def test_a_large_grid_is_sampled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plugins.emulator.in_worker.BUDGET", 64 * 1024)
    source = "__global__ void k(float* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 1.f; }"
    report = analyse(source, np.zeros(500 * 64, F32), grid=(500,), block=(64,))
    assert report.sampled
    assert 0 < report.traced_blocks < 100
    assert str(report.notes[0]) == (
        f"{report.traced_blocks} of 500 blocks were traced, spread over the grid; every count is of these blocks alone."
    )
    assert line_of(report, 1, kind="write").requests == 2 * report.traced_blocks
    again = analyse(source, np.zeros(500 * 64, F32), grid=(500,), block=(64,))
    assert (again.traced_blocks, again.lines) == (report.traced_blocks, report.lines)


def test_chosen_blocks_are_spread_and_all_come_in_the_end() -> None:
    order = analysis.choose_blocks(1000, in_order=False)
    assert sorted(order) == list(range(1000))
    assert max(np.diff(sorted(order[:100]))) < 25
    assert list(analysis.choose_blocks(1000, in_order=True)) == list(range(1000))


def test_an_access_out_of_bounds_is_a_fault_here_too() -> None:
    with pytest.raises(Fault) as caught:
        analyse("__global__ void k(float* y) { y[threadIdx.x + 1] = 1.f; }", np.zeros(32, F32))
    assert caught.value.failure.kind == "OutOfBounds"


def test_pictures_show_the_first_and_the_worst_request_of_a_line() -> None:
    source = """__global__ void k(const float* x, float* y) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  s[t * 32 % 1024] = x[t];
  __syncthreads();
  y[t] = s[t];
}"""
    report = analyse(source, np.zeros(64, F32), np.zeros(64, F32), block=(64,), names=("x", "y"))
    shared = next(one for one in report.pictures if (one.space, one.why) == ("shared", "worst") and one.kind == "write")
    assert (shared.array, shared.wavefronts, set(shared.banks)) == ("s", 32, {0})
    loaded = next(one for one in report.pictures if (one.kind, one.why) == ("read", "first") and one.space == "global")
    assert loaded.addresses[:3] == (0, 4, 8)
    assert loaded.sectors == (0, 32, 64, 96)
    assert loaded.array == "x"


def test_without_nvidias_compiler_every_line_is_source_level_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plugins.emulator.access.machine._nvrtc_title", lambda: "")
    monkeypatch.setattr("plugins.emulator.access.machine._nvcc_title", lambda: "")
    report = analyse("__global__ void k(float* y) { y[threadIdx.x] = 1.f; }", np.zeros(32, F32))
    assert [line.exactness for line in report.lines] == ["source-level"]
    assert "kernel-ledger[compile]" in str(report.lines[0].reason)


def test_first_touches_and_re_reads_add_up_to_the_sectors() -> None:
    source = "__global__ void k(const float* x, float* y) { y[blockIdx.x * 32 + threadIdx.x] = x[threadIdx.x]; }"
    report = analyse(source, np.zeros(32, F32), np.zeros(320, F32), grid=(10,), names=("x", "y"))
    loaded = line_of(report, 1)
    assert (loaded.sectors, loaded.first_touches, loaded.re_reads) == (40, 4, 36)
    assert [(one.name, one.read_sectors, one.read_first_touches) for one in report.arrays] == [("x", 40, 4), ("y", 0, 0)]


def test_atomics_stand_by_themselves() -> None:
    source = "__global__ void k(int* y) { atomicAdd(y + threadIdx.x % 4, 1); }"
    report = analyse(source, np.zeros(4, I32))
    assert [(line.kind, line.requests, line.active_lanes, line.sectors) for line in report.lines] == [("atomic", 1, 32, 1)]
    assert report.totals["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 0


def test_a_grid_with_too_many_requests_is_looked_at_in_part_and_stays_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_REQUESTS", 100)
    monkeypatch.setattr(analysis, "BATCH_WORDS", 10_000)
    source = """__global__ void k(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  #pragma unroll 1
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 4; ++b)
      s += x[(i + a * 4 + b) & 1023];
  y[i] = s;
}"""
    report = analyse(source, np.zeros(1024, F32), np.zeros(6400, F32), grid=(100,), block=(64,))
    assert 0 < report.traced_blocks < 100
    assert line_of(report, 7).requests == 24 * report.traced_blocks
    assert report.totals_exact


def test_a_kernel_that_touches_nothing_has_an_empty_report() -> None:
    report = analyse("__global__ void k(int n) { if (n > 100) return; }", I32(1))
    assert (report.lines, report.totals_exact) == ((), False)
    assert report.totals["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 0


def test_local_memory_that_no_hook_sees_is_named() -> None:
    source = """__global__ void k(const int* idx, float* y) {
  float a[16] = {};
  for (int j = 0; j < 16; ++j)
    a[idx[j] & 15] += j;
  y[threadIdx.x] = a[idx[threadIdx.x] & 15];
}"""
    report = analyse(source, np.arange(32, dtype=I32), np.zeros(32, F32))
    seen = {line.line for line in report.lines if line.space == "local"}
    assert seen in (set(), {2})  # clang fills the array by a call, which has a hook; g++ does it by stores
    assert f"local memory at lines {', '.join(map(str, sorted({2, 4, 5} - seen)))}, " in str(report.notes[0])


def test_constant_device_and_dynamic_shared_variables_have_their_names() -> None:
    source = """__constant__ float c[8];
__device__ float table[64];
__global__ void k(float* y) {
  extern __shared__ float dyn[];
  int t = threadIdx.x;
  dyn[t] = c[t & 7];
  __syncthreads();
  table[t] = dyn[31 - t];
  y[t] = table[t ^ 1];
}"""
    report = analyse(source, np.zeros(32, F32), shared=128, names=("y",))
    assert line_of(report, 6, "constant").arrays == ("c",)
    assert line_of(report, 6, "shared", "write").arrays == ("dyn",)
    assert line_of(report, 8, kind="write").arrays == ("table",)
    assert line_of(report, 9, kind="write").arrays == ("y",)
