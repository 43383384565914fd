// -use_fast_math: what the plain names of functions and / mean then (nvcc 13: functions affected by -use_fast_math, read from its
// PTX). Added before the source by plugins/emulator/recipe.py; denormals are flushed by the runtime (runtime/flushing.h).
#pragma once
#include "cuda_emulator.h"

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
LEDGER_INLINE float div(const float& x, const float& y) { return __fdividef(x, y); }
LEDGER_INLINE float& div_assign(float& x, const float& y) { return x = __fdividef(x, y); }
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
