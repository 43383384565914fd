"""What a GPU does where C++ on a CPU traps or is undefined (method section 8; cvt, shl, shr of the PTX ISA; SASS of sm_90)."""

from __future__ import annotations

import numpy as np

from tests.helpers.emulator_bench import compile_kernel, launch, run

I32 = np.int32
INT_MAX, INT_MIN = 2**31 - 1, -(2**31)


def test_integer_division_by_zero_gives_all_ones_and_never_stops_the_process() -> None:
    source = """
    #define QUOTIENT(a, b) ((a) / (b))
    __global__ void k(int* y, unsigned* u, long long* w, int a, int zero) {
      y[0] = a / zero; y[1] = a % zero; y[2] = QUOTIENT(a, zero); int b = a; b /= zero; y[3] = b; b = a; b %= zero; y[4] = b;
      y[5] = (-2147483647 - 1) / (zero - 1); y[6] = (-2147483647 - 1) % (zero - 1); y[7] = a / 2; y[8] = -a / 2 + a % 4;
      u[0] = 7u / (unsigned)zero; u[1] = 7u % (unsigned)zero;
      w[0] = 7ll / zero; w[1] = (1ll << 40) / zero;
    }"""
    y, u, w = np.zeros(9, I32), np.zeros(2, np.uint32), np.zeros(2, np.int64)
    arrays = launch(compile_kernel(source), [y, u, w, I32(7), I32(0)]).arrays
    assert arrays[0].tolist() == [-1, -1, -1, -1, -1, INT_MIN, 0, 3, 0]
    assert arrays[1].tolist() == [0xFFFFFFFF] * 2
    assert arrays[2].tolist() == [0xFFFFFFFF, -1]


def test_a_division_the_rewriting_does_not_see_is_answered_by_the_processors_trap() -> None:
    source = """
    struct Ratio { int v; template <class T> __device__ T by(T d) const { return v / d; } };
    __global__ void k(int* y, int zero) { auto f = [](int a, int b) { return a / b; }; y[0] = f(5, zero);
      y[1] = Ratio{5}.by(zero); }"""
    assert run(source, np.zeros(2, I32), I32(0)).tolist() == [-1, -1]


def test_floats_saturate_when_they_become_integers() -> None:
    source = """
    __device__ int back(float x) { return x; }
    template <class T> __device__ T as(float x) { return (T)x; }
    __global__ void k(int* y, unsigned* u, unsigned char* b, long long* w, const float* x) {
      int i = x[0]; y[0] = i; y[1] = (int)x[1]; y[2] = int(x[2]); y[3] = static_cast<int>(x[0]);
        y[4] = back(x[1]); y[5] = as<int>(x[0]);
      y[6] = x[0]; y[7] = __float2int_rn(x[3]);
      u[0] = (unsigned)x[1]; u[1] = x[0] * 4.f; u[2] = x[2]; u[3] = 2.9f;
      b[0] = x[4]; b[1] = (unsigned char)x[1]; b[2] = make_uchar4(x[4], 1, 2, 3).x; b[3] = (unsigned char)x[3];
      w[0] = x[5]; w[1] = (long long)x[2]; w[2] = -x[5];
    }"""
    x = np.array([3e9, -3e9, np.nan, 2.5, 300, 1e30], np.float32)
    with np.errstate(over="ignore"):
        arrays = launch(
            compile_kernel(source), [np.zeros(8, I32), np.zeros(4, np.uint32), np.zeros(4, np.uint8), np.zeros(3, np.int64), x]
        ).arrays
    assert arrays[0].tolist() == [INT_MAX, INT_MIN, 0, INT_MAX, INT_MIN, INT_MAX, INT_MAX, 2]
    assert arrays[1].tolist() == [0, 0xFFFFFFFF, 0, 2]
    assert arrays[2].tolist() == [300 % 256, 0, 300 % 256, 2]
    assert arrays[3].tolist() == [2**63 - 1, -(2**63), -(2**63)]


def test_shifts_beyond_the_width_give_zero_or_the_sign() -> None:
    source = """
    __global__ void k(unsigned* u, int* y, unsigned long long* w, int n) {
      u[0] = 1u << n; u[1] = 0xffffffffu >> n; u[2] = 1u << (n - 2); unsigned a = 1; a <<= n; u[3] = a; a = 8; a >>= 1; u[4] = a;
      y[0] = -8 >> n; y[1] = 8 >> n; y[2] = -8 >> 1; y[3] = 1 << 3; w[0] = 1ull << n; w[1] = 1ull << (n + 40);
    }"""
    arrays = launch(compile_kernel(source), [np.zeros(5, np.uint32), np.zeros(4, I32), np.zeros(2, np.uint64), I32(33)]).arrays
    assert arrays[0].tolist() == [0, 0, 1 << 31, 0, 4]
    assert arrays[1].tolist() == [-1, 0, -4, 8]
    assert arrays[2].tolist() == [1 << 33, 0]


def test_signed_overflow_wraps_and_type_punning_is_kept() -> None:
    source = """
    __global__ void k(int* y, float* f, int big) {
      y[0] = big + 1; y[1] = (big + 1 > big) ? 1 : 0;
      f[0] = 1.0f; *reinterpret_cast<int*>(f) += 1; y[2] = __float_as_int(f[0]);
    }"""
    got = run(source, np.zeros(3, I32), np.zeros(1, np.float32), I32(INT_MAX))
    assert got.tolist() == [INT_MIN, 0, 0x3F800001]


def test_denormals_are_kept_and_multiply_add_is_fused_unless_told_otherwise() -> None:
    source = "__global__ void k(float* y, float a, float b, float c) { y[0] = a * b + c; y[1] = b * 0.5f; }"
    a = np.float32(1 + 2**-12)
    tiny = np.float32(2**-130)
    fused = run(source, np.zeros(2, np.float32), a, a, np.float32(-(1 + 2**-11)))
    assert fused[0] == np.float32(2**-24)
    apart = run(source, np.zeros(2, np.float32), a, a, np.float32(-(1 + 2**-11)), compiling={"options": ("-fmad=false",)})
    assert apart[0] == 0.0
    assert run(source, np.zeros(2, np.float32), a, tiny, np.float32(0))[1] == np.float32(2**-131)
