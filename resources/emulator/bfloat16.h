// cuda_bf16.h: bfloat16 kept as its 16 bits, the upper half of a float; arithmetic through float, rounded once.
#pragma once
#include "cuda_emulator.h"

namespace ledger {

LEDGER_INLINE float bfloat_to_float(uint16_t b) {
    const uint32_t word = uint32_t(b) << 16;
    float result;
    __builtin_memcpy(&result, &word, 4);
    return result;
}
LEDGER_INLINE uint16_t float_to_bfloat(float x) {
    uint32_t word;
    __builtin_memcpy(&word, &x, 4);
    if ((word & 0x7FFFFFFF) > 0x7F800000) return 0x7FFF;                    // NaN
    return uint16_t((word + 0x7FFF + (word >> 16 & 1)) >> 16);              // to nearest, ties to even
}

}  // namespace ledger

struct alignas(2) __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    LEDGER_INLINE __nv_bfloat16(float x) : bits(ledger::float_to_bfloat(x)) {}
    LEDGER_INLINE __nv_bfloat16(double x) : bits(ledger::float_to_bfloat(float(x))) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    LEDGER_INLINE __nv_bfloat16(T x) : bits(ledger::float_to_bfloat(float(x))) {}
    LEDGER_INLINE operator float() const { return ledger::bfloat_to_float(bits); }
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    LEDGER_INLINE explicit operator T() const { return ledger::to<T>(ledger::bfloat_to_float(bits)); }
    LEDGER_INLINE explicit operator double() const { return ledger::bfloat_to_float(bits); }
};
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    LEDGER_INLINE __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

#define LEDGER_NUMBER bfloat
#define LEDGER_TYPE __nv_bfloat16
#define LEDGER_PAIR __nv_bfloat162
#define LEDGER_FROM_DOUBLE(x) __nv_bfloat16(float(x))
#include "small_float.h"
LEDGER_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
LEDGER_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
LEDGER_INLINE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
LEDGER_INLINE __nv_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }
LEDGER_INLINE float2 __bfloat1622float2(__nv_bfloat162 a) { return {float(a.x), float(a.y)}; }
LEDGER_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
LEDGER_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
LEDGER_INLINE float __low2float(__nv_bfloat162 a) { return a.x; }
LEDGER_INLINE float __high2float(__nv_bfloat162 a) { return a.y; }
LEDGER_INLINE __nv_bfloat16 __float2bfloat16(float x) { return x; }
LEDGER_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
LEDGER_INLINE __nv_bfloat16 __double2bfloat16(double x) { return x; }
LEDGER_INLINE float __bfloat162float(__nv_bfloat16 x) { return x; }
LEDGER_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
LEDGER_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
    __nv_bfloat16 r;
    r.bits = x;
    return r;
}
