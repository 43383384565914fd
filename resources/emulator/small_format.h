// Rounding to formats narrower than float, and the sums that make one rounding out of two steps.
#pragma once
#include "cuda_emulator.h"

namespace ledger {

enum class Round { Near, Down, Up, Zero };

template <class To, class From>
LEDGER_INLINE To bits_as(From x) {
    static_assert(sizeof(To) == sizeof(From));
    To r;
    __builtin_memcpy(&r, &x, sizeof r);
    return r;
}

// A double rounded to a format of 1 sign, E exponent and M fraction bits, whose finite magnitudes lie below `Limit`: those
// beyond become Limit (infinity, or the NaN of a format without infinities) or the largest finite one, as the mode says.
// NaN gives all ones without a sign, CUDA's canonical NaN.
template <int E, int M, uint32_t Limit>
LEDGER_INLINE uint32_t encode(double x, Round mode) {
    const uint64_t word = bits_as<uint64_t>(x), magnitude = word & ~(uint64_t{1} << 63);
    const bool negative = word >> 63;
    const uint32_t sign = uint32_t{negative} << (E + M);
    if (magnitude > uint64_t{0x7FF} << 52) return (1u << (E + M)) - 1;
    if (magnitude == uint64_t{0x7FF} << 52) return sign | Limit;
    if (magnitude == 0) return sign;
    constexpr int smallest = 2 - (1 << (E - 1));
    const int exponent = int(magnitude >> 52) - 1023;
    int shift = 52 - M + (exponent < smallest ? smallest - exponent : 0);
    if (shift > 54) shift = 54;
    const uint32_t base = exponent < smallest ? 0 : uint32_t(exponent - smallest) << M;
    const uint64_t mantissa = (magnitude & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
    const uint64_t kept = mantissa >> shift, lost = mantissa & ((uint64_t{1} << shift) - 1), tie = uint64_t{1} << (shift - 1);
    const bool away = mode == Round::Near ? lost > tie || (lost == tie && (kept & 1))
                                          : lost && mode == (negative ? Round::Down : Round::Up);
    const uint32_t result = base + uint32_t(kept) + away;
    if (result < Limit) return sign | result;
    return sign | (mode == Round::Near || mode == (negative ? Round::Down : Round::Up) ? Limit : Limit - 1);
}

// The exact a + b rounded to the double with an odd last bit: a second rounding, to at most 51 bits in any mode, gives what
// one rounding of the exact sum would give (Boldo and Melquiond, Emulation of a FMA and correctly rounded sums, 2008).
LEDGER_INLINE double odd_sum(double a, double b) {
    const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    uint64_t word = bits_as<uint64_t>(sum);
    if ((error > 0 || error < 0) && !(word & 1)) word += (error > 0) == (sum > 0) ? 1 : -1;
    return bits_as<double>(word);
}

// The same from double to float: what follows may round to at most 22 bits.
LEDGER_INLINE float odd_float(double x) {
    const float near = float(x);
    uint32_t word = bits_as<uint32_t>(near);
    if (double(near) != x && !(word & 1)) word += __builtin_fabs(double(near)) < __builtin_fabs(x) ? 1 : -1;
    return bits_as<float>(word);
}

template <class T>
LEDGER_INLINE double odd_double(T x) {    // of an integer
    if constexpr (sizeof(T) < 8) {
        return double(x);
    } else {
        const double high = double(T(x >> 32)) * 4294967296.0, low = double(uint32_t(x));
        return odd_sum(high, low);
    }
}

template <class T>
constexpr T whole(float x, Round mode) {    // saturating; NaN gives 0, and the top bit alone in 64 bits (PTX ISA, cvt)
    if (x != x) return sizeof(T) == 8 ? static_cast<T>(uint64_t{1} << 63) : T(0);
    const float y = mode == Round::Near ? __builtin_rintf(x) : mode == Round::Down ? __builtin_floorf(x)
                    : mode == Round::Up ? __builtin_ceilf(x) : __builtin_truncf(x);
    constexpr T top = std::numeric_limits<T>::max(), bottom = std::numeric_limits<T>::min();
    if (y >= float(top)) return top;
    return y <= float(bottom) ? bottom : static_cast<T>(y);
}

}  // namespace ledger

// Conversions named by LEDGER_NAME (half, bfloat16), LEDGER_TYPE and its LEDGER_PAIR; see small_float.h.
#define LEDGER_PASTE(a, b, c) a##b##c
#define LEDGER_PASTE_NOW(a, b, c) LEDGER_PASTE(a, b, c)
#define LEDGER_N(before, after) LEDGER_PASTE_NOW(before, LEDGER_NAME, after)
