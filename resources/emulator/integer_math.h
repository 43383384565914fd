// Integer intrinsics, bit casts, conversions with a rounding mode, and loads and stores with a cache hint.
#pragma once

LEDGER_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
LEDGER_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
LEDGER_INLINE int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
LEDGER_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
LEDGER_INLINE int __ffs(int x) { return __builtin_ffs(x); }
LEDGER_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
LEDGER_INLINE unsigned long long __brevll(unsigned long long x) {
    unsigned long long r = 0;
    for (int i = 0; i < 64; ++i) r |= (x >> i & 1) << (63 - i);
    return r;
}
LEDGER_INLINE unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
LEDGER_INLINE int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
LEDGER_INLINE unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
LEDGER_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
LEDGER_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
LEDGER_INLINE int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
LEDGER_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xFFFFFF) * (b & 0xFFFFFF); }
LEDGER_INLINE unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)); }
LEDGER_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
LEDGER_INLINE int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
LEDGER_INLINE int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
LEDGER_INLINE unsigned __uhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b) >> 1); }
LEDGER_INLINE unsigned __urhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b + 1) >> 1); }
LEDGER_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    const unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned r = 0;
    for (int i = 0; i < 4; ++i) r |= unsigned(both >> (8 * (s >> (4 * i) & 7)) & 0xFF) << (8 * i);
    return r;
}
LEDGER_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
    return unsigned(((unsigned long long)hi << 32 | lo) << (n & 31) >> 32);
}
LEDGER_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
    return unsigned(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
// As the shifts above, but beyond 32 as by 32.
LEDGER_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) { return n < 32 ? __funnelshift_l(lo, hi, n) : lo; }
LEDGER_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) { return n < 32 ? __funnelshift_r(lo, hi, n) : hi; }
// The offset-th set bit from `base` on, upwards or downwards; offset 0 asks for `base` itself (PTX ISA, fns).
LEDGER_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
    const int step = offset > 0 ? 1 : -1;
    for (long long at = int(base); at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) && (offset -= step) == 0) return unsigned(at);
    return ~0u;
}
namespace ledger {
// c plus the products of `count` parts of a, each A wide, with parts of b from the first on.
template <class A, class B>
LEDGER_INLINE unsigned dot(unsigned a, unsigned b, unsigned c, int count, int first) {
    for (int i = 0; i < count; ++i)
        c += unsigned(int(A(a >> (int(sizeof(A)) * 8 * i)))) * unsigned(int(B(b >> (int(sizeof(B)) * 8 * (first + i)))));
    return c;
}
template <class V>
LEDGER_INLINE unsigned packed(V v) {
    static_assert(sizeof v == 4);
    unsigned r;
    __builtin_memcpy(&r, &v, 4);
    return r;
}
}  // namespace ledger
#define LEDGER_DOT(T, A, B, VA, VB)                                                                                       \
    LEDGER_INLINE T __dp4a(T a, T b, T c) { return T(ledger::dot<B, B>(unsigned(a), unsigned(b), unsigned(c), 4, 0)); }    \
    LEDGER_INLINE T __dp4a(VB a, VB b, T c) { return __dp4a(T(ledger::packed(a)), T(ledger::packed(b)), c); }              \
    LEDGER_INLINE T __dp2a_lo(T a, T b, T c) { return T(ledger::dot<A, B>(unsigned(a), unsigned(b), unsigned(c), 2, 0)); } \
    LEDGER_INLINE T __dp2a_hi(T a, T b, T c) { return T(ledger::dot<A, B>(unsigned(a), unsigned(b), unsigned(c), 2, 2)); } \
    LEDGER_INLINE T __dp2a_lo(VA a, VB b, T c) { return __dp2a_lo(T(ledger::packed(a)), T(ledger::packed(b)), c); }        \
    LEDGER_INLINE T __dp2a_hi(VA a, VB b, T c) { return __dp2a_hi(T(ledger::packed(a)), T(ledger::packed(b)), c); }
LEDGER_DOT(int, short, signed char, short2, char4)
LEDGER_DOT(unsigned, unsigned short, unsigned char, ushort2, uchar4)
#undef LEDGER_DOT

#define LEDGER_BIT_CAST(name, From, To)         \
    LEDGER_INLINE To name(From x) {              \
        static_assert(sizeof(From) == sizeof(To)); \
        To r;                                    \
        __builtin_memcpy(&r, &x, sizeof r);      \
        return r;                                \
    }
LEDGER_BIT_CAST(__float_as_int, float, int)
LEDGER_BIT_CAST(__float_as_uint, float, unsigned)
LEDGER_BIT_CAST(__int_as_float, int, float)
LEDGER_BIT_CAST(__uint_as_float, unsigned, float)
LEDGER_BIT_CAST(__double_as_longlong, double, long long)
LEDGER_BIT_CAST(__longlong_as_double, long long, double)
#undef LEDGER_BIT_CAST
LEDGER_INLINE int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
LEDGER_INLINE int __double2loint(double x) { return int(__double_as_longlong(x)); }
LEDGER_INLINE double __hiloint2double(int hi, int lo) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}

#define LEDGER_TO_INT(name, From, To, near, down, up)                                    \
    LEDGER_INLINE To name##_rn(From x) { return ledger::saturate<To>(near(x)); }          \
    LEDGER_INLINE To name##_rz(From x) { return ledger::saturate<To>(x); }                \
    LEDGER_INLINE To name##_rd(From x) { return ledger::saturate<To>(down(x)); }          \
    LEDGER_INLINE To name##_ru(From x) { return ledger::saturate<To>(up(x)); }
LEDGER_TO_INT(__float2int, float, int, rintf, floorf, ceilf)
LEDGER_TO_INT(__float2uint, float, unsigned, rintf, floorf, ceilf)
LEDGER_TO_INT(__float2ll, float, long long, rintf, floorf, ceilf)
LEDGER_TO_INT(__float2ull, float, unsigned long long, rintf, floorf, ceilf)
LEDGER_TO_INT(__double2int, double, int, rint, floor, ceil)
LEDGER_TO_INT(__double2uint, double, unsigned, rint, floor, ceil)
LEDGER_TO_INT(__double2ll, double, long long, rint, floor, ceil)
LEDGER_TO_INT(__double2ull, double, unsigned long long, rint, floor, ceil)
#undef LEDGER_TO_INT
LEDGER_INLINE float __int2float_rn(int x) { return float(x); }
LEDGER_INLINE float __uint2float_rn(unsigned x) { return float(x); }
LEDGER_INLINE float __ll2float_rn(long long x) { return float(x); }
LEDGER_INLINE float __ull2float_rn(unsigned long long x) { return float(x); }
LEDGER_INLINE double __int2double_rn(int x) { return x; }
LEDGER_INLINE double __uint2double_rn(unsigned x) { return x; }
LEDGER_INLINE double __ll2double_rn(long long x) { return double(x); }
LEDGER_INLINE double __ull2double_rn(unsigned long long x) { return double(x); }
LEDGER_INLINE float __double2float_rn(double x) { return float(x); }

#define LEDGER_LOAD(name) template <class T> LEDGER_INLINE T name(const T* p) { return *p; }
LEDGER_LOAD(__ldg) LEDGER_LOAD(__ldca) LEDGER_LOAD(__ldcg) LEDGER_LOAD(__ldcs) LEDGER_LOAD(__ldlu) LEDGER_LOAD(__ldcv)
#undef LEDGER_LOAD
#define LEDGER_STORE(name) template <class T> LEDGER_INLINE void name(T* p, ledger::Given<T> x) { *p = x; }
LEDGER_STORE(__stwb) LEDGER_STORE(__stcg) LEDGER_STORE(__stcs) LEDGER_STORE(__stwt)
#undef LEDGER_STORE

// memcpy and memset of device code; a checked build looks at both ranges (the compiler does it for those it expands).
#ifdef LEDGER_CHECKED
extern "C" void* __tsan_memcpy(void*, const void*, uint64_t);
extern "C" void* __tsan_memmove(void*, const void*, uint64_t);
extern "C" void* __tsan_memset(void*, int, uint64_t);
#define memcpy __tsan_memcpy
#define memmove __tsan_memmove
#define memset __tsan_memset
#endif
