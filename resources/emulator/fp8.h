// cuda_fp8.h: the 8-bit formats E4M3 (no infinities, NaN 0x7F) and E5M2, kept as their bits; conversions are rounded once, to
// nearest even. Constructors saturate to the largest finite value.
#pragma once
#include "cuda_emulator.h"
#include "half.h"
#include "bfloat16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// A NaN gives 0x7F; from double alone its sign and (E5M2) its upper bits stay, as in NVIDIA's own conversion.
LEDGER_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    const uint64_t word = ledger::bits_as<uint64_t>(x);
    const unsigned sign = unsigned(word >> 56) & 0x80;
    if (x != x) return (unsigned char)(sign | (kind == __NV_E4M3 ? 0x7F : 0x7E | (unsigned(word >> 50) & 3)));
    const unsigned limit = kind == __NV_E4M3 ? 0x7F : 0x7C;
    const unsigned bits = kind == __NV_E4M3 ? ledger::encode<4, 3, 0x7F>(x, ledger::Round::Near)
                                            : ledger::encode<5, 2, 0x7C>(x, ledger::Round::Near);
    return (unsigned char)(saturate == __NV_SATFINITE && (bits & 0x7F) == limit ? sign | (limit - 1) : bits);
}
LEDGER_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return x != x ? 0x7F : __nv_cvt_double_to_fp8(double(x), saturate, kind);
}
LEDGER_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(float(__half(x)), s, kind);
}
LEDGER_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                              __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(float(__nv_bfloat16(x)), s, kind);
}
#define LEDGER_FP8_PAIR(name, single, Pair, first, second)                                                        \
    LEDGER_INLINE __nv_fp8x2_storage_t name(Pair x, __nv_saturation_t s, __nv_fp8_interpretation_t kind) {         \
        return (unsigned short)(single(first, s, kind) | single(second, s, kind) << 8);                            \
    }
LEDGER_FP8_PAIR(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2, x.x, x.y)
LEDGER_FP8_PAIR(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2, x.x, x.y)
LEDGER_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __nv_cvt_halfraw_to_fp8, __half2_raw, __half_raw{x.x}, __half_raw{x.y})
LEDGER_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat162_raw, __nv_bfloat16_raw{x.x},
                __nv_bfloat16_raw{x.y})
#undef LEDGER_FP8_PAIR

LEDGER_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
    const unsigned rest = x & 0x7F, sign = unsigned(x & 0x80) << 8;
    if (rest > (kind == __NV_E5M2 ? 0x7Cu : 0x7Eu)) return {0x7FFF};
    if (kind == __NV_E5M2) return {(unsigned short)(sign | rest << 8)};
    const float size = rest < 8 ? float(rest) * 0.001953125f : ledger::bits_as<float>((rest << 20) + (120u << 23));    // 2^-9
    return {(unsigned short)(sign | ledger::HalfFormat::near(size))};
}
LEDGER_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
    return {__nv_cvt_fp8_to_halfraw((unsigned char)x, kind).x, __nv_cvt_fp8_to_halfraw((unsigned char)(x >> 8), kind).x};
}

#define LEDGER_FP8(suffix, kind)                                                                                            \
    struct __nv_fp8_##suffix {                                                                                              \
        __nv_fp8_storage_t __x;                                                                                             \
        __nv_fp8_##suffix() = default;                                                                                      \
        LEDGER_INLINE explicit __nv_fp8_##suffix(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}         \
        LEDGER_INLINE explicit __nv_fp8_##suffix(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {}           \
        LEDGER_INLINE explicit __nv_fp8_##suffix(__half x) : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, kind)) {}        \
        LEDGER_INLINE explicit __nv_fp8_##suffix(__nv_bfloat16 x)                                                           \
            : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, kind)) {}                                                  \
        template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                                                 \
        LEDGER_INLINE explicit __nv_fp8_##suffix(T x) : __nv_fp8_##suffix(float(x)) {}                                      \
        LEDGER_INLINE explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }               \
        LEDGER_INLINE explicit operator float() const { return float(__half(*this)); }                                      \
        LEDGER_INLINE explicit operator double() const { return float(*this); }                                             \
        LEDGER_INLINE explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }                       \
        LEDGER_INLINE explicit operator bool() const { return (__x & 0x7F) != 0; }                                          \
        template <class T, class = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>>                     \
        LEDGER_INLINE explicit operator T() const { return ledger::whole<T>(float(*this), ledger::Round::Zero); }           \
    };                                                                                                                      \
    struct alignas(2) __nv_fp8x2_##suffix {                                                                                 \
        __nv_fp8x2_storage_t __x;                                                                                           \
        __nv_fp8x2_##suffix() = default;                                                                                    \
        LEDGER_INLINE explicit __nv_fp8x2_##suffix(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}   \
        LEDGER_INLINE explicit __nv_fp8x2_##suffix(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}     \
        LEDGER_INLINE explicit __nv_fp8x2_##suffix(__half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}  \
        LEDGER_INLINE explicit __nv_fp8x2_##suffix(__nv_bfloat162 x)                                                        \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                                               \
        LEDGER_INLINE explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)); }          \
        LEDGER_INLINE explicit operator float2() const { return __half22float2(__half2(*this)); }                           \
    };                                                                                                                      \
    struct alignas(4) __nv_fp8x4_##suffix {                                                                                 \
        __nv_fp8x4_storage_t __x;                                                                                           \
        __nv_fp8x4_##suffix() = default;                                                                                    \
        LEDGER_INLINE explicit __nv_fp8x4_##suffix(__half2 low, __half2 high)                                               \
            : __x(ledger::joined(__nv_fp8x2_##suffix(low).__x, __nv_fp8x2_##suffix(high).__x)) {}                           \
        LEDGER_INLINE explicit __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)                                 \
            : __x(ledger::joined(__nv_fp8x2_##suffix(low).__x, __nv_fp8x2_##suffix(high).__x)) {}                           \
        LEDGER_INLINE explicit __nv_fp8x4_##suffix(float4 x)                                                                \
            : __x(ledger::joined(__nv_fp8x2_##suffix(float2{x.x, x.y}).__x, __nv_fp8x2_##suffix(float2{x.z, x.w}).__x)) {}  \
        LEDGER_INLINE explicit __nv_fp8x4_##suffix(double4 x)                                                               \
            : __x(ledger::joined(__nv_fp8x2_##suffix(double2{x.x, x.y}).__x, __nv_fp8x2_##suffix(double2{x.z, x.w}).__x)) {} \
        LEDGER_INLINE explicit operator float4() const {                                                                    \
            __nv_fp8x2_##suffix low, high;                                                                                  \
            low.__x = (unsigned short)__x;                                                                                  \
            high.__x = (unsigned short)(__x >> 16);                                                                         \
            const float2 a(low), b(high);                                                                                   \
            return {a.x, a.y, b.x, b.y};                                                                                    \
        }                                                                                                                   \
    };
namespace ledger {
LEDGER_INLINE unsigned joined(unsigned short low, unsigned short high) { return low | unsigned(high) << 16; }
}  // namespace ledger
LEDGER_FP8(e4m3, __NV_E4M3)
LEDGER_FP8(e5m2, __NV_E5M2)
#undef LEDGER_FP8
