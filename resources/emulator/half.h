// cuda_fp16.h: half precision kept as its 16 bits. Results of + - * / fma and sqrt are rounded once, to nearest even.
#pragma once
#include "cuda_emulator.h"
#include "small_format.h"

namespace ledger {

struct HalfFormat {
#if (defined(__clang__) && defined(__F16C__)) || defined(__aarch64__)
    LEDGER_INLINE static float widen(uint16_t bits) { return float(bits_as<_Float16>(bits)); }
    LEDGER_INLINE static uint16_t near(float x) { return x != x ? 0x7FFF : bits_as<uint16_t>(_Float16(x)); }
#elif defined(__F16C__)    // with _Float16, GCC calls its library for double
    typedef short Halves __attribute__((vector_size(16)));
    typedef float Floats __attribute__((vector_size(16)));
    LEDGER_INLINE static float widen(uint16_t bits) { return __builtin_ia32_vcvtph2ps(Halves{short(bits)})[0]; }
    LEDGER_INLINE static uint16_t near(float x) {    // 0: to nearest, whatever the mode in force
        return x != x ? 0x7FFF : uint16_t(Halves(__builtin_ia32_vcvtps2ph(Floats{x}, 0))[0]);
    }
#else
    LEDGER_INLINE static float widen(uint16_t h) {
        const uint32_t sign = uint32_t(h & 0x8000) << 16, rest = h & 0x7FFF;
        uint32_t word = (rest << 13) + (112u << 23);
        if (rest >= 0x7C00) word = 0x7F800000 | (rest & 0x3FF) << 13;
        else if (rest < 0x400) word = bits_as<uint32_t>(float(rest) * 5.9604644775390625e-8f);    // 2^-24
        return bits_as<float>(word | sign);
    }
    LEDGER_INLINE static uint16_t near(float x) { return rounded(double(x), Round::Near); }
#endif
    LEDGER_INLINE static uint16_t rounded(double x, Round mode) { return uint16_t(encode<5, 10, 0x7C00>(x, mode)); }
    static constexpr uint16_t one = 0x3C00, infinity = 0x7C00;
};

}  // namespace ledger

#define LEDGER_NAME half
#define LEDGER_TYPE __half
#define LEDGER_PAIR __half2
#define LEDGER_FORMAT ledger::HalfFormat
#include "small_float.h"
#include "small_math.h"
#undef LEDGER_NAME
#undef LEDGER_TYPE
#undef LEDGER_PAIR
#undef LEDGER_FORMAT
typedef __half half;
typedef __half nv_half;
typedef __half2 half2;
typedef __half2 nv_half2;
#define CUDART_INF_FP16 __ushort_as_half(0x7C00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7FFF)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFF)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3C00)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
