// CUDA's mathematical functions that C++ has not got, min and max. The functions of C are C's; the `__name` forms, less exact on
// a GPU, are in fast_math.h.
#pragma once

LEDGER_INLINE float fdividef(float x, float y) { return x / y; }
LEDGER_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }    // NaN gives 0

LEDGER_INLINE float rsqrtf(float x) { return float(1.0 / sqrt(double(x))); }    // correctly rounded, as tried for every mantissa
LEDGER_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
LEDGER_INLINE float rsqrt(float x) { return rsqrtf(x); }
LEDGER_INLINE float __frsqrt_rn(float x) { return rsqrtf(x); }
LEDGER_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
LEDGER_INLINE float rcbrtf(float x) { return float(rcbrt(double(x))); }

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

namespace ledger {

// The larger and the smaller number: a NaN loses against a number, +0 is above -0 (PTX ISA, max and min).
template <class F>
LEDGER_INLINE constexpr F larger(F a, F b) {
    if (a != a) return b;
    if (a == b) return __builtin_signbit(a) ? b : a;
    return a < b ? b : a;
}
template <class F>
LEDGER_INLINE constexpr F smaller(F a, F b) {
    if (a != a) return b;
    if (a == b) return __builtin_signbit(a) ? a : b;
    return b < a ? b : a;
}

}  // namespace ledger

// min and max: CUDA's overloads for every mix of arithmetic types.
#define LEDGER_CHOICE(name, floating, integral)                                                                       \
    template <class A, class B, class R = std::common_type_t<A, B>,                                                   \
              class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>                           \
    LEDGER_INLINE constexpr R name(A a, B b) {                                                                        \
        const R x = static_cast<R>(a), y = static_cast<R>(b);                                                         \
        if constexpr (std::is_floating_point_v<R>) return ledger::floating(x, y);                                     \
        else return integral ? y : x;                                                                                 \
    }
LEDGER_CHOICE(min, smaller, y < x) LEDGER_CHOICE(max, larger, x < y)
#undef LEDGER_CHOICE
LEDGER_INLINE unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
LEDGER_INLINE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
LEDGER_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
LEDGER_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
LEDGER_INLINE long long llmin(long long a, long long b) { return a < b ? a : b; }
LEDGER_INLINE long long llmax(long long a, long long b) { return a < b ? b : a; }

// C's names with CUDA's meaning: a library call would be slower and knows neither the sign of zero nor saturation. The names are
// changed by macros without parameters, so that a source's own fminf(float4, float4) stays an overload.
namespace ledger {
template <class F> LEDGER_INLINE long long nearest(F x) { return saturate<long long>(__builtin_rint(x)); }
template <class F> LEDGER_INLINE long long half_away(F x) { return saturate<long long>(__builtin_round(x)); }
template <class A, class B> using Real = std::conditional_t<std::is_same_v<A, float> && std::is_same_v<B, float>, float, double>;
template <class A, class B, class T>
using Numbers = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, T>;
}  // namespace ledger
LEDGER_INLINE constexpr float ledger_fmaxf(float a, float b) { return ledger::larger(a, b); }
LEDGER_INLINE constexpr float ledger_fminf(float a, float b) { return ledger::smaller(a, b); }
template <class A, class B> LEDGER_INLINE constexpr ledger::Numbers<A, B, ledger::Real<A, B>> ledger_fmax(A a, B b) {
    return ledger::larger<ledger::Real<A, B>>(a, b);
}
template <class A, class B> LEDGER_INLINE constexpr ledger::Numbers<A, B, ledger::Real<A, B>> ledger_fmin(A a, B b) {
    return ledger::smaller<ledger::Real<A, B>>(a, b);
}
#define LEDGER_ROUND(name, F, how) LEDGER_INLINE long long ledger_##name(F x) { return ledger::how(x); }
LEDGER_ROUND(lrintf, float, nearest) LEDGER_ROUND(llrintf, float, nearest) LEDGER_ROUND(lroundf, float, half_away)
LEDGER_ROUND(llroundf, float, half_away) LEDGER_ROUND(lrint, double, nearest) LEDGER_ROUND(llrint, double, nearest)
LEDGER_ROUND(lround, double, half_away) LEDGER_ROUND(llround, double, half_away)
LEDGER_ROUND(lrint, float, nearest) LEDGER_ROUND(llrint, float, nearest) LEDGER_ROUND(lround, float, half_away)
LEDGER_ROUND(llround, float, half_away)
#undef LEDGER_ROUND
namespace std {
using ::ledger_fmax; using ::ledger_fmaxf; using ::ledger_fmin; using ::ledger_fminf; using ::ledger_llrint;
using ::ledger_llround; using ::ledger_lrint; using ::ledger_lround;
}  // namespace std
#define fmaxf ledger_fmaxf
#define fminf ledger_fminf
#define fmax ledger_fmax
#define fmin ledger_fmin
#define lrintf ledger_lrintf
#define llrintf ledger_llrintf
#define lroundf ledger_lroundf
#define llroundf ledger_llroundf
#define lrint ledger_lrint
#define llrint ledger_llrint
#define lround ledger_lround
#define llround ledger_llround
