// Layer normalisation in bfloat16 with float statistics by Welford's method, a warp per row.
#include <cuda_bf16.h>
#include <assert.h>

typedef __nv_bfloat16 floatX;

template <typename T>
struct Welford {
    T mean = 0, m2 = 0;
    int count = 0;
    __device__ void add(T x)
    {
        ++count;
        const T delta = x - mean;
        mean += delta / count;
        m2 += delta * (x - mean);
    }
    __device__ void merge(T mean_b, T m2_b, int count_b)
    {
        if (count_b == 0) return;
        const int n = count + count_b;
        const T delta = mean_b - mean, share = T(count_b) / n;
        mean += delta * share;
        m2 += m2_b + delta * delta * count * share;
        count = n;
    }
};

__global__ void layernorm_forward(floatX *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd,
                                  const floatX *__restrict__ inp, const floatX *__restrict__ weight,
                                  const floatX *__restrict__ bias, int N, int C)
{
    assert(blockDim.x % 32 == 0);
    const int lane = threadIdx.x % 32, idx = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (idx >= N) return;
    const floatX *x = inp + (size_t)idx * C;
    Welford<float> w;
    for (int i = lane; i < C; i += 32) w.add((float)x[i]);
    for (int offset = 16; offset > 0; offset /= 2) {
        const float mean_b = __shfl_down_sync(0xffffffff, w.mean, offset), m2_b = __shfl_down_sync(0xffffffff, w.m2, offset);
        const int count_b = __shfl_down_sync(0xffffffff, w.count, offset);
        if (lane < offset) w.merge(mean_b, m2_b, count_b);
    }
    const float m = __shfl_sync(0xffffffff, w.mean, 0);
    const float s = rsqrtf(__shfl_sync(0xffffffff, w.m2, 0) / C + 1e-5f);
    if (lane == 0) {
        __stcs(mean + idx, m);
        __stcs(rstd + idx, s);
    }
    for (int c = lane; c < C; c += 32) {
        const float n = s * (__bfloat162float(__ldg(x + c)) - m);
        out[(size_t)idx * C + c] = __float2bfloat16(n * (float)weight[c] + (float)bias[c]);
    }
}
