// y = W x with half weights: a warp per row, eight halves per load, float sums.
#include <cuda_fp16.h>

struct __align__(16) Half8 { __half2 pair[4]; };

__device__ float warp_sum(float x)
{
    #pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) x += __shfl_xor_sync(0xffffffff, x, mask, 32);
    return x;
}

__global__ void gemv_half(const __half *__restrict__ weights, const __half *__restrict__ x, float *__restrict__ y, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const Half8 *w8 = reinterpret_cast<const Half8 *>(weights + (size_t)row * columns);
    const Half8 *x8 = reinterpret_cast<const Half8 *>(x);
    float sum = 0.f;
    for (int i = threadIdx.x; i < columns / 8; i += warpSize) {
        const Half8 w = w8[i], v = x8[i];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float2 a = __half22float2(w.pair[k]), b = __half22float2(v.pair[k]);
            sum = fmaf(a.x, b.x, sum);
            sum = fmaf(a.y, b.y, sum);
        }
    }
    sum = warp_sum(sum);
    if (threadIdx.x == 0) y[row] = sum;
}
