// GELU, tanh form, on pairs of halves; an odd last element is done alone.
#include <cuda_fp16.h>

__device__ __forceinline__ float gelu(float x)
{
    const float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(inner));
}

extern "C" __global__ void __launch_bounds__(256) gelu_forward(const __half *__restrict__ in, __half *__restrict__ out, int n)
{
    const int pairs = n / 2;
    const __half2 *in2 = reinterpret_cast<const __half2 *>(in);
    __half2 *out2 = reinterpret_cast<__half2 *>(out);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        const float2 v = __half22float2(in2[i]);
        out2[i] = __floats2half2_rn(gelu(v.x), gelu(v.y));
    }
    if ((n & 1) && blockIdx.x == 0 && threadIdx.x == 0)
        out[n - 1] = __float2half(gelu(__half2float(in[n - 1])));
}
