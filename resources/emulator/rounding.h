// Arithmetic and conversions rounded down, up or towards zero: done by the processor itself in that mode.
#pragma once
#include "cuda_emulator.h"
#include "small_format.h"

namespace ledger {

// The processor's rounding mode, changed for as long as this lives. MXCSR bits 13 and 14, FPCR bits 22 and 23.
template <Round mode>
class Rounding {
  public:
#if defined(__x86_64__)
    LEDGER_INLINE Rounding() {
        asm volatile("stmxcsr %0" : "=m"(saved_));
        const unsigned wanted = (saved_ & ~0x6000u) | bits() << 13;
        asm volatile("ldmxcsr %0" : : "m"(wanted));
    }
    LEDGER_INLINE ~Rounding() { asm volatile("ldmxcsr %0" : : "m"(saved_)); }

  private:
    static constexpr unsigned bits() { return mode == Round::Down ? 1 : mode == Round::Up ? 2 : mode == Round::Zero ? 3 : 0; }
    unsigned saved_;
#elif defined(__aarch64__)
    LEDGER_INLINE Rounding() {
        asm volatile("mrs %0, fpcr" : "=r"(saved_));
        asm volatile("msr fpcr, %0" : : "r"((saved_ & ~(uint64_t{3} << 22)) | bits() << 22));
    }
    LEDGER_INLINE ~Rounding() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }

  private:
    static constexpr uint64_t bits() { return mode == Round::Up ? 1 : mode == Round::Down ? 2 : mode == Round::Zero ? 3 : 0; }
    uint64_t saved_;
#else
    static_assert(mode == Round::Near, "the emulator knows no other rounding on this processor");
#endif
};

// A value the compiler may neither compute before the mode is set nor after it is given back.
template <class T>
LEDGER_INLINE T held(T x) {
    if constexpr (std::is_floating_point_v<T>) {
#if defined(__x86_64__)
        asm volatile("" : "+x"(x));
#elif defined(__aarch64__)
        asm volatile("" : "+w"(x));
#endif
    } else {
        asm volatile("" : "+r"(x));
    }
    return x;
}

template <Round mode, class To, class From>
LEDGER_INLINE To converted(From x) {
    Rounding<mode> on;
    return held(To(held(x)));
}

}  // namespace ledger

#define LEDGER_IN_MODE(mode, result)          \
    {                                         \
        ledger::Rounding<ledger::Round::mode> on; \
        return ledger::held(result);          \
    }
#define LEDGER_H(x) ledger::held(x)
#define LEDGER_ROUNDED_TO(F, p, fused, fma_, root, s, mode)                                                    \
    LEDGER_INLINE F __##p##add_##s(F a, F b) LEDGER_IN_MODE(mode, LEDGER_H(a) + LEDGER_H(b))                    \
    LEDGER_INLINE F __##p##sub_##s(F a, F b) LEDGER_IN_MODE(mode, LEDGER_H(a) - LEDGER_H(b))                    \
    LEDGER_INLINE F __##p##mul_##s(F a, F b) LEDGER_IN_MODE(mode, LEDGER_H(a) * LEDGER_H(b))                    \
    LEDGER_INLINE F __##p##div_##s(F a, F b) LEDGER_IN_MODE(mode, LEDGER_H(a) / LEDGER_H(b))                    \
    LEDGER_INLINE F __##p##rcp_##s(F a) LEDGER_IN_MODE(mode, F(1) / LEDGER_H(a))                                \
    LEDGER_INLINE F __##p##sqrt_##s(F a) LEDGER_IN_MODE(mode, root(LEDGER_H(a)))                                \
    LEDGER_INLINE F __##fma_##_##s(F a, F b, F c) LEDGER_IN_MODE(mode, fused(LEDGER_H(a), LEDGER_H(b), LEDGER_H(c)))
#define LEDGER_BOTH(s, mode)                                                                                   \
    LEDGER_ROUNDED_TO(float, f, __builtin_fmaf, fmaf, __builtin_sqrtf, s, mode)                                 \
    LEDGER_ROUNDED_TO(double, d, __builtin_fma, fma, __builtin_sqrt, s, mode)
LEDGER_BOTH(rd, Down) LEDGER_BOTH(ru, Up) LEDGER_BOTH(rz, Zero)
#undef LEDGER_BOTH
#undef LEDGER_ROUNDED_TO
#undef LEDGER_IN_MODE
#undef LEDGER_H

#define LEDGER_CONVERSIONS(name, From, To)                                                         \
    LEDGER_INLINE To name##_rd(From x) { return ledger::converted<ledger::Round::Down, To>(x); }    \
    LEDGER_INLINE To name##_ru(From x) { return ledger::converted<ledger::Round::Up, To>(x); }      \
    LEDGER_INLINE To name##_rz(From x) { return ledger::converted<ledger::Round::Zero, To>(x); }
LEDGER_CONVERSIONS(__double2float, double, float)
LEDGER_CONVERSIONS(__int2float, int, float)
LEDGER_CONVERSIONS(__uint2float, unsigned, float)
LEDGER_CONVERSIONS(__ll2float, long long, float)
LEDGER_CONVERSIONS(__ull2float, unsigned long long, float)
LEDGER_CONVERSIONS(__ll2double, long long, double)
LEDGER_CONVERSIONS(__ull2double, unsigned long long, double)
#undef LEDGER_CONVERSIONS
