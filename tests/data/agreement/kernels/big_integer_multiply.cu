// 256-bit products from 32-bit limbs with 64-bit carries, and a modular power of two by repeated doubling.
#include <cstdint>

struct Wide { uint32_t limb[8]; };

__device__ void multiply(const Wide &a, const Wide &b, uint32_t (&product)[16])
{
    uint64_t carry = 0;
    uint64_t column_low = 0, column_high = 0;
    for (int c = 0; c < 16; ++c) {
        column_low = carry;
        column_high = 0;
        for (int i = c < 8 ? 0 : c - 7; i <= c && i < 8; ++i) {
            const uint64_t p = (uint64_t)a.limb[i] * b.limb[c - i];
            const uint64_t before = column_low;
            column_low += p;
            column_high += column_low < before;
        }
        product[c] = (uint32_t)column_low;
        carry = column_low >> 32 | column_high << 32;
    }
}

__global__ void products(const Wide *a, const Wide *b, uint32_t *out, unsigned long long *high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t product[16];
    multiply(a[i], b[i], product);
    for (int k = 0; k < 16; ++k) out[i * 16 + k] = product[k];
    const unsigned long long x = (unsigned long long)product[15] << 32 | product[14];
    high[i] = __umul64hi(x, 0x9E3779B97F4A7C15ull) + __popcll(x) + __clzll(x) * (long long)__ffsll(x);
}
