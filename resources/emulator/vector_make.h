// make_float4 and its family; a floating value given for an integer part is converted as a GPU does.
#pragma once

#define LEDGER_MAKE(T, name)                                                                                         \
    template <class A> LEDGER_INLINE constexpr name##1 make_##name##1(A x) { return {ledger::to<T>(x)}; }             \
    template <class A, class B> LEDGER_INLINE constexpr name##2 make_##name##2(A x, B y) {                            \
        return {ledger::to<T>(x), ledger::to<T>(y)};                                                                  \
    }                                                                                                                 \
    template <class A, class B, class C> LEDGER_INLINE constexpr name##3 make_##name##3(A x, B y, C z) {              \
        return {ledger::to<T>(x), ledger::to<T>(y), ledger::to<T>(z)};                                                \
    }                                                                                                                 \
    template <class A, class B, class C, class D> LEDGER_INLINE constexpr name##4 make_##name##4(A x, B y, C z, D w) { \
        return {ledger::to<T>(x), ledger::to<T>(y), ledger::to<T>(z), ledger::to<T>(w)};                              \
    }

LEDGER_MAKE(signed char, char)
LEDGER_MAKE(unsigned char, uchar)
LEDGER_MAKE(short, short)
LEDGER_MAKE(unsigned short, ushort)
LEDGER_MAKE(int, int)
LEDGER_MAKE(unsigned int, uint)
LEDGER_MAKE(long, long)
LEDGER_MAKE(unsigned long, ulong)
LEDGER_MAKE(long long, longlong)
LEDGER_MAKE(unsigned long long, ulonglong)
LEDGER_MAKE(float, float)
LEDGER_MAKE(double, double)
#undef LEDGER_MAKE
