// cuda_bf16.h: bfloat16 kept as its 16 bits, the upper half of a float; results are rounded once, to nearest even.
#pragma once
#include "cuda_emulator.h"
#include "small_format.h"

namespace ledger {

struct BfloatFormat {
    LEDGER_INLINE static float widen(uint16_t bits) { return bits_as<float>(uint32_t(bits) << 16); }
    LEDGER_INLINE static uint16_t near(float x) {
        const uint32_t word = bits_as<uint32_t>(x);
        return x != x ? 0x7FFF : uint16_t((word + 0x7FFF + (word >> 16 & 1)) >> 16);
    }
    LEDGER_INLINE static uint16_t rounded(double x, Round mode) { return uint16_t(encode<8, 7, 0x7F80>(x, mode)); }
    static constexpr uint16_t one = 0x3F80, infinity = 0x7F80;
};

}  // namespace ledger

#define LEDGER_NAME bfloat16
#define LEDGER_TYPE __nv_bfloat16
#define LEDGER_PAIR __nv_bfloat162
#define LEDGER_FORMAT ledger::BfloatFormat
#include "small_float.h"
#include "small_math.h"
#undef LEDGER_NAME
#undef LEDGER_TYPE
#undef LEDGER_PAIR
#undef LEDGER_FORMAT
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFF)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7F)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
