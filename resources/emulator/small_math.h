// Comparisons, smallest and largest, and mathematics of one 16-bit floating type; included by half.h and bfloat16.h.
// Comparisons: `u` forms are true where a number is NaN, the others false (`!=` is the u form, __hne is not).
namespace ledger {
LEDGER_INLINE bool unordered(LEDGER_TYPE a, LEDGER_TYPE b) { return __hisnan(a) || __hisnan(b); }
LEDGER_INLINE LEDGER_TYPE truth(bool x, LEDGER_TYPE) { return LEDGER_N(__ushort_as_, )(x ? LEDGER_FORMAT::one : 0); }
}  // namespace ledger
#define LEDGER_COMPARE(name, test)                                                                                      \
    LEDGER_INLINE bool __h##name(LEDGER_TYPE a, LEDGER_TYPE b) { return test; }                                          \
    LEDGER_INLINE bool __hb##name##2(LEDGER_PAIR a, LEDGER_PAIR b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    LEDGER_TWO_PAIRS(__h##name##2) { return {ledger::truth(__h##name(a.x, b.x), a.x), ledger::truth(__h##name(a.y, b.y), a.y)}; } \
    LEDGER_INLINE unsigned __h##name##2_mask(LEDGER_PAIR a, LEDGER_PAIR b) {                                             \
        return (__h##name(a.x, b.x) ? 0xFFFFu : 0u) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0u);                          \
    }
#define LEDGER_BOTH_COMPARES(name, op)                                                                  \
    LEDGER_COMPARE(name, float(a) op float(b) && !ledger::unordered(a, b))                               \
    LEDGER_COMPARE(name##u, float(a) op float(b) || ledger::unordered(a, b))
LEDGER_BOTH_COMPARES(eq, ==) LEDGER_BOTH_COMPARES(ne, !=) LEDGER_BOTH_COMPARES(lt, <) LEDGER_BOTH_COMPARES(le, <=)
LEDGER_BOTH_COMPARES(gt, >) LEDGER_BOTH_COMPARES(ge, >=)
#undef LEDGER_BOTH_COMPARES
#undef LEDGER_COMPARE
#define LEDGER_OPERATORS(op, name)                                                                      \
    LEDGER_INLINE bool operator op(LEDGER_TYPE a, LEDGER_TYPE b) { return __h##name(a, b); }             \
    LEDGER_INLINE bool operator op(LEDGER_PAIR a, LEDGER_PAIR b) { return __hb##name##2(a, b); }
LEDGER_OPERATORS(==, eq) LEDGER_OPERATORS(!=, neu) LEDGER_OPERATORS(<, lt) LEDGER_OPERATORS(<=, le)
LEDGER_OPERATORS(>, gt) LEDGER_OPERATORS(>=, ge)
#undef LEDGER_OPERATORS
LEDGER_ONE_PAIR(__hisnan2) { return {ledger::truth(__hisnan(a.x), a.x), ledger::truth(__hisnan(a.y), a.y)}; }

// The smaller and the larger number: a NaN loses against a number (wins in the _nan forms), -0 is below +0.
namespace ledger {
LEDGER_INLINE bool below(LEDGER_TYPE a, LEDGER_TYPE b) {
    return float(a) < float(b) || (float(a) == float(b) && (a.bits & 0x8000) && !(b.bits & 0x8000));
}
LEDGER_INLINE LEDGER_TYPE choose(LEDGER_TYPE a, LEDGER_TYPE b, bool first, bool nan_wins) {
    if (unordered(a, b)) {
        if (nan_wins || (__hisnan(a) && __hisnan(b))) return LEDGER_N(__ushort_as_, )(0x7FFF);
        return __hisnan(a) ? b : a;
    }
    return first ? a : b;
}
}  // namespace ledger
#define LEDGER_CHOICE(scalar, pair, first, nan_wins)                                       \
    LEDGER_TWO(scalar) { return ledger::choose(a, b, first, nan_wins); }                    \
    LEDGER_TWO_PAIRS(pair) { return {scalar(a.x, b.x), scalar(a.y, b.y)}; }
LEDGER_CHOICE(__hmin, __hmin2, ledger::below(a, b), false) LEDGER_CHOICE(__hmax, __hmax2, ledger::below(b, a), false)
LEDGER_CHOICE(__hmin_nan, __hmin2_nan, ledger::below(a, b), true) LEDGER_CHOICE(__hmax_nan, __hmax2_nan, ledger::below(b, a), true)
#undef LEDGER_CHOICE

// Through double and rounded once: a GPU's are within one step of that (cuda_fp16.h: most are correctly rounded).
#define LEDGER_UNARY(name, pair, exact)                                                           \
    LEDGER_ONE(name) {                                                                             \
        const double x = float(a);                                                                 \
        return LEDGER_TYPE(double(exact));                                                         \
    }                                                                                              \
    LEDGER_ONE_PAIR(pair) { return {name(a.x), name(a.y)}; }
LEDGER_UNARY(hsqrt, h2sqrt, sqrt(x)) LEDGER_UNARY(hrsqrt, h2rsqrt, 1 / sqrt(x)) LEDGER_UNARY(hrcp, h2rcp, 1 / x)
LEDGER_UNARY(hexp, h2exp, exp(x)) LEDGER_UNARY(hexp2, h2exp2, exp2(x)) LEDGER_UNARY(hexp10, h2exp10, pow(10.0, x))
LEDGER_UNARY(hlog, h2log, log(x)) LEDGER_UNARY(hlog2, h2log2, log2(x)) LEDGER_UNARY(hlog10, h2log10, log10(x))
LEDGER_UNARY(hsin, h2sin, sin(x)) LEDGER_UNARY(hcos, h2cos, cos(x))
LEDGER_UNARY(htanh, h2tanh, tanh(x)) LEDGER_UNARY(htanh_approx, h2tanh_approx, tanh(x))
LEDGER_UNARY(hfloor, h2floor, __builtin_floor(x)) LEDGER_UNARY(hceil, h2ceil, __builtin_ceil(x))
LEDGER_UNARY(hrint, h2rint, __builtin_rint(x)) LEDGER_UNARY(htrunc, h2trunc, __builtin_trunc(x))
#undef LEDGER_UNARY
#undef LEDGER_ONE
#undef LEDGER_TWO
#undef LEDGER_ONE_PAIR
#undef LEDGER_TWO_PAIRS
