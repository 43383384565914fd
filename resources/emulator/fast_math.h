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
