"""Half, bfloat16 and 8-bit floats against exact arithmetic: every result is rounded once, in the mode asked for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.helpers.emulator_bench import compile_kernel, launch, run

Array = npt.NDArray[Any]
F32 = np.float32


def bfloats(bits: Array) -> npt.NDArray[np.float32]:
    """Return the values of bfloat16 bits."""
    return (bits.astype(np.uint32) << 16).view(F32)


def nearest_bfloat(exact: Fraction) -> int:
    """Return the bits of the bfloat16 nearest to an exact number, ties to even, by trying its neighbours."""
    guess = int(np.array(float(exact), F32).view(np.uint32) >> 16)
    found = [bits for bits in (guess - 1, guess, guess + 1) if (bits & 0x7FFF) < 0x7F80]
    return min(found, key=lambda bits: (abs(Fraction(float(bfloats(np.array([bits]))[0])) - exact), bits & 1))


FUSED = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(TYPE* y, const TYPE* a, const TYPE* b, const TYPE* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = __hfma(a[i], b[i], c[i]); y[n + i] = a[i] * b[i]; }
}"""


def test_a_fused_multiply_add_of_half_is_rounded_once_where_double_rounding_would_err() -> None:
    # 1.5 * (1 + 2^-9 * 3) lies between two halves, exactly in the middle; the tiny addend decides.
    a, b = np.full(3, 1.5, np.float16), np.full(3, 1 + 3 * 2**-10, np.float16)
    exact = Fraction(float(a[0])) * Fraction(float(b[0]))
    c = np.array([2**-24, -(2**-24), 0], np.float16)
    got = run(FUSED.replace("TYPE", "__half"), np.zeros(6, np.float16), a, b, c, np.int32(3), block=3)
    around = [float(np.nextafter(np.float16(float(exact)), np.float16(side))) for side in (0, 9)]
    assert got[0] > exact > got[1]
    assert {float(got[0]), float(got[1])} <= {float(np.float16(float(exact))), *around}
    assert got[3] == a[0] * b[0]


def test_bfloat16_products_and_fused_sums_equal_exact_arithmetic_also_among_denormals() -> None:
    rng = np.random.default_rng(11)
    bits = rng.integers(0, 65536, (3, 1500)).astype(np.uint16)
    bits[0, :700] = (bits[0, :700] & 0x80FF) | 0x1F00  # products of these are denormal
    bits[1, :700] = (bits[1, :700] & 0x80FF) | 0x1F00
    a, b, c = bits
    got = run(FUSED.replace("TYPE", "__nv_bfloat16"), np.zeros(3000, np.uint16), a, b, c, np.int32(1500), grid=6, block=256)
    with np.errstate(all="ignore"):
        x, y, z = (bfloats(part).astype(np.float64) for part in bits)
        fine = np.isfinite(x) & np.isfinite(y) & np.isfinite(z) & (np.abs(x * y) < 1e38) & (np.abs(x * y + z) < 1e38)
    wrong = []
    for i in np.flatnonzero(fine):
        product = Fraction(x[i]) * Fraction(y[i])
        for place, exact in ((i, product + Fraction(z[i])), (1500 + i, product)):
            if exact != 0 and (int(got[place]) & 0x7FFF) != (nearest_bfloat(exact) & 0x7FFF):
                wrong.append((int(place), hex(int(got[place])), hex(nearest_bfloat(exact))))
    assert wrong == []
    assert fine.sum() > 1000


def test_every_rounding_mode_of_a_conversion_takes_its_own_side() -> None:
    source = """
    #include <cuda_fp16.h>
    __global__ void k(half* y, const float* x, int n) {
      int i = threadIdx.x;
      y[i] = __float2half_rd(x[i]); y[n + i] = __float2half_ru(x[i]); y[2 * n + i] = __float2half_rz(x[i]);
      y[3 * n + i] = __int2half_rd(int(x[i])); y[4 * n + i] = __ll2half_ru((long long)x[i]);
    }"""
    x = np.array([1.0001, -1.0001, 65510, -65510, 1e9, -1e9, 1e-9, -1e-9, 2049, -2049, 0, 5], F32)
    down, up, zero, whole_down, whole_up = run(source, np.zeros(60, np.float16), x, np.int32(12), block=12).reshape(5, 12)
    top, tiny, one = 65504, 2**-24, np.float16(1)
    beyond = float(np.nextafter(one, np.float16(2)))
    assert down.tolist() == [1, -beyond, top, -np.inf, top, -np.inf, 0, -tiny, 2048, -2050, 0, 5]
    assert up.tolist() == [beyond, -1, np.inf, -top, np.inf, -top, tiny, 0, 2050, -2048, 0, 5]
    assert zero.tolist() == [1, -1, top, -top, top, -top, 0, 0, 2048, -2048, 0, 5]
    assert whole_down.tolist() == [1, -1, top, -np.inf, top, -np.inf, 0, 0, 2048, -2050, 0, 5]
    assert whole_up.tolist() == [1, -1, np.inf, -top, np.inf, -top, 0, 0, 2050, -2048, 0, 5]


def test_comparisons_tell_ordered_from_unordered_and_minima_know_nan_and_the_sign_of_zero() -> None:
    source = """
    #include <cuda_fp16.h>
    __global__ void k(int* y, half nan, half one) {
      half2 p = __halves2half2(nan, one), q = __halves2half2(one, one);
      half zero = __float2half(0.f), below = __hneg(zero);
      int i = 0;
      y[i++] = __hne(nan, one); y[i++] = __hneu(nan, one); y[i++] = nan != one; y[i++] = __hltu(nan, one); y[i++] = nan < one;
      y[i++] = __hbeq2(p, q); y[i++] = __hbequ2(p, q); y[i++] = __heq2_mask(p, q) == 0xFFFF0000u; y[i++] = __hisinf(one / below);
      y[i++] = __half_as_ushort(__hmax(nan, one)); y[i++] = __half_as_ushort(__hmax_nan(nan, one));
      y[i++] = __half_as_ushort(__hmin(zero, below)); y[i++] = __half_as_ushort(__hmax(below, zero));
    }"""
    got = run(source, np.zeros(13, np.int32), np.float16(np.nan), np.float16(1))
    assert got.tolist() == [0, 1, 1, 1, 0, 0, 1, 1, -1, 0x3C00, 0x7FFF, 0x8000, 0]


def test_fused_saturated_and_rectified_forms_keep_their_range() -> None:
    source = """
    #include <cuda_fp16.h>
    __global__ void k(half* y, half a, half nan) {
      y[0] = __hadd_sat(a, a); y[1] = __hfma_sat(a, __hneg(a), a); y[2] = __hmul_sat(nan, a); y[3] = __hfma_relu(a, __hneg(a), a);
      half2 z = __hcmadd(__halves2half2(a, a), __halves2half2(a, a), __float2half2_rn(1.f)); y[4] = z.x; y[5] = z.y;
    }"""
    got = run(source, np.zeros(6, np.float16), np.float16(2), np.float16(np.nan))
    assert got.tolist() == [1, 0, 0, 0, 1, 9]


def test_half_and_its_raw_form_share_memory_in_unions_vectors_and_casts() -> None:
    source = """
    #include <cuda_fp16.h>
    __global__ void k(unsigned* y, const half* x) {
      union { half2 pair; unsigned word; } u; u.pair = *reinterpret_cast<const half2*>(x);
      uint2 four = *reinterpret_cast<const uint2*>(x); half2 last = *reinterpret_cast<half2*>(&four.y);
      __half_raw raw = x[1]; __half2_raw both = u.pair; half again(raw);
      y[0] = u.word; y[1] = __half_as_ushort(__high2half(last)); y[2] = raw.x; y[3] = both.y; y[4] = again == x[1];
      int whole = x[3]; y[5] = whole; half up = x[0]; ++up; up++; y[6] = int(up);
    }"""
    got = run(source, np.zeros(7, np.uint32), np.array([1, 2, 3, 4.75], np.float16))
    assert got.tolist() == [0x40003C00, 0x44C0, 0x4000, 0x4000, 1, 4, 3]


def test_every_8_bit_float_survives_the_way_to_half_and_back() -> None:
    source = """
    #include <cuda_fp8.h>
    __global__ void k(unsigned char* y) {
      int i = threadIdx.x; __nv_fp8_e4m3 a; a.__x = i; __nv_fp8_e5m2 b; b.__x = i;
      y[i] = __nv_fp8_e4m3(__half(a)).__x; y[256 + i] = __nv_fp8_e5m2(float(b)).__x;
    }"""
    got = run(source, np.zeros(512, np.uint8), block=256)
    every = np.arange(256)
    nan, infinite = (every & 0x7F) == 0x7F, (every & 0x7F) == 0x7C
    assert got[:256][~nan].tolist() == every[~nan].tolist()
    assert set(got[:256][nan].tolist()) == {0x7F}
    plain = (every & 0x7F) < 0x7C
    assert got[256:][plain].tolist() == every[plain].tolist()
    assert got[256:][infinite].tolist() == [0x7B, 0xFB]  # a constructor saturates


def test_8_bit_conversions_saturate_or_not_as_asked() -> None:
    source = """
    #include <cuda_fp8.h>
    __global__ void k(unsigned char* y, float big, float tiny) {
      y[0] = __nv_cvt_float_to_fp8(big, __NV_SATFINITE, __NV_E4M3); y[1] = __nv_cvt_float_to_fp8(big, __NV_NOSAT, __NV_E4M3);
      y[2] = __nv_cvt_float_to_fp8(-big, __NV_SATFINITE, __NV_E5M2); y[3] = __nv_cvt_float_to_fp8(big, __NV_NOSAT, __NV_E5M2);
      y[4] = __nv_cvt_float_to_fp8(tiny, __NV_NOSAT, __NV_E4M3); y[5] = __nv_cvt_float_to_fp8(464.f, __NV_NOSAT, __NV_E4M3);
      __nv_fp8x4_e4m3 four(make_float4(1.f, 2.f, 3.f, 4.f)); y[6] = four.__x >> 24; y[7] = (unsigned char)float4(four).z;
    }"""
    got = run(source, np.zeros(8, np.uint8), F32(1e9), F32(2**-10))
    assert [hex(value) for value in got] == ["0x7e", "0x7f", "0xfb", "0x7c", "0x0", "0x7e", "0x48", "0x3"]


@pytest.mark.parametrize("suffix", ["rd", "ru", "rz", "rn"])
def test_directed_float_arithmetic_equals_exact_arithmetic_rounded_that_way(suffix: str) -> None:
    source = f"""
    __global__ void k(float* y, const float* a, const float* b, int n) {{
      int i = threadIdx.x;
      y[i] = __fadd_{suffix}(a[i], b[i]); y[n + i] = __fmul_{suffix}(a[i], b[i]);
      y[2 * n + i] = __fmaf_{suffix}(a[i], b[i], a[i]);
    }}"""
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal(500) * 10.0 ** rng.integers(-3, 3, 500)).astype(F32), rng.standard_normal(500).astype(F32)
    got = launch(compile_kernel(source), [np.zeros(1500, F32), a, b, np.int32(500)], block=500).arrays[0].reshape(3, 500)
    for i in range(500):
        x, y = Fraction(float(a[i])), Fraction(float(b[i]))
        for exact, result in ((x + y, got[0, i]), (x * y, got[1, i]), (x * y + x, got[2, i])):
            value = Fraction(float(result))
            low, high = Fraction(float(np.nextafter(result, F32(-np.inf)))), Fraction(float(np.nextafter(result, F32(np.inf))))
            fits = {
                "rd": value <= exact < high,
                "ru": low < exact <= value,
                "rz": value <= exact < high if exact >= 0 else low < exact <= value,
                "rn": 2 * abs(exact - value) <= max(high - value, value - low),
            }
            assert fits[suffix], (suffix, float(a[i]), float(b[i]), float(result))
