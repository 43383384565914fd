// Byte substitution, row shifts, column mixing and key addition of a 128-bit block cipher; the S-box is computed, not listed.
#include <stdint.h>
typedef uint8_t u8;
typedef uint32_t u32;

#define ROTL8(x, shift) ((u8)((x) << (shift)) | ((x) >> (8 - (shift))))

__device__ u8 xtime(u8 x) { return (u8)(x << 1 ^ (x >> 7) * 0x1B); }

__device__ u8 multiply(u8 a, u8 b)
{
    u8 p = 0;
    for (; b; b >>= 1, a = xtime(a))
        if (b & 1) p ^= a;
    return p;
}

__device__ u8 substitute(u8 x)
{
    u8 inverse = x;    // x^254 by square and multiply
    for (int i = 0; i < 6; i++) inverse = multiply(multiply(inverse, inverse), x);
    inverse = multiply(inverse, inverse);
    return inverse ^ ROTL8(inverse, 1) ^ ROTL8(inverse, 2) ^ ROTL8(inverse, 3) ^ ROTL8(inverse, 4) ^ 0x63;
}

__global__ void encrypt_rounds(const uint4 *in, uint4 *out, const u32 *keys, int rounds, int n)
{
    __shared__ u8 sbox[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) sbox[i] = substitute((u8)i);
    __syncthreads();
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    union { uint4 v; u32 w[4]; u8 b[16]; } s, t;
    s.v = in[id];
    for (int k = 0; k < 4; ++k) s.w[k] ^= keys[k];
    for (int r = 1; r <= rounds; ++r) {
        for (int i = 0; i < 16; ++i) t.b[i] = sbox[s.b[(i + 4 * (i & 3)) & 15]];
        for (int c = 0; c < 4; ++c) {
            const u8 *col = &t.b[4 * c];
            if (r == rounds) { s.w[c] = t.w[c]; }
            else {
                const u8 all = col[0] ^ col[1] ^ col[2] ^ col[3];
                for (int k = 0; k < 4; ++k) s.b[4 * c + k] = col[k] ^ all ^ xtime(col[k] ^ col[(k + 1) & 3]);
            }
            s.w[c] ^= keys[4 * r + c];
        }
    }
    out[id] = s.v;
}
