// One 16-bit floating type and its pair: the types, conversions, and arithmetic rounded once. Included once per type with
// LEDGER_NAME (half), LEDGER_TYPE (__half), LEDGER_PAIR (__half2) and LEDGER_FORMAT defined; small_math.h has the rest.
#define LEDGER_RAW LEDGER_PASTE_NOW(, LEDGER_TYPE, _raw)
#define LEDGER_RAW_PAIR LEDGER_PASTE_NOW(, LEDGER_PAIR, _raw)
struct alignas(2) LEDGER_RAW { unsigned short x; };
struct alignas(4) LEDGER_RAW_PAIR { unsigned short x, y; };

struct alignas(2) LEDGER_TYPE {
    unsigned short bits;
    LEDGER_TYPE() = default;
    constexpr LEDGER_TYPE(LEDGER_RAW raw) : bits(raw.x) {}
    LEDGER_INLINE LEDGER_TYPE(float x) : bits(LEDGER_FORMAT::near(x)) {}
    LEDGER_INLINE LEDGER_TYPE(double x) : bits(LEDGER_FORMAT::near(ledger::odd_float(x))) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    LEDGER_INLINE LEDGER_TYPE(T x) : bits(LEDGER_FORMAT::near(ledger::odd_float(ledger::odd_double(x)))) {}
    LEDGER_INLINE operator float() const { return LEDGER_FORMAT::widen(bits); }
    constexpr operator LEDGER_RAW() const { return {bits}; }
    LEDGER_INLINE operator bool() const { return (bits & 0x7FFF) != 0; }
#define LEDGER_TO(T) LEDGER_INLINE operator T() const { return ledger::whole<T>(LEDGER_FORMAT::widen(bits), ledger::Round::Zero); }
    LEDGER_TO(char) LEDGER_TO(signed char) LEDGER_TO(unsigned char) LEDGER_TO(short) LEDGER_TO(unsigned short) LEDGER_TO(int)
    LEDGER_TO(unsigned) LEDGER_TO(long) LEDGER_TO(unsigned long) LEDGER_TO(long long) LEDGER_TO(unsigned long long)
#undef LEDGER_TO
};
struct alignas(4) LEDGER_PAIR {
    LEDGER_TYPE x, y;
    LEDGER_PAIR() = default;
    constexpr LEDGER_PAIR(LEDGER_TYPE a, LEDGER_TYPE b) : x(a), y(b) {}
    constexpr LEDGER_PAIR(LEDGER_RAW_PAIR raw) : x(LEDGER_RAW{raw.x}), y(LEDGER_RAW{raw.y}) {}
    constexpr operator LEDGER_RAW_PAIR() const { return {x.bits, y.bits}; }
};
#undef LEDGER_RAW
#undef LEDGER_RAW_PAIR
#define LEDGER_ONE(name) LEDGER_INLINE LEDGER_TYPE name(LEDGER_TYPE a)
#define LEDGER_TWO(name) LEDGER_INLINE LEDGER_TYPE name(LEDGER_TYPE a, LEDGER_TYPE b)
#define LEDGER_ONE_PAIR(name) LEDGER_INLINE LEDGER_PAIR name(LEDGER_PAIR a)
#define LEDGER_TWO_PAIRS(name) LEDGER_INLINE LEDGER_PAIR name(LEDGER_PAIR a, LEDGER_PAIR b)

// --- bits, pairs and conversions
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__ushort_as_, )(unsigned short x) {
    LEDGER_TYPE r;
    r.bits = x;
    return r;
}
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__short_as_, )(short x) { return LEDGER_N(__ushort_as_, )((unsigned short)x); }
LEDGER_INLINE unsigned short LEDGER_N(__, _as_ushort)(LEDGER_TYPE x) { return x.bits; }
LEDGER_INLINE short LEDGER_N(__, _as_short)(LEDGER_TYPE x) { return short(x.bits); }
LEDGER_INLINE float LEDGER_N(__, 2float)(LEDGER_TYPE x) { return x; }
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__float2, )(float x) { return x; }
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__float2, _rn)(float x) { return x; }
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__double2, )(double x) { return x; }
#define LEDGER_MODES(use) use(_rn, Near) use(_rz, Zero) use(_rd, Down) use(_ru, Up)
#define LEDGER_FROM(suffix, mode)                                                                        \
    LEDGER_INLINE LEDGER_TYPE LEDGER_N(LEDGER_FROM_NAME, suffix)(LEDGER_KIND x) {                         \
        return LEDGER_N(__ushort_as_, )(LEDGER_FORMAT::rounded(ledger::odd_double(x), ledger::Round::mode)); \
    }
#define LEDGER_INTO(suffix, mode)                                                                         \
    LEDGER_INLINE LEDGER_KIND LEDGER_N(__, LEDGER_PASTE_NOW(2, LEDGER_KIND_NAME, suffix))(LEDGER_TYPE x) { \
        return ledger::whole<LEDGER_KIND>(float(x), ledger::Round::mode);                                 \
    }
#define LEDGER_FROM_FLOAT(suffix, mode)                                                                  \
    LEDGER_INLINE LEDGER_TYPE LEDGER_N(__float2, suffix)(float x) {                                       \
        return LEDGER_N(__ushort_as_, )(LEDGER_FORMAT::rounded(double(x), ledger::Round::mode));          \
    }
LEDGER_FROM_FLOAT(_rz, Zero) LEDGER_FROM_FLOAT(_rd, Down) LEDGER_FROM_FLOAT(_ru, Up)
#undef LEDGER_FROM_FLOAT
#define LEDGER_KIND int
#define LEDGER_KIND_NAME int
#define LEDGER_FROM_NAME __int2
LEDGER_MODES(LEDGER_FROM) LEDGER_MODES(LEDGER_INTO)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM_NAME
#define LEDGER_KIND unsigned
#define LEDGER_KIND_NAME uint
#define LEDGER_FROM_NAME __uint2
LEDGER_MODES(LEDGER_FROM) LEDGER_MODES(LEDGER_INTO)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM_NAME
#define LEDGER_KIND short
#define LEDGER_KIND_NAME short
#define LEDGER_FROM_NAME __short2
LEDGER_MODES(LEDGER_FROM) LEDGER_MODES(LEDGER_INTO)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM_NAME
#define LEDGER_KIND unsigned short
#define LEDGER_KIND_NAME ushort
#define LEDGER_FROM_NAME __ushort2
LEDGER_MODES(LEDGER_FROM) LEDGER_MODES(LEDGER_INTO)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM_NAME
#define LEDGER_KIND long long
#define LEDGER_KIND_NAME ll
#define LEDGER_FROM_NAME __ll2
LEDGER_MODES(LEDGER_FROM) LEDGER_MODES(LEDGER_INTO)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM_NAME
#define LEDGER_KIND unsigned long long
#define LEDGER_KIND_NAME ull
#define LEDGER_FROM_NAME __ull2
LEDGER_MODES(LEDGER_FROM) LEDGER_MODES(LEDGER_INTO)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM_NAME
#define LEDGER_KIND signed char
#define LEDGER_KIND_NAME char
LEDGER_INTO(_rz, Zero)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#define LEDGER_KIND unsigned char
#define LEDGER_KIND_NAME uchar
LEDGER_INTO(_rz, Zero)
#undef LEDGER_KIND
#undef LEDGER_KIND_NAME
#undef LEDGER_FROM
#undef LEDGER_INTO
#undef LEDGER_MODES
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__, LEDGER_PASTE_NOW(2, LEDGER_NAME, 2))(LEDGER_TYPE a) { return {a, a}; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__halves2, 2)(LEDGER_TYPE a, LEDGER_TYPE b) { return {a, b}; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(make_, 2)(LEDGER_TYPE a, LEDGER_TYPE b) { return {a, b}; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__floats2, 2_rn)(float a, float b) { return {LEDGER_TYPE(a), LEDGER_TYPE(b)}; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__float2, 2_rn)(float a) { return {LEDGER_TYPE(a), LEDGER_TYPE(a)}; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__float22, 2_rn)(float2 a) { return {LEDGER_TYPE(a.x), LEDGER_TYPE(a.y)}; }
LEDGER_INLINE float2 LEDGER_N(__, 22float2)(LEDGER_PAIR a) { return {float(a.x), float(a.y)}; }
LEDGER_INLINE float __low2float(LEDGER_PAIR a) { return a.x; }
LEDGER_INLINE float __high2float(LEDGER_PAIR a) { return a.y; }
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__low2, )(LEDGER_PAIR a) { return a.x; }
LEDGER_INLINE LEDGER_TYPE LEDGER_N(__high2, )(LEDGER_PAIR a) { return a.y; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__low2, 2)(LEDGER_PAIR a) { return {a.x, a.x}; }
LEDGER_INLINE LEDGER_PAIR LEDGER_N(__high2, 2)(LEDGER_PAIR a) { return {a.y, a.y}; }
LEDGER_TWO_PAIRS(LEDGER_N(__lows2, 2)) { return {a.x, b.x}; }
LEDGER_TWO_PAIRS(LEDGER_N(__highs2, 2)) { return {a.y, b.y}; }
LEDGER_ONE_PAIR(__lowhigh2highlow) { return {a.y, a.x}; }

// --- arithmetic: exact or odd-rounded in double, then one rounding
LEDGER_TWO(operator+) { return LEDGER_TYPE(float(a) + float(b)); }    // 24 bits are enough for sums: they are exact where tiny
LEDGER_TWO(operator-) { return LEDGER_TYPE(float(a) - float(b)); }
LEDGER_TWO(operator*) { return LEDGER_TYPE(double(float(a)) * double(float(b))); }
LEDGER_TWO(operator/) { return LEDGER_TYPE(double(float(a)) / double(float(b))); }
LEDGER_ONE(operator+) { return a; }
LEDGER_ONE(__hneg) { return LEDGER_N(__ushort_as_, )(a.bits ^ 0x8000); }
LEDGER_ONE(__habs) { return LEDGER_N(__ushort_as_, )(a.bits & 0x7FFF); }
LEDGER_ONE(operator-) { return __hneg(a); }
LEDGER_ONE_PAIR(__hneg2) { return {-a.x, -a.y}; }
LEDGER_ONE_PAIR(__habs2) { return {__habs(a.x), __habs(a.y)}; }
LEDGER_ONE_PAIR(operator-) { return __hneg2(a); }
LEDGER_ONE_PAIR(operator+) { return a; }
LEDGER_INLINE bool __hisnan(LEDGER_TYPE a) { return (a.bits & 0x7FFF) > LEDGER_FORMAT::infinity; }
LEDGER_INLINE int __hisinf(LEDGER_TYPE a) {
    return (a.bits & 0x7FFF) != LEDGER_FORMAT::infinity ? 0 : a.bits & 0x8000 ? -1 : 1;
}
namespace ledger {
LEDGER_ONE(unit) {    // .sat: to [0, 1], NaN gives 0
    if (!(float(a) > 0.0f)) return LEDGER_N(__ushort_as_, )(0);
    return a.bits < LEDGER_FORMAT::one ? a : LEDGER_N(__ushort_as_, )(LEDGER_FORMAT::one);
}
LEDGER_ONE(not_negative) {    // .relu: NaN gives the canonical one
    return __hisnan(a) ? LEDGER_N(__ushort_as_, )(0x7FFF) : a.bits & 0x8000 ? LEDGER_N(__ushort_as_, )(0) : a;
}
}  // namespace ledger
#define LEDGER_ARITHMETIC(op, scalar, pair)                                                              \
    LEDGER_TWO_PAIRS(operator op) { return {a.x op b.x, a.y op b.y}; }                                    \
    LEDGER_INLINE LEDGER_TYPE& operator op##=(LEDGER_TYPE& a, LEDGER_TYPE b) { return a = a op b; }       \
    LEDGER_INLINE LEDGER_PAIR& operator op##=(LEDGER_PAIR& a, LEDGER_PAIR b) { return a = a op b; }       \
    LEDGER_TWO(scalar) { return a op b; }                                                                 \
    LEDGER_TWO_PAIRS(pair) { return a op b; }
LEDGER_ARITHMETIC(+, __hadd, __hadd2) LEDGER_ARITHMETIC(-, __hsub, __hsub2)
LEDGER_ARITHMETIC(*, __hmul, __hmul2) LEDGER_ARITHMETIC(/, __hdiv, __h2div)
#undef LEDGER_ARITHMETIC
#define LEDGER_FORMS(scalar, pair, op)                                                                   \
    LEDGER_TWO(scalar##_rn) { return a op b; }                                                            \
    LEDGER_TWO_PAIRS(pair##_rn) { return a op b; }                                                        \
    LEDGER_TWO(scalar##_sat) { return ledger::unit(a op b); }                                             \
    LEDGER_TWO_PAIRS(pair##_sat) { return {ledger::unit(a.x op b.x), ledger::unit(a.y op b.y)}; }
LEDGER_FORMS(__hadd, __hadd2, +) LEDGER_FORMS(__hsub, __hsub2, -) LEDGER_FORMS(__hmul, __hmul2, *)
#undef LEDGER_FORMS
#define LEDGER_STEP(op, change)                                                                                          \
    LEDGER_INLINE LEDGER_TYPE& operator op(LEDGER_TYPE& a) { return a = a change LEDGER_N(__ushort_as_, )(LEDGER_FORMAT::one); } \
    LEDGER_INLINE LEDGER_TYPE operator op(LEDGER_TYPE& a, int) {                                                          \
        const LEDGER_TYPE old = a;                                                                                        \
        op a;                                                                                                             \
        return old;                                                                                                       \
    }
LEDGER_STEP(++, +) LEDGER_STEP(--, -)
#undef LEDGER_STEP
LEDGER_INLINE LEDGER_TYPE __hfma(LEDGER_TYPE a, LEDGER_TYPE b, LEDGER_TYPE c) {
    return LEDGER_TYPE(ledger::odd_sum(double(float(a)) * double(float(b)), double(float(c))));
}
LEDGER_INLINE LEDGER_TYPE __hfma_sat(LEDGER_TYPE a, LEDGER_TYPE b, LEDGER_TYPE c) { return ledger::unit(__hfma(a, b, c)); }
LEDGER_INLINE LEDGER_TYPE __hfma_relu(LEDGER_TYPE a, LEDGER_TYPE b, LEDGER_TYPE c) { return ledger::not_negative(__hfma(a, b, c)); }
#define LEDGER_FUSED_PAIR(pair, scalar)                                                          \
    LEDGER_INLINE LEDGER_PAIR pair(LEDGER_PAIR a, LEDGER_PAIR b, LEDGER_PAIR c) {                 \
        return {scalar(a.x, b.x, c.x), scalar(a.y, b.y, c.y)};                                    \
    }
LEDGER_FUSED_PAIR(__hfma2, __hfma) LEDGER_FUSED_PAIR(__hfma2_sat, __hfma_sat) LEDGER_FUSED_PAIR(__hfma2_relu, __hfma_relu)
#undef LEDGER_FUSED_PAIR
LEDGER_INLINE LEDGER_PAIR __hcmadd(LEDGER_PAIR a, LEDGER_PAIR b, LEDGER_PAIR c) {    // complex, real part first
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
