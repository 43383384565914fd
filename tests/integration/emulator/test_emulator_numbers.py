"""Mathematics of device code: functions, intrinsics, half precision."""

from __future__ import annotations

import math

import numpy as np

from tests.helpers.emulator_bench import compile_kernel, launch, run

F32 = np.float32


def test_the_usual_functions_agree_with_numpy() -> None:
    source = """
    __global__ void k(float* y, const float* x) {
      int i = threadIdx.x, n = blockDim.x; float v = x[i];
      float all[] = {
        sqrtf(v), rsqrtf(v), __expf(v), expf(v), __logf(v), sinf(v), cosf(v), tanhf(v), powf(v, 1.5f), fmaf(v, 2.f, 1.f),
        fminf(v, 1.f), fmaxf(v, 1.f), fabsf(-v), floorf(v), ceilf(v), __fdividef(v, 3.f), erff(v), exp2f(v), log2f(v), truncf(v),
        rintf(v), fmodf(v, 0.7f), atan2f(v, 2.f), hypotf(v, 1.f), cbrtf(v), __saturatef(v), sqrt(v), abs(-v)};
      for (int j = 0; j < int(sizeof(all) / sizeof(float)); ++j) y[j * n + i] = all[j];
    }"""
    x = np.array([0.25, 0.5, 1.5, 2.75], F32)
    v = x.astype(np.float64)
    erf = np.array([math.erf(value) for value in v])
    wanted = [
        np.sqrt(v), 1 / np.sqrt(v), np.exp(v), np.exp(v), np.log(v), np.sin(v), np.cos(v), np.tanh(v), v**1.5, 2 * v + 1,
        np.minimum(v, 1), np.maximum(v, 1), v, np.floor(v), np.ceil(v), v / 3, erf, 2**v, np.log2(v), np.trunc(v), np.rint(v),
        np.fmod(v, np.float64(F32(0.7))), np.arctan2(v, 2), np.hypot(v, 1), np.cbrt(v), np.clip(v, 0, 1), np.sqrt(v), v,
    ]  # fmt: skip
    got = run(source, np.zeros(28 * 4, F32), x, block=4).reshape(28, 4)
    np.testing.assert_allclose(got, np.array(wanted), rtol=5e-7, atol=1e-7)


def test_min_and_max_take_every_mix_of_types_and_ignore_nan() -> None:
    source = """
    __device__ float clamp(float x, float lo, float hi) { return min(max(x, lo), hi); }
    __global__ void k(float* y, int n) {
      int i = 0; unsigned u = 3;
      y[i++] = min(n, 5); y[i++] = max(n, u); y[i++] = min(2.5f, n); y[i++] = max(1.0, 2.0f); y[i++] = clamp(9.f, 0.f, 1.f);
      y[i++] = fminf(NAN, 2.f); y[i++] = max(NAN, 3.f); y[i++] = min(size_t(7), size_t(n));
        y[i++] = min(threadIdx.x + 1, blockDim.x);
    }"""
    assert run(source, np.zeros(9, F32), np.int32(4)).tolist() == [4, 4, 2.5, 2, 1, 2, 3, 4, 1]


def test_integer_intrinsics_count_and_mix_bits() -> None:
    source = """
    __global__ void k(unsigned* y) {
      int i = 0;
      y[i++] = __popc(0xF0F0u); y[i++] = __clz(1); y[i++] = __clz(0); y[i++] = __ffs(8); y[i++] = __brev(1u);
        y[i++] = __mulhi(1 << 20, 1 << 20);
      y[i++] = __umulhi(0x80000000u, 4u); y[i++] = __byte_perm(0x33221100u, 0x77665544u, 0x7410u); y[i++] = __popcll(~0ull);
      y[i++] = __funnelshift_l(0x80000000u, 1u, 1); y[i++] = __dp4a(0x01020304, 0x01010101, 5);
        y[i++] = __ldg(&y[0]); y[i++] = __clzll(1);
      y[i++] = __sad(3, 10, 1); y[i++] = __hadd(3, 6); y[i++] = __float_as_uint(1.0f);
    }"""
    wanted = [8, 31, 32, 4, 1 << 31, 1 << 8, 2, 0x77441100, 64, 3, 15, 8, 63, 8, 4, 0x3F800000]
    assert run(source, np.zeros(16, np.uint32)).tolist() == wanted


def test_half_conversions_round_like_numpy_for_every_value() -> None:
    source = """
    #include <cuda_fp16.h>
    __global__ void k(__half* h, float* f, const float* x, const __half* all, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) h[i] = __float2half(x[i]);
      if (i < 65536) f[i] = __half2float(all[i]);
    }"""
    rng = np.random.default_rng(5)
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    bits = rng.integers(0, 2**32, 60000, dtype=np.uint32).view(F32)
    near = (every.astype(F32)[:31744].view(np.uint32) + rng.integers(-1, 4097, 31744)).astype(np.uint32).view(F32)
    x = np.concatenate([bits, near, np.array([0, -0.0, 65504, 65519.99, 65520, 1e-8, 2**-25, 2**-24, 3 * 2**-25], F32)])
    h, f = np.zeros(x.size, np.float16), np.zeros(65536, F32)
    got = launch(compile_kernel(source), [h, f, x, every, np.int32(x.size)], grid=400, block=256).arrays
    with np.errstate(over="ignore"):
        wanted = x.astype(np.float16)
    numbers = ~np.isnan(x)
    assert np.isnan(got[0][~numbers]).all()
    assert (got[0][numbers].view(np.uint16) == wanted[numbers].view(np.uint16)).all()
    finite = ~np.isnan(every)
    assert (got[1][finite] == every.astype(F32)[finite]).all()
    assert np.isnan(got[1][~finite]).all()


def test_half_arithmetic_is_rounded_once() -> None:
    source = """
    #include <cuda_fp16.h>
    __global__ void k(half* y, const half* a, const half* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      y[i] = __hadd(a[i], b[i]); y[n + i] = a[i] * b[i]; y[2 * n + i] = __hdiv(a[i], b[i]); y[3 * n + i] = hsqrt(__habs(a[i]));
      half2 p = __hmul2(__halves2half2(a[i], b[i]), __float2half2_rn(2.0f));
      y[4 * n + i] = __hgt(a[i], b[i]) ? __low2half(p) : __high2half(p);
    }"""
    rng = np.random.default_rng(6)
    a, b = (rng.standard_normal(4096).astype(np.float16) for _ in range(2))
    got = run(source, np.zeros(5 * 4096, np.float16), a, b, np.int32(4096), grid=16, block=256).reshape(5, 4096)
    assert (got[0] == a + b).all()
    assert (got[1] == a * b).all()
    assert (got[2] == a / b).all()
    assert (got[3] == np.sqrt(np.abs(a))).all()
    assert (got[4] == np.float16(2) * np.maximum(a, b)).all()


def test_bfloat16_rounds_to_nearest_even() -> None:
    source = """
    #include <cuda_bf16.h>
    __global__ void k(unsigned short* y, const float* x) {
      y[threadIdx.x] = __bfloat16_as_ushort(__float2bfloat16(x[threadIdx.x]) * __nv_bfloat16(1)); }"""
    words = np.array([0x3F800000, 0x3F808000, 0x3F818000, 0x3F80FFFF, 0x7F7FFFFF, 0x00000001], np.uint32)
    got = run(source, np.zeros(6, np.uint16), words.view(F32), block=6)
    assert got.tolist() == [0x3F80, 0x3F80, 0x3F82, 0x3F81, 0x7F80, 0]


def test_the_checked_twin_fuses_products_and_sums_like_the_plain_build() -> None:
    source = "__global__ void k(float* y, const float* x, float a) { int i = threadIdx.x; y[i] = a * x[i] + y[i]; }"
    x, y = np.linspace(0.1, 0.9, 256, dtype=np.float32), np.linspace(-1, 1, 256, dtype=np.float32)
    kernel = compile_kernel(source)
    plain = launch(kernel, [y, x, np.float32(1.7)], block=256).arrays[0]
    twin = launch(kernel, [y, x, np.float32(1.7)], block=256, checked=True).arrays[0]
    np.testing.assert_array_equal(plain, twin)
