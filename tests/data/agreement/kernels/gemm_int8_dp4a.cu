// Quantised product: int8 by int8 through __dp4a, per-column scales, rounded and clamped back to int8.
#include <cstdint>

__device__ inline int8_t requantise(int sum, float scale, int zero)
{
    const int q = __float2int_rn(__fmul_rn(static_cast<float>(sum), scale)) + zero;
    return static_cast<int8_t>(q < -128 ? -128 : q > 127 ? 127 : q);
}

// a: M x K, b: N x K (rows are output columns); K is a multiple of four.
__global__ void gemm_int8(const int8_t *a, const int8_t *b, const int32_t *bias, const float *scales, int8_t *out, int m, int n,
                          int k, int zero_point)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;
    const int *a4 = reinterpret_cast<const int *>(a + row * k);
    const int *b4 = reinterpret_cast<const int *>(b + column * k);
    int sum = bias[column];
    for (int i = 0; i < k / 4; ++i) sum = __dp4a(a4[i], b4[i], sum);
    out[row * n + column] = requantise(sum, scales[column], zero_point);
}
