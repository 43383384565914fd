// CUDA's built-in vector types with CUDA's sizes and alignments (CUDA C++ Programming Guide, table of built-in vector types).
#pragma once

#define LEDGER_VECTOR_TYPE(T, name, align2, align4)                      \
    struct name##1 { T x; };                                             \
    struct alignas(align2) name##2 { T x, y; };                          \
    struct name##3 { T x, y, z; };                                       \
    struct alignas(align4) name##4 { T x, y, z, w; };

LEDGER_VECTOR_TYPE(signed char, char, 2, 4)
LEDGER_VECTOR_TYPE(unsigned char, uchar, 2, 4)
LEDGER_VECTOR_TYPE(short, short, 4, 8)
LEDGER_VECTOR_TYPE(unsigned short, ushort, 4, 8)
LEDGER_VECTOR_TYPE(int, int, 8, 16)
LEDGER_VECTOR_TYPE(unsigned int, uint, 8, 16)
LEDGER_VECTOR_TYPE(long, long, 16, 16)
LEDGER_VECTOR_TYPE(unsigned long, ulong, 16, 16)
LEDGER_VECTOR_TYPE(long long, longlong, 16, 16)
LEDGER_VECTOR_TYPE(unsigned long long, ulonglong, 16, 16)
LEDGER_VECTOR_TYPE(float, float, 8, 16)
LEDGER_VECTOR_TYPE(double, double, 16, 16)
#undef LEDGER_VECTOR_TYPE

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};
