// SHA-256 of many messages of one block each (at most 55 bytes), constants made by the compiler.
#include <cstdint>

namespace sha {

constexpr __host__ __device__ uint32_t rotate(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

__constant__ const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct State {
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    __device__ void compress(const uint32_t *block)
    {
        uint32_t w[16], v[8];
        for (int i = 0; i < 16; ++i) w[i] = block[i];
        for (int i = 0; i < 8; ++i) v[i] = h[i];
#pragma unroll 1
        for (int i = 0; i < 64; ++i) {
            if (i >= 16) {
                const uint32_t a = w[(i - 15) & 15], b = w[(i - 2) & 15];
                w[i & 15] += (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[(i - 7) & 15] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
            }
            const uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25), choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
            const uint32_t t1 = v[7] + s1 + choice + K[i] + w[i & 15];
            const uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
            const uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            for (int k = 7; k > 0; --k) v[k] = v[k - 1];
            v[4] += t1;
            v[0] = t1 + t2;
        }
        for (int i = 0; i < 8; ++i) h[i] += v[i];
    }
};

}  // namespace sha

__global__ void hash_messages(const uint8_t *messages, const int *lengths, uint32_t *digests, int stride, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    uint32_t block[16] = {0};
    const int length = lengths[i];
    for (int k = 0; k < length; ++k) block[k / 4] |= static_cast<uint32_t>(messages[i * stride + k]) << (24 - k % 4 * 8);
    block[length / 4] |= 0x80u << (24 - length % 4 * 8);
    block[15] = length * 8;
    sha::State state;
    state.compress(block);
    for (int k = 0; k < 8; ++k) digests[i * 8 + k] = state.h[k];
}
