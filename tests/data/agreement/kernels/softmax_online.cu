// Softmax of rows in one pass over the data for maximum and sum together, as in the online softmax papers.
#include <math.h>
#define WARP_SIZE 32

struct MaxSum { float m, s; };

static __device__ MaxSum join(MaxSum a, MaxSum b)
{
    const bool a_bigger = a.m > b.m;
    const MaxSum big = a_bigger ? a : b, small = a_bigger ? b : a;
    return {big.m, big.s + small.s * __expf(small.m - big.m)};
}

__global__ void softmax_online(float *out, const float *inp, int N, int C)
{
    __shared__ MaxSum partial[32];
    const int row = blockIdx.x, lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const float *x = inp + row * C;
    MaxSum ms = {-1e30f, 0.0f};
    for (int i = threadIdx.x; i < C; i += blockDim.x) ms = join(ms, {x[i], 1.0f});
    for (int offset = 16; offset > 0; offset >>= 1) {
        MaxSum other;
        other.m = __shfl_xor_sync(0xFFFFFFFF, ms.m, offset);
        other.s = __shfl_xor_sync(0xFFFFFFFF, ms.s, offset);
        ms = join(ms, other);
    }
    if (lane == 0) partial[warp] = ms;
    __syncthreads();
    if (warp == 0) {
        ms = lane < blockDim.x / WARP_SIZE ? partial[lane] : MaxSum{-1e30f, 0.0f};
        for (int offset = 16; offset > 0; offset >>= 1) {
            const MaxSum other = {__shfl_xor_sync(0xFFFFFFFF, ms.m, offset), __shfl_xor_sync(0xFFFFFFFF, ms.s, offset)};
            ms = join(ms, other);
        }
        if (lane == 0) partial[0] = ms;
    }
    __syncthreads();
    const MaxSum total = partial[0];
    const float scale = 1.0f / total.s;
    for (int i = threadIdx.x; i < C; i += blockDim.x) out[row * C + i] = expf(x[i] - total.m) * scale;
}
