// Counter-based random numbers: Philox 4x32 with ten rounds, and normal variates by Box and Muller.
#include <cstdint>

struct Philox {
    uint4 counter;
    uint2 key;

    __device__ static uint4 round(uint4 c, uint2 k)
    {
        const uint32_t hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
        const uint32_t hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
        return make_uint4(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
    }

    __device__ uint4 operator()() const
    {
        uint4 c = counter;
        uint2 k = key;
#pragma unroll
        for (int i = 0; i < 10; ++i) {
            if (i) { k.x += 0x9E3779B9u; k.y += 0xBB67AE85u; }
            c = round(c, k);
        }
        return c;
    }
};

__global__ void philox_normal(uint4 *bits, float4 *normals, uint64_t seed, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Philox generator{make_uint4(i, 0, 0, 0), make_uint2(uint32_t(seed), uint32_t(seed >> 32))};
    const uint4 r = generator();
    bits[i] = r;
    const float scale = 2.3283064e-10f;
    const float u0 = fmaf(r.x, scale, 0.5f * scale), u1 = r.y * scale;
    const float u2 = fmaf(r.z, scale, 0.5f * scale), u3 = r.w * scale;
    const float radius0 = sqrtf(-2.0f * logf(u0)), radius1 = sqrtf(-2.0f * logf(u2));
    float4 out;
    sincospif(2.0f * u1, &out.x, &out.y);
    sincospif(2.0f * u3, &out.z, &out.w);
    out.x *= radius0; out.y *= radius0; out.z *= radius1; out.w *= radius1;
    normals[i] = out;
}
