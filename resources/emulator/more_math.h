// Mathematical functions of CUDA that C has not got and few kernels use: inverse error functions, norms, multiples of pi.
// Computed in double, by iteration on C's functions; the single-precision forms are the double ones rounded.
#pragma once
#include "cuda_emulator.h"

namespace ledger {

constexpr double pi = 3.14159265358979323846, root_of_pi = 1.77245385090551602730;

struct SinCos {
    double sine, cosine;
};
// sin and cos of pi * x; exact where x is a multiple of 1/2.
inline SinCos turn(double x) {
    const double r = x - 2.0 * __builtin_rint(x * 0.5), quarter = __builtin_rint(2.0 * r), t = pi * (r - 0.5 * quarter);
    const double s = sin(t), c = cos(t);
    switch (int(quarter) & 3) {
        case 0: return {s, c};
        case 1: return {c, 0.0 - s};
        case 2: return {0.0 - s, -c};
        default: return {-c, s};
    }
}
inline double turned_sine(double x) {    // CUDA: sinpi(n) is a zero with the sign of n
    if (x != x || __builtin_fabs(x) == HUGE_VAL) return x - x;
    return __builtin_rint(x) == x ? __builtin_copysign(0.0, x) : turn(x).sine;
}
inline double turned_cosine(double x) { return __builtin_fabs(x) == HUGE_VAL ? x - x : turn(x).cosine; }

inline double inverse_small_erf(double y) {
    double x = y * root_of_pi * 0.5;
    for (int i = 0; i < 5; ++i) {
        const double error = erf(x) - y, slope = 2 / root_of_pi * exp(-x * x);
        x -= error / (slope + x * error);
    }
    return y == 0 ? y : x;
}
// erfc(x) = y by Halley's method from Abramowitz and Stegun 26.2.22; where 1 - y is exact and small, erf(x) = 1 - y.
inline double inverse_erfc(double y) {
    if (!(y >= 0 && y <= 2)) return NAN;
    if (y > 1.5) return -inverse_erfc(2 - y);
    if (y >= 0.5) return inverse_small_erf(1 - y);
    if (y == 0) return HUGE_VAL;
    const double t = sqrt(-2 * log(y * 0.5));
    double x = -0.70710678118654752 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
    for (int i = 0; i < 4; ++i) {
        const double error = erfc(x) - y, slope = 2 / root_of_pi * exp(-x * x);
        if (slope > 0) x += error / (slope - x * error);
    }
    return x;
}
inline double inverse_erf(double y) {
    const double size = __builtin_fabs(y);
    return size > 0.5 ? __builtin_copysign(inverse_erfc(1 - size), y) : inverse_small_erf(y);
}
// The normal distribution: erfc of -x / sqrt(2), corrected for the rounding of that quotient.
inline double normal_share(double x) {
    const double high = 0.70710678118654752, low = -4.8336466567264567e-17, t = -x * high;
    const double rest = fma(-x, high, -t) - x * low;
    return __builtin_fabs(x) < 40 ? 0.5 * (erfc(t) - rest * 2 / root_of_pi * exp(-t * t)) : x < 0 ? 0.0 : x != x ? x : 1.0;
}
inline double normal_place(double p) {
    return 1.4142135623730950 * (p >= 0.25 && p <= 0.75 ? inverse_small_erf(2 * p - 1) : -inverse_erfc(2 * p));
}
// exp(x^2) erfc(x): asymptotic where erfc would be tiny (Abramowitz and Stegun 7.1.23).
inline double scaled_erfc(double x) {
    if (x < 10) {
        const double square = x * x, rest = fma(x, x, -square);
        return x < -27 ? HUGE_VAL : exp(square) * (1 + rest) * erfc(x);
    }
    double sum = 1, term = 1;
    for (int n = 1; n <= 14; ++n) sum += term *= -(2 * n - 1) / (2 * x * x);
    return sum / (x * root_of_pi);
}
// I0, I1 by their power series, in which every term has one sign; terms and sum carry the digits that rounding cuts off.
inline double modified_bessel(double x, int order) {
    const double square = x * x * 0.25, square_rest = fma(x * 0.25, x, -square);
    double term = order ? x * 0.5 : 1, term_rest = 0, sum = term, sum_rest = 0;
    for (int k = 1; k < 1500; ++k) {
        const double divisor = double(k) * (k + order), ratio = square / divisor;
        const double ratio_rest = (fma(-ratio, divisor, square) + square_rest) / divisor, next = term * ratio;
        term_rest = fma(term, ratio, -next) + term_rest * ratio + term * ratio_rest;
        term = next;
        const double total = sum + term;
        if (__builtin_fabs(total) == HUGE_VAL) return total;
        sum_rest += (sum - total) + term + term_rest;
        sum = total;
        if (__builtin_fabs(term) <= __builtin_fabs(sum) * 1e-18) break;
    }
    return sum + sum_rest;
}
// The root of the sum of squares, scaled against overflow.
inline double root_of_squares(const double* x, int count) {
    double most = 0, sum = 0;
    for (int i = 0; i < count; ++i) {
        if (__builtin_fabs(x[i]) == HUGE_VAL) return HUGE_VAL;
        most = __builtin_fabs(x[i]) < most ? most : __builtin_fabs(x[i]);
    }
    if (!(most > 0)) return most;
    for (int i = 0; i < count; ++i) sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}
template <class F>
double norm_of(int count, const F* x) {
    double square = 0;
    if constexpr (sizeof(F) == 4) {
        for (int i = 0; i < count; ++i) square += double(x[i]) * double(x[i]);    // of floats: neither over- nor underflows
        return sqrt(square);
    } else {
        return root_of_squares(x, count);
    }
}

}  // namespace ledger

#define LEDGER_ONE(name, value)                                     \
    LEDGER_INLINE double name(double x) { return value; }            \
    LEDGER_INLINE float name##f(float x_) { const double x = x_; return float(value); }
LEDGER_ONE(sinpi, ledger::turned_sine(x)) LEDGER_ONE(cospi, ledger::turned_cosine(x))
LEDGER_ONE(erfinv, ledger::inverse_erf(x)) LEDGER_ONE(erfcinv, ledger::inverse_erfc(x)) LEDGER_ONE(erfcx, ledger::scaled_erfc(x))
LEDGER_ONE(normcdf, ledger::normal_share(x)) LEDGER_ONE(normcdfinv, ledger::normal_place(x))
LEDGER_ONE(cyl_bessel_i0, ledger::modified_bessel(x, 0)) LEDGER_ONE(cyl_bessel_i1, ledger::modified_bessel(x, 1))
#undef LEDGER_ONE
LEDGER_INLINE void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
LEDGER_INLINE void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
#define LEDGER_NORMS(F, f)                                                                                               \
    LEDGER_INLINE F norm##f(int count, const F* x) { return F(ledger::norm_of(count, x)); }                               \
    LEDGER_INLINE F rnorm##f(int count, const F* x) { return F(1 / ledger::norm_of(count, x)); }                          \
    LEDGER_INLINE F norm3d##f(F a, F b, F c) { const F x[] = {a, b, c}; return F(ledger::norm_of(3, x)); }                \
    LEDGER_INLINE F rnorm3d##f(F a, F b, F c) { const F x[] = {a, b, c}; return F(1 / ledger::norm_of(3, x)); }           \
    LEDGER_INLINE F norm4d##f(F a, F b, F c, F d) { const F x[] = {a, b, c, d}; return F(ledger::norm_of(4, x)); }        \
    LEDGER_INLINE F rnorm4d##f(F a, F b, F c, F d) { const F x[] = {a, b, c, d}; return F(1 / ledger::norm_of(4, x)); }   \
    LEDGER_INLINE F rhypot##f(F a, F b) { const F x[] = {a, b}; return F(1 / ledger::norm_of(2, x)); }
LEDGER_NORMS(float, f) LEDGER_NORMS(double, )
#undef LEDGER_NORMS
