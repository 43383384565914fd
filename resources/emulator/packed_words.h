// Two 16-bit or four 8-bit numbers in one 32-bit word (CUDA Math API: SIMD intrinsics), and the integer minima and maxima with
// addition, a third operand, a lower limit of zero or a predicate (the DPX functions).
#pragma once
#include "cuda_emulator.h"

namespace ledger {

// `change` of each part: S is its signed or unsigned type.
template <class S, class Change, class... W>
LEDGER_INLINE unsigned parts(Change change, W... words) {
    constexpr int bits = sizeof(S) * 8;
    unsigned result = 0;
    for (int at = 0; at < 32; at += bits) {
        const long long part = change((long long)(S(words >> at))...);
        result |= (unsigned(part) & (~0u >> (32 - bits))) << at;
    }
    return result;
}

template <class S>
LEDGER_INLINE long long clamped(long long x) {
    constexpr long long top = std::numeric_limits<S>::max(), bottom = std::numeric_limits<S>::min();
    return x > top ? top : x < bottom ? bottom : x;
}

}  // namespace ledger

#define LEDGER_PACKED(name, S, value)                                                                         \
    LEDGER_INLINE unsigned name(unsigned x, unsigned y) {                                                      \
        using Part = S;                                                                                        \
        (void)sizeof(Part);                                                                                    \
        return ledger::parts<S>([](long long a, long long b) { return (long long)(value); }, x, y);            \
    }
#define LEDGER_PACKED_ONE(name, S, value)                                                                      \
    LEDGER_INLINE unsigned name(unsigned x) {                                                                  \
        using Part = S;                                                                                        \
        (void)sizeof(Part);                                                                                    \
        return ledger::parts<S>([](long long a) { return (long long)(value); }, x);                            \
    }
// Every part compared: all its bits set, and 1 where it holds for the part.
#define LEDGER_PACKED_COMPARE(n, S, name, test)                                                                \
    LEDGER_PACKED(__vcmp##name##n, S, test ? -1 : 0)                                                           \
    LEDGER_PACKED(__vset##name##n, S, test ? 1 : 0)
#define LEDGER_PACKED_SUM(name, S)                                                                             \
    LEDGER_INLINE unsigned name(unsigned x, unsigned y) {                                                      \
        unsigned sum = 0;                                                                                      \
        for (int at = 0; at < 32; at += int(sizeof(S)) * 8) {                                                  \
            const int a = S(x >> at), b = S(y >> at);                                                          \
            sum += unsigned(a > b ? a - b : b - a);                                                            \
        }                                                                                                      \
        return sum;                                                                                            \
    }
#define LEDGER_PACKED_FAMILY(n, S, U)                                                                          \
    LEDGER_PACKED_ONE(__vabs##n, S, a < 0 ? -a : a) LEDGER_PACKED_ONE(__vneg##n, S, -a)                        \
    LEDGER_PACKED_ONE(__vabsss##n, S, ledger::clamped<Part>(a < 0 ? -a : a))                                   \
    LEDGER_PACKED_ONE(__vnegss##n, S, ledger::clamped<Part>(-a))                                               \
    LEDGER_PACKED(__vadd##n, U, a + b) LEDGER_PACKED(__vsub##n, U, a - b)                                      \
    LEDGER_PACKED(__vaddss##n, S, ledger::clamped<Part>(a + b)) LEDGER_PACKED(__vaddus##n, U, ledger::clamped<Part>(a + b)) \
    LEDGER_PACKED(__vsubss##n, S, ledger::clamped<Part>(a - b)) LEDGER_PACKED(__vsubus##n, U, ledger::clamped<Part>(a - b)) \
    LEDGER_PACKED(__vabsdiffs##n, S, a > b ? a - b : b - a) LEDGER_PACKED(__vabsdiffu##n, U, a > b ? a - b : b - a) \
    LEDGER_PACKED(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1) LEDGER_PACKED(__vavgu##n, U, (a + b + 1) >> 1)   \
    LEDGER_PACKED(__vhaddu##n, U, (a + b) >> 1)                                                                \
    LEDGER_PACKED(__vmaxs##n, S, a > b ? a : b) LEDGER_PACKED(__vmaxu##n, U, a > b ? a : b)                    \
    LEDGER_PACKED(__vmins##n, S, a < b ? a : b) LEDGER_PACKED(__vminu##n, U, a < b ? a : b)                    \
    LEDGER_PACKED_SUM(__vsads##n, S) LEDGER_PACKED_SUM(__vsadu##n, U)                                          \
    LEDGER_PACKED_COMPARE(n, U, eq, a == b) LEDGER_PACKED_COMPARE(n, U, ne, a != b)                            \
    LEDGER_PACKED_COMPARE(n, S, ges, a >= b) LEDGER_PACKED_COMPARE(n, U, geu, a >= b)                          \
    LEDGER_PACKED_COMPARE(n, S, gts, a > b) LEDGER_PACKED_COMPARE(n, U, gtu, a > b)                            \
    LEDGER_PACKED_COMPARE(n, S, les, a <= b) LEDGER_PACKED_COMPARE(n, U, leu, a <= b)                          \
    LEDGER_PACKED_COMPARE(n, S, lts, a < b) LEDGER_PACKED_COMPARE(n, U, ltu, a < b)
LEDGER_PACKED_FAMILY(2, int16_t, uint16_t)
LEDGER_PACKED_FAMILY(4, int8_t, uint8_t)
#undef LEDGER_PACKED_FAMILY
#undef LEDGER_PACKED_SUM
#undef LEDGER_PACKED_COMPARE
#undef LEDGER_PACKED_ONE
#undef LEDGER_PACKED

#define LEDGER_DPX(kind, W, S, ends_relu)                                                                                     \
    LEDGER_INLINE W __vimax3_##kind(W x, W y, W z) { return W(ledger::parts<S>(ledger::Largest{}, x, y, z)); }                 \
    LEDGER_INLINE W __vimin3_##kind(W x, W y, W z) { return W(ledger::parts<S>(ledger::Smallest{}, x, y, z)); }                \
    LEDGER_INLINE W __viaddmax_##kind(W x, W y, W z) { return W(ledger::parts<S>(ledger::Largest{}, ledger::sums<S>(x, y), z)); } \
    LEDGER_INLINE W __viaddmin_##kind(W x, W y, W z) { return W(ledger::parts<S>(ledger::Smallest{}, ledger::sums<S>(x, y), z)); } \
    ends_relu
#define LEDGER_RELU(kind, W, S)                                                                                               \
    LEDGER_INLINE W __vimax_##kind##_relu(W x, W y) { return W(ledger::parts<S>(ledger::Largest{}, x, y, W(0))); }              \
    LEDGER_INLINE W __vimin_##kind##_relu(W x, W y) { return W(ledger::positive<S>(ledger::parts<S>(ledger::Smallest{}, x, y))); } \
    LEDGER_INLINE W __vimax3_##kind##_relu(W x, W y, W z) { return W(ledger::positive<S>(__vimax3_##kind(x, y, z))); }         \
    LEDGER_INLINE W __vimin3_##kind##_relu(W x, W y, W z) { return W(ledger::positive<S>(__vimin3_##kind(x, y, z))); }         \
    LEDGER_INLINE W __viaddmax_##kind##_relu(W x, W y, W z) { return W(ledger::positive<S>(__viaddmax_##kind(x, y, z))); }     \
    LEDGER_INLINE W __viaddmin_##kind##_relu(W x, W y, W z) { return W(ledger::positive<S>(__viaddmin_##kind(x, y, z))); }
#define LEDGER_PREDICATE(kind, W)                                        \
    LEDGER_INLINE W __vibmax_##kind(W x, W y, bool* first) {              \
        *first = x >= y;                                                  \
        return *first ? x : y;                                            \
    }                                                                     \
    LEDGER_INLINE W __vibmin_##kind(W x, W y, bool* first) {              \
        *first = x <= y;                                                  \
        return *first ? x : y;                                            \
    }
#define LEDGER_PREDICATES(kind, S)                                                              \
    LEDGER_INLINE unsigned __vibmax_##kind(unsigned x, unsigned y, bool* high, bool* low) {      \
        *high = S(x >> 16) >= S(y >> 16);                                                        \
        *low = S(x) >= S(y);                                                                     \
        return ledger::parts<S>(ledger::Largest{}, x, y);                                        \
    }                                                                                            \
    LEDGER_INLINE unsigned __vibmin_##kind(unsigned x, unsigned y, bool* high, bool* low) {      \
        *high = S(x >> 16) <= S(y >> 16);                                                        \
        *low = S(x) <= S(y);                                                                     \
        return ledger::parts<S>(ledger::Smallest{}, x, y);                                       \
    }
namespace ledger {
struct Largest {
    LEDGER_INLINE long long operator()(long long a, long long b) const { return a > b ? a : b; }
    LEDGER_INLINE long long operator()(long long a, long long b, long long c) const { return (*this)((*this)(a, b), c); }
};
struct Smallest {
    LEDGER_INLINE long long operator()(long long a, long long b) const { return a < b ? a : b; }
    LEDGER_INLINE long long operator()(long long a, long long b, long long c) const { return (*this)((*this)(a, b), c); }
};
template <class S>
LEDGER_INLINE unsigned sums(unsigned x, unsigned y) {
    return parts<S>([](long long a, long long b) { return a + b; }, x, y);
}
template <class S>
LEDGER_INLINE unsigned positive(unsigned x) {
    return parts<S>([](long long a) { return a > 0 ? a : 0; }, x);
}
}  // namespace ledger
LEDGER_DPX(s32, int, int32_t, LEDGER_RELU(s32, int, int32_t))
LEDGER_DPX(u32, unsigned, uint32_t, )
LEDGER_DPX(s16x2, unsigned, int16_t, LEDGER_RELU(s16x2, unsigned, int16_t))
LEDGER_DPX(u16x2, unsigned, uint16_t, )
LEDGER_PREDICATE(s32, int) LEDGER_PREDICATE(u32, unsigned)
LEDGER_PREDICATES(s16x2, int16_t) LEDGER_PREDICATES(u16x2, uint16_t)
#undef LEDGER_DPX
#undef LEDGER_RELU
#undef LEDGER_PREDICATE
#undef LEDGER_PREDICATES
