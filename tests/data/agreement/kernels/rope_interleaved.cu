// Rotary position embedding in place on half pairs, angles made on the fly.
#include <cuda_fp16.h>

__global__ void rope(__half2 *x, const int *positions, int heads, int pairs, float theta)
{
    const int token = blockIdx.x, head = threadIdx.y, p = threadIdx.x;
    if (head >= heads || p >= pairs) return;
    const float angle = positions[token] * powf(theta, -(float)p / pairs);
    float s, c;
    sincosf(angle, &s, &c);
    __half2 &at = x[(token * heads + head) * pairs + p];
    const float a = __low2float(at), b = __high2float(at);
    at = __halves2half2(__float2half_rn(a * c - b * s), __float2half_rn(a * s + b * c));
}
