// CUDA's mathematical functions that C++ has not got. The `__name` forms are computed like the exact ones: on a GPU they are
// less exact (CUDA C++ Programming Guide, intrinsic functions).
#pragma once

#define LEDGER_SAME(name, exact)                                  \
    LEDGER_INLINE float name(float x) { return exact(x); }
LEDGER_SAME(__expf, expf) LEDGER_SAME(__logf, logf) LEDGER_SAME(__log2f, log2f) LEDGER_SAME(__log10f, log10f)
LEDGER_SAME(__sinf, sinf) LEDGER_SAME(__cosf, cosf) LEDGER_SAME(__tanf, tanf) LEDGER_SAME(__tanhf, tanhf)
#undef LEDGER_SAME
LEDGER_INLINE float __exp10f(float x) { return float(pow(10.0, double(x))); }
LEDGER_INLINE float __powf(float x, float y) { return powf(x, y); }
LEDGER_INLINE void __sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
LEDGER_INLINE float __fdividef(float x, float y) { return x / y; }
LEDGER_INLINE float fdividef(float x, float y) { return x / y; }
LEDGER_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }    // NaN gives 0

LEDGER_INLINE float rsqrtf(float x) { return float(1.0 / sqrt(double(x))); }
LEDGER_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
LEDGER_INLINE float rsqrt(float x) { return rsqrtf(x); }
LEDGER_INLINE float __frsqrt_rn(float x) { return rsqrtf(x); }
LEDGER_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
LEDGER_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
LEDGER_INLINE float sinpif(float x) { return float(sin(M_PI * fmod(double(x), 2.0))); }
LEDGER_INLINE float cospif(float x) { return float(cos(M_PI * fmod(double(x), 2.0))); }
LEDGER_INLINE double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
LEDGER_INLINE double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
LEDGER_INLINE void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
LEDGER_INLINE float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
LEDGER_INLINE double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
LEDGER_INLINE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
LEDGER_INLINE float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
LEDGER_INLINE float rnorm3df(float x, float y, float z) { return rsqrtf(x * x + y * y + z * z); }
LEDGER_INLINE float norm4df(float x, float y, float z, float w) { return sqrtf(x * x + y * y + z * z + w * w); }

namespace ledger {

// A value the compiler may not contract into a fused multiply-add.
template <class F>
LEDGER_INLINE F alone(F x) {
#if defined(__x86_64__)
    asm("" : "+x"(x));
#elif defined(__aarch64__)
    asm("" : "+w"(x));
#else
    asm("" : "+m"(x));
#endif
    return x;
}

}  // namespace ledger

#define LEDGER_ROUNDED(F, add, sub, mul, div, fma_, root, rcp, fused, square)          \
    LEDGER_INLINE F add(F x, F y) { return ledger::alone(x + y); }                      \
    LEDGER_INLINE F sub(F x, F y) { return ledger::alone(x - y); }                      \
    LEDGER_INLINE F mul(F x, F y) { return ledger::alone(x * y); }                      \
    LEDGER_INLINE F div(F x, F y) { return x / y; }                                     \
    LEDGER_INLINE F fma_(F x, F y, F z) { return fused(x, y, z); }                      \
    LEDGER_INLINE F root(F x) { return square(x); }                                     \
    LEDGER_INLINE F rcp(F x) { return F(1) / x; }
LEDGER_ROUNDED(float, __fadd_rn, __fsub_rn, __fmul_rn, __fdiv_rn, __fmaf_rn, __fsqrt_rn, __frcp_rn, fmaf, sqrtf)
LEDGER_ROUNDED(double, __dadd_rn, __dsub_rn, __dmul_rn, __ddiv_rn, __fma_rn, __dsqrt_rn, __drcp_rn, fma, sqrt)
#undef LEDGER_ROUNDED

// min and max: CUDA's overloads for every mix of arithmetic types; floating ones ignore a NaN like fminf.
template <class A, class B, class R = std::common_type_t<A, B>,
          class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
LEDGER_INLINE constexpr R min(A a, B b) {
    const R x = static_cast<R>(a), y = static_cast<R>(b);
    if constexpr (std::is_floating_point_v<R>)
        if (x != x) return y;
    return y < x ? y : x;
}
template <class A, class B, class R = std::common_type_t<A, B>,
          class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
LEDGER_INLINE constexpr R max(A a, B b) {
    const R x = static_cast<R>(a), y = static_cast<R>(b);
    if constexpr (std::is_floating_point_v<R>)
        if (x != x) return y;
    return x < y ? y : x;
}
LEDGER_INLINE unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
LEDGER_INLINE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
