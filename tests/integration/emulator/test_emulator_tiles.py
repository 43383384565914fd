"""nvcuda::wmma: whole matrix products, fragments used element by element, and what goes wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import Array, compile_failure, compile_kernel, launch, launch_failure, run

GEMM = """
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void k(float* c, const half* a, const half* b, int m, int n, int k, float alpha, float beta) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize * 16, column = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  if (row >= m || column >= n) return;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + column * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::load_matrix_sync(old, c + row * n + column, n, wmma::mem_row_major);
  for (int t = 0; t < old.num_elements; t++) old.x[t] = alpha * sum.x[t] + beta * old.x[t];
  wmma::store_matrix_sync(c + row * n + column, old, n, wmma::mem_row_major);
}"""


@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_a_tiled_matrix_product_with_several_warps_in_two_axes_is_right(checked: bool) -> None:
    m, n, k = 64, 48, 80
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((m, k)).astype(np.float16), rng.standard_normal((n, k)).astype(np.float16)
    c = rng.standard_normal((m, n)).astype(np.float32)
    given: list[Array | np.generic] = [c, a, b, np.int32(m), np.int32(n), np.int32(k), np.float32(2), np.float32(-1)]
    got = launch(compile_kernel(GEMM), given, grid=(1, 2), block=(128, 2), checked=checked).arrays[0]
    wanted = 2 * (a.astype(np.float64) @ b.astype(np.float64).T) - c
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-4)


def test_a_tile_that_reaches_beyond_its_array_is_found_at_the_line_of_its_load() -> None:
    kernel = compile_kernel(GEMM)
    a, b, c = np.zeros((16, 8), np.float16), np.zeros((16, 16), np.float16), np.zeros((16, 16), np.float32)
    numbers = [np.int32(16), np.int32(16), np.int32(16), np.float32(1), np.float32(0)]
    failure = launch_failure(kernel, c, a, b, *numbers, block=32, checked=True)
    assert failure.kind == "OutOfBounds"
    assert failure.lines[0].line == 13


def test_a_shape_that_tensor_cores_do_not_have_is_a_compile_error_at_its_line() -> None:
    source = "#include <mma.h>\n__global__ void k(int* y) {\n  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 32, half,"
    failure = compile_failure(source + " nvcuda::wmma::row_major> f;\n  y[0] = f.num_elements;\n}")
    assert failure.kind == "CompileFailed"
    assert "wmma has no such shape for this type" in failure.detail
    assert 3 in [line.line for line in failure.lines]


def test_integer_tiles_saturate_only_where_asked() -> None:
    source = """
    #include <mma.h>
    using namespace nvcuda::wmma;
    __global__ void k(int* y, const signed char* a, int start) {
      fragment<matrix_a, 16, 16, 16, signed char, row_major> fa; fragment<matrix_b, 16, 16, 16, signed char, col_major> fb;
      fragment<accumulator, 16, 16, 16, int> c, d;
      load_matrix_sync(fa, a, 16); load_matrix_sync(fb, a, 16); fill_fragment(c, start);
      mma_sync(d, fa, fb, c); store_matrix_sync(y, d, 16, mem_row_major);
      mma_sync(d, fa, fb, c, true); store_matrix_sync(y + 256, d, 16, mem_col_major);
    }"""
    got = run(source, np.zeros(512, np.int32), np.full(256, 127, np.int8), np.int32(2**31 - 10), block=32)
    assert set(got[:256].tolist()) == {2**31 - 10 + 127 * 127 * 16 - 2**32}
    assert set(got[256:].tolist()) == {2**31 - 1}


def test_tf32_keeps_ten_bits_of_fraction_with_ties_away_from_zero() -> None:
    source = """
    #include <mma.h>
    __global__ void k(float* y) { y[threadIdx.x] = nvcuda::wmma::__float_to_tf32(y[threadIdx.x]); }"""
    x = np.array([1 + 2**-11, -(1 + 2**-11), 1 + 2**-12, np.inf, np.nan, 0], np.float32)
    got = run(source, x, block=6)
    assert got[:4].tolist() == [1 + 2**-10, -(1 + 2**-10), 1, np.inf]
    assert np.isnan(got[4])
