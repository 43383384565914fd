// cuda_fp16.h: half precision kept as its 16 bits. Arithmetic goes through float and is rounded once: for + - * / and sqrt
// that equals the correctly rounded result (24 >= 2 * 11 + 2 bits); fma goes through double.
#pragma once
#include "cuda_emulator.h"

namespace ledger {

LEDGER_INLINE float half_to_float(uint16_t h) {
    const uint32_t sign = uint32_t(h & 0x8000) << 16, rest = h & 0x7FFF;
    uint32_t word;
    if (rest >= 0x7C00) word = 0x7F800000 | (rest & 0x3FF) << 13;
    else if (rest >= 0x400) word = (rest << 13) + (112u << 23);
    else {
        const float small = float(rest) * 5.9604644775390625e-8f;    // 2^-24
        __builtin_memcpy(&word, &small, 4);
    }
    word |= sign;
    float result;
    __builtin_memcpy(&result, &word, 4);
    return result;
}

// Rounds the magnitude of a double to nearest even at half precision; every float and double is handled, NaN stays NaN.
LEDGER_INLINE uint16_t double_to_half(double x) {
    uint64_t word;
    __builtin_memcpy(&word, &x, 8);
    const uint16_t sign = uint16_t(word >> 48 & 0x8000);
    const uint64_t magnitude = word & ~(uint64_t{1} << 63);
    if (magnitude > uint64_t{0x7FF} << 52) return 0x7FFF;                 // NaN: CUDA's canonical one
    if (magnitude >= 0x40EFFE0000000000) return sign | 0x7C00;            // 65520 and above round to infinity
    int shift = 42;
    const int exponent = int(magnitude >> 52) - 1023;
    uint64_t mantissa = (magnitude & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
    if (exponent < -25) return sign;
    uint32_t base = 0;
    if (exponent < -14) shift += -14 - exponent;                          // a subnormal half
    else base = uint32_t(exponent + 14) << 10;
    const uint64_t kept = mantissa >> shift, lost = mantissa & ((uint64_t{1} << shift) - 1), tie = uint64_t{1} << (shift - 1);
    return uint16_t(sign | (base + uint32_t(kept) + (lost > tie || (lost == tie && (kept & 1)))));
}
LEDGER_INLINE uint16_t float_to_half(float x) { return double_to_half(double(x)); }

}  // namespace ledger

struct alignas(2) __half {
    unsigned short bits;
    __half() = default;
    LEDGER_INLINE __half(float x) : bits(ledger::float_to_half(x)) {}
    LEDGER_INLINE __half(double x) : bits(ledger::double_to_half(x)) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    LEDGER_INLINE __half(T x) : bits(ledger::double_to_half(double(x))) {}
    LEDGER_INLINE operator float() const { return ledger::half_to_float(bits); }
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    LEDGER_INLINE explicit operator T() const { return ledger::to<T>(ledger::half_to_float(bits)); }
    LEDGER_INLINE explicit operator double() const { return ledger::half_to_float(bits); }
};
typedef __half half;
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    LEDGER_INLINE __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;
struct __half_raw { unsigned short x; };

#define LEDGER_NUMBER half
#define LEDGER_TYPE __half
#define LEDGER_PAIR __half2
#define LEDGER_FROM_DOUBLE(x) __half(double(x))
#include "small_float.h"
LEDGER_INLINE __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
LEDGER_INLINE __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
LEDGER_INLINE __half __low2half(__half2 a) { return a.x; }
LEDGER_INLINE __half __high2half(__half2 a) { return a.y; }
LEDGER_INLINE __half2 __half2half2(__half a) { return {a, a}; }
LEDGER_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
LEDGER_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
LEDGER_INLINE __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
LEDGER_INLINE __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
LEDGER_INLINE float2 __half22float2(__half2 a) { return {float(a.x), float(a.y)}; }
LEDGER_INLINE float __low2float(__half2 a) { return a.x; }
LEDGER_INLINE float __high2float(__half2 a) { return a.y; }
LEDGER_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
LEDGER_INLINE __half __float2half(float x) { return x; }
LEDGER_INLINE __half __float2half_rn(float x) { return x; }
LEDGER_INLINE __half __double2half(double x) { return x; }
LEDGER_INLINE float __half2float(__half x) { return x; }
LEDGER_INLINE int __half2int_rn(__half x) { return ledger::saturate<int>(rintf(x)); }
LEDGER_INLINE int __half2int_rz(__half x) { return ledger::saturate<int>(float(x)); }
LEDGER_INLINE __half __int2half_rn(int x) { return x; }
LEDGER_INLINE __half __uint2half_rn(unsigned x) { return x; }
LEDGER_INLINE unsigned short __half_as_ushort(__half x) { return x.bits; }
LEDGER_INLINE short __half_as_short(__half x) { return short(x.bits); }
LEDGER_INLINE __half __ushort_as_half(unsigned short x) {
    __half r;
    r.bits = x;
    return r;
}
