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
LEDGER_INLINE int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i) c += int((signed char)(a >> (8 * i))) * int((signed char)(b >> (8 * i)));
    return c;
}
LEDGER_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> (8 * i) & 0xFF) * (b >> (8 * i) & 0xFF);
    return c;
}

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
