// Rows quantised to FP8 (E4M3) with a scale per row, and back to half; E5M2 of the same values beside it.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void quantize_rows(const float *in, __nv_fp8_e4m3 *q, unsigned char *q5, __half *back, float *scales, int columns)
{
    __shared__ unsigned largest;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    const float *row = in + blockIdx.x * columns;
    float m = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) m = fmaxf(m, fabsf(row[c]));
    atomicMax(&largest, __float_as_uint(m));    // non-negative floats order like their bits
    __syncthreads();
    const float scale = __fdiv_rn(__uint_as_float(largest), 448.0f);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        const float x = __fdiv_rn(row[c], scale);
        const __nv_fp8_e4m3 v(x);
        q[blockIdx.x * columns + c] = v;
        q5[blockIdx.x * columns + c] = __nv_cvt_float_to_fp8(row[c], __NV_SATFINITE, __NV_E5M2);
        back[blockIdx.x * columns + c] = __float2half(__fmul_rn(static_cast<float>(v), scale));
    }
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}
