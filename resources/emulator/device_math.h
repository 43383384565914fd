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

// C's names with CUDA's meaning. Macros: a library call would be slower and knows neither the sign of zero nor saturation.
namespace ledger {
template <class F> LEDGER_INLINE long long nearest(F x) { return saturate<long long>(__builtin_rint(x)); }
template <class F> LEDGER_INLINE long long half_away(F x) { return saturate<long long>(__builtin_round(x)); }
template <class A, class B> using Real = std::conditional_t<std::is_same_v<A, float> && std::is_same_v<B, float>, float, double>;
template <class A, class B> LEDGER_INLINE Real<A, B> fmax(A a, B b) { return larger<Real<A, B>>(a, b); }
template <class A, class B> LEDGER_INLINE Real<A, B> fmin(A a, B b) { return smaller<Real<A, B>>(a, b); }
}  // namespace ledger
namespace std { namespace ledger = ::ledger; }
#define fmaxf(...) ledger::larger<float>(__VA_ARGS__)
#define fminf(...) ledger::smaller<float>(__VA_ARGS__)
#define fmax(...) ledger::fmax(__VA_ARGS__)
#define fmin(...) ledger::fmin(__VA_ARGS__)
#define lrintf(...) ledger::nearest<float>(__VA_ARGS__)
#define llrintf(...) ledger::nearest<float>(__VA_ARGS__)
#define lroundf(...) ledger::half_away<float>(__VA_ARGS__)
#define llroundf(...) ledger::half_away<float>(__VA_ARGS__)
#define lrint(...) ledger::nearest(__VA_ARGS__)
#define llrint(...) ledger::nearest(__VA_ARGS__)
#define lround(...) ledger::half_away(__VA_ARGS__)
#define llround(...) ledger::half_away(__VA_ARGS__)
