"""Options that change numbers, intrinsics of few bits, and functions that C has not got."""

from __future__ import annotations

import math

import numpy as np

from plugins.emulator.topics import headers_for
from tests.helpers.emulator_bench import compile_kernel, launch, run

F32 = np.float32
FAST = {"options": ("-use_fast_math",)}


def test_fast_math_means_the_less_exact_names() -> None:
    source = """
    __global__ void k(float* y, float x, float big) {
      y[0] = expf(x); y[1] = __expf(x); y[2] = sin(x); y[3] = __sinf(x); y[4] = powf(x, 2.5f); y[5] = __powf(x, 2.5f);
      y[6] = exp((double)x); y[7] = x / big; y[8] = logf(x);
    }"""
    x = F32(36.3)
    fast, exact = (run(source, np.zeros(9, F32), x, F32(2e38), compiling=how) for how in (FAST, {}))
    assert fast[0] == fast[1] != exact[0] == F32(math.exp(float(x)))
    assert fast[2] == fast[3]
    assert fast[4] == fast[5]
    assert fast[6] == exact[6] == F32(math.exp(float(x)))
    assert fast[7] == 0  # div.approx: a quotient by more than 2^126 is 0
    assert exact[7] == x / F32(2e38)
    np.testing.assert_allclose(fast, [*exact[:7], 0, exact[8]], rtol=3e-6)


def test_flushing_takes_denormals_for_zero_on_both_sides_and_only_where_asked() -> None:
    source = "__global__ void k(float* y, float tiny, float half) { y[0] = tiny * 4.f; y[1] = half * half; y[2] = tiny > 0.f; }"
    tiny, half = F32(2**-128), F32(2**-64)
    kept = run(source, np.zeros(3, F32), tiny, half)
    assert kept.tolist() == [2**-126, 2**-128, 1]
    flushed = run(source, np.zeros(3, F32), tiny, half, compiling={"options": ("-ftz=true",)})
    assert flushed.tolist() == [0, 0, 0]
    barrier = source.replace("y[0]", "__syncthreads(); y[0]")
    assert run(barrier, np.zeros(3, F32), tiny, half, compiling={"options": ("--ftz=true",)}).tolist() == [0, 0, 0]
    assert run(source, np.zeros(3, F32), tiny, half).tolist() == [2**-126, 2**-128, 1]


def test_large_arguments_of_the_fast_sine_are_as_coarse_as_on_a_gpu() -> None:
    source = "__global__ void k(float* y, float x) { y[0] = __sinf(x); y[1] = sinf(x); }"
    fast, exact = run(source, np.zeros(2, F32), F32(1e7))
    turns = math.floor(1e7 * 0.15915493667125702)
    cut = np.float32(1e7 * 0.15915493667125702)
    assert exact == F32(math.sin(1e7))
    assert abs(fast - exact) > 1e-3
    assert math.isclose(fast, math.sin(2 * math.pi * float(cut - turns)), abs_tol=0.8)


def test_packed_words_and_dot_products() -> None:
    source = """
    __global__ void k(unsigned* y, int* z, bool* p) {
      int i = 0;
      y[i++] = __vadd4(0xFF01807Fu, 0x01010101u); y[i++] = __vaddus4(0xFF01807Fu, 0x01010101u);
      y[i++] = __vaddss2(0x7FFF8000u, 0x00018000u); y[i++] = __vabsdiffu4(0x00FF10F0u, 0xFF0020E0u);
      y[i++] = __vcmpgts4(0x01FF0080u, 0x00000000u); y[i++] = __vsads4(0x80000000u, 0x7F000000u);
      y[i++] = __vavgs2(0xFFFD0003u, 0u);
      y[i++] = __vmaxs2(0x80000001u, 0x00008000u); y[i++] = __viaddmax_s16x2(0x7FFF0001u, 0x00010001u, 0x00000005u);
      y[i++] = __fns(0x8421u, 5, -2); y[i++] = __funnelshift_rc(1u, 2u, 40u);
      z[0] = __dp4a((int)0x80FF0102, 0x01020304, 10); z[1] = __dp2a_hi((int)0xFFFF0002, 0x04030201, 0);
      z[2] = __vimax3_s32_relu(-5, -7, -1);
      z[3] = __vibmin_s32(4, 9, p); z[4] = __dp4a(make_char4(1, -2, 3, -4), make_char4(1, 1, 1, 1), 100);
    }"""
    arrays = launch(compile_kernel(source), [np.zeros(11, np.uint32), np.zeros(5, np.int32), np.zeros(1, np.uint8)]).arrays
    assert [hex(value) for value in arrays[0]] == [
        "0x28180", "0xff028180", "0x7fff8000", "0xffff1010", "0xff000000", "0xff", "0xfffe0002", "0x1", "0x5", "0x0", "0x2",
    ]  # fmt: skip
    assert arrays[1].tolist() == [10 + 0x02 * 4 + 0x01 * 3 - 2 - 128, 2 * 3 - 4, 0, 4, 98]
    assert arrays[2].tolist() == [1]


def test_functions_that_c_has_not_got_agree_with_their_definitions() -> None:
    source = """
    __global__ void k(double* y) {
      int i = 0;
      y[i++] = sinpi(7.0); y[i++] = cospi(0.5); y[i++] = sinpif(0.25f); y[i++] = erfinv(erf(0.3)); y[i++] = erfcinv(erfc(3.0));
      y[i++] = normcdfinv(normcdf(-2.0)); y[i++] = erfcx(30.0); y[i++] = cyl_bessel_i0(1.0); y[i++] = cyl_bessel_i1(1.0);
      double v[3] = {2e200, 3e200, 6e200}; y[i++] = norm(3, v); y[i++] = rnorm3d(2.0, 3.0, 6.0); y[i++] = rhypotf(3.f, 4.f);
    }"""
    got = run(source, np.zeros(12))
    wanted = [0, 0, math.sqrt(0.5), 0.3, 3, -2, 0.018795888861416751, 1.2660658777520084, 0.56515910399248503, 7e200, 1 / 7, 0.2]
    np.testing.assert_allclose(got, wanted, rtol=3e-8, atol=1e-15)
    np.testing.assert_allclose(got[3:11], wanted[3:11], rtol=1e-13)


def test_minima_and_nearest_integers_are_cudas_also_under_std() -> None:
    source = """
    __global__ void k(float* y, long long* z, float zero, float big) {
      y[0] = 1 / fmaxf(-zero, zero); y[1] = 1 / std::fmin(zero, -zero); y[2] = fmax(NAN, 2.0); y[3] = 1 / max(-zero, zero);
      z[0] = lrintf(big); z[1] = llrint(-double(big)); z[2] = std::lround(2.5f); z[3] = lrintf(2.5f);
    }"""
    arrays = launch(compile_kernel(source), [np.zeros(4, F32), np.zeros(4, np.int64), F32(0), F32(1e30)]).arrays
    assert arrays[0].tolist() == [math.inf, -math.inf, 2, math.inf]
    assert arrays[1].tolist() == [2**63 - 1, -(2**63), 3, 2]


def test_a_header_for_one_topic_is_read_only_where_a_word_asks_for_it() -> None:
    assert headers_for({"float", "__syncthreads", "sinf", "x"}) == []
    assert headers_for({"half2", "__hadd2"}) == ["half.h"]
    assert headers_for({"__nv_fp8_e4m3"}) == ["fp8.h"]
    assert headers_for({"wmma", "__nv_bfloat16", "tex2D", "__fadd_ru"}) == ["bfloat16.h", "rounding.h", "wmma.h", "texture.h"]
