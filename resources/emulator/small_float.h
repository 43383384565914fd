// Arithmetic, comparison and mathematics of one 16-bit floating type and its pair. Included once per type with
// LEDGER_TYPE, LEDGER_PAIR and LEDGER_FROM_DOUBLE defined.
#define LEDGER_OPERATOR(op)                                                                                           \
    LEDGER_INLINE LEDGER_TYPE operator op(LEDGER_TYPE a, LEDGER_TYPE b) { return LEDGER_TYPE(float(a) op float(b)); }   \
    LEDGER_INLINE LEDGER_TYPE& operator op##=(LEDGER_TYPE& a, LEDGER_TYPE b) { return a = a op b; }                    \
    LEDGER_INLINE LEDGER_PAIR operator op(LEDGER_PAIR a, LEDGER_PAIR b) { return {a.x op b.x, a.y op b.y}; }            \
    LEDGER_INLINE LEDGER_PAIR& operator op##=(LEDGER_PAIR& a, LEDGER_PAIR b) { return a = a op b; }
LEDGER_OPERATOR(+) LEDGER_OPERATOR(-) LEDGER_OPERATOR(*) LEDGER_OPERATOR(/)
#undef LEDGER_OPERATOR
LEDGER_INLINE LEDGER_TYPE operator-(LEDGER_TYPE a) {
    a.bits ^= 0x8000;
    return a;
}
#define LEDGER_COMPARE(op, scalar)                                                                                    \
    LEDGER_INLINE bool operator op(LEDGER_TYPE a, LEDGER_TYPE b) { return float(a) op float(b); }                      \
    LEDGER_INLINE bool scalar(LEDGER_TYPE a, LEDGER_TYPE b) { return float(a) op float(b); }
LEDGER_COMPARE(<, __hlt) LEDGER_COMPARE(<=, __hle) LEDGER_COMPARE(>, __hgt) LEDGER_COMPARE(>=, __hge)
LEDGER_COMPARE(==, __heq) LEDGER_COMPARE(!=, __hne)
#undef LEDGER_COMPARE
#define LEDGER_BINARY(scalar, pair, op)                                                                \
    LEDGER_INLINE LEDGER_TYPE scalar(LEDGER_TYPE a, LEDGER_TYPE b) { return a op b; }                   \
    LEDGER_INLINE LEDGER_PAIR pair(LEDGER_PAIR a, LEDGER_PAIR b) { return {a.x op b.x, a.y op b.y}; }
LEDGER_BINARY(__hadd, __hadd2, +) LEDGER_BINARY(__hsub, __hsub2, -)
LEDGER_BINARY(__hmul, __hmul2, *) LEDGER_BINARY(__hdiv, __h2div, /)
LEDGER_BINARY(__hadd_rn, __hadd2_rn, +) LEDGER_BINARY(__hmul_rn, __hmul2_rn, *) LEDGER_BINARY(__hsub_rn, __hsub2_rn, -)
#undef LEDGER_BINARY
LEDGER_INLINE LEDGER_TYPE __hfma(LEDGER_TYPE a, LEDGER_TYPE b, LEDGER_TYPE c) {
    return LEDGER_FROM_DOUBLE(double(float(a)) * double(float(b)) + double(float(c)));
}
LEDGER_INLINE LEDGER_PAIR __hfma2(LEDGER_PAIR a, LEDGER_PAIR b, LEDGER_PAIR c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
LEDGER_INLINE LEDGER_TYPE __hneg(LEDGER_TYPE a) { return -a; }
LEDGER_INLINE LEDGER_PAIR __hneg2(LEDGER_PAIR a) { return {-a.x, -a.y}; }
LEDGER_INLINE LEDGER_TYPE __habs(LEDGER_TYPE a) {
    a.bits &= 0x7FFF;
    return a;
}
LEDGER_INLINE bool __hisnan(LEDGER_TYPE a) { return float(a) != float(a); }
LEDGER_INLINE LEDGER_TYPE __hmax(LEDGER_TYPE a, LEDGER_TYPE b) { return LEDGER_TYPE(fmaxf(a, b)); }
LEDGER_INLINE LEDGER_TYPE __hmin(LEDGER_TYPE a, LEDGER_TYPE b) { return LEDGER_TYPE(fminf(a, b)); }
LEDGER_INLINE LEDGER_PAIR __hmax2(LEDGER_PAIR a, LEDGER_PAIR b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
LEDGER_INLINE LEDGER_PAIR __hmin2(LEDGER_PAIR a, LEDGER_PAIR b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
#define LEDGER_UNARY(name, exact) \
    LEDGER_INLINE LEDGER_TYPE name(LEDGER_TYPE a) { return LEDGER_TYPE(exact(float(a))); }
LEDGER_UNARY(hsqrt, sqrtf) LEDGER_UNARY(hrsqrt, 1.0f / sqrtf) LEDGER_UNARY(hrcp, 1.0f / ) LEDGER_UNARY(hexp, expf)
LEDGER_UNARY(hlog, logf) LEDGER_UNARY(hexp2, exp2f) LEDGER_UNARY(hlog2, log2f) LEDGER_UNARY(hsin, sinf) LEDGER_UNARY(hcos, cosf)
LEDGER_UNARY(hfloor, floorf) LEDGER_UNARY(hceil, ceilf) LEDGER_UNARY(hrint, rintf) LEDGER_UNARY(htrunc, truncf)
LEDGER_UNARY(htanh, tanhf)
#undef LEDGER_UNARY
#undef LEDGER_NUMBER
#undef LEDGER_TYPE
#undef LEDGER_PAIR
#undef LEDGER_FROM_DOUBLE
