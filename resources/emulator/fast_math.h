// The `__name` forms of mathematical functions: the same steps as on a GPU (a scaling in float around ex2, lg2, sin, cos), with
// the step itself exact where a GPU's is an approximation (CUDA C++ Programming Guide, intrinsic functions; PTX ISA, *.approx).
#pragma once
#include "cuda_emulator.h"

namespace ledger {

// The argument in turns, cut to float, with whole turns taken away: what is left of large arguments is as coarse as on a GPU.
LEDGER_INLINE float turns(float x) {
    const double exact = double(x) * 0.15915493667125702;    // 1 / 2 pi as a float
    float cut = float(exact);
    if (__builtin_fabs(double(cut)) > __builtin_fabs(exact)) {
        uint32_t word;
        __builtin_memcpy(&word, &cut, 4);
        --word;
        __builtin_memcpy(&cut, &word, 4);
    }
    return cut - __builtin_rintf(cut);
}

}  // namespace ledger

LEDGER_INLINE float __exp2f(float x) { return exp2f(x); }
LEDGER_INLINE float __log2f(float x) { return log2f(x); }
LEDGER_INLINE float __expf(float x) { return exp2f(x * 1.4426950216293335f); }
LEDGER_INLINE float __exp10f(float x) { return exp2f(x * 3.3219280242919922f); }
LEDGER_INLINE float __logf(float x) { return log2f(x) * 0.69314718246459961f; }
LEDGER_INLINE float __log10f(float x) { return log2f(x) * 0.30103001f; }
LEDGER_INLINE float __powf(float x, float y) { return exp2f(y * log2f(x)); }
LEDGER_INLINE float __sinf(float x) { return sinf(6.2831855f * ledger::turns(x)); }
LEDGER_INLINE float __cosf(float x) { return cosf(6.2831855f * ledger::turns(x)); }
LEDGER_INLINE void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
LEDGER_INLINE float __tanf(float x) { return __sinf(x) / __cosf(x); }
LEDGER_INLINE float __tanhf(float x) { return tanhf(x); }
// div.approx: for 2^126 < |y| < 2^128 a finite x gives 0, an infinite one NaN.
LEDGER_INLINE float __fdividef(float x, float y) {
    const float size = __builtin_fabsf(y);
    if (size > 8.507059173023462e37f && size < __builtin_inff()) return x * 0.0f;
    return x / y;
}

// -use_fast_math: these names mean the forms above (nvcc: functions affected by -use_fast_math).
#ifdef LEDGER_FAST_MATH
namespace ledger {
#define LEDGER_FAST(name)                                                  \
    LEDGER_INLINE float fast_##name(float x) { return __##name##f(x); }     \
    LEDGER_INLINE double fast_##name(double x) { return ::name(x); }        \
    template <class T> LEDGER_INLINE double fast_##name(T x) { return ::name(double(x)); }
LEDGER_FAST(sin) LEDGER_FAST(cos) LEDGER_FAST(tan) LEDGER_FAST(tanh) LEDGER_FAST(log) LEDGER_FAST(log2) LEDGER_FAST(log10)
LEDGER_FAST(exp) LEDGER_FAST(exp10)
#undef LEDGER_FAST
LEDGER_INLINE float fast_pow(float x, float y) { return __powf(x, y); }
template <class A, class B> LEDGER_INLINE double fast_pow(A x, B y) { return ::pow(double(x), double(y)); }
}  // namespace ledger
#define sin(...) ledger::fast_sin(__VA_ARGS__)
#define cos(...) ledger::fast_cos(__VA_ARGS__)
#define tan(...) ledger::fast_tan(__VA_ARGS__)
#define tanh(...) ledger::fast_tanh(__VA_ARGS__)
#define log(...) ledger::fast_log(__VA_ARGS__)
#define log2(...) ledger::fast_log2(__VA_ARGS__)
#define log10(...) ledger::fast_log10(__VA_ARGS__)
#define exp(...) ledger::fast_exp(__VA_ARGS__)
#define exp10(...) ledger::fast_exp10(__VA_ARGS__)
#define pow(...) ledger::fast_pow(__VA_ARGS__)
#define sinf(...) __sinf(__VA_ARGS__)
#define cosf(...) __cosf(__VA_ARGS__)
#define sincosf(...) __sincosf(__VA_ARGS__)
#define tanf(...) __tanf(__VA_ARGS__)
#define tanhf(...) __tanhf(__VA_ARGS__)
#define logf(...) __logf(__VA_ARGS__)
#define log2f(...) __log2f(__VA_ARGS__)
#define log10f(...) __log10f(__VA_ARGS__)
#define expf(...) __expf(__VA_ARGS__)
#define exp10f(...) __exp10f(__VA_ARGS__)
#define powf(...) __powf(__VA_ARGS__)
#define fdividef(...) __fdividef(__VA_ARGS__)
#endif
