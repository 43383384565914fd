// AdamW with bfloat16 weights, float moments and master copy, and stochastic rounding by a hash; every rounding written out.
#include <cuda_bf16.h>
#include <stdint.h>

struct AdamParams {
    float learning_rate, beta1, beta2, beta1_correction, beta2_correction, epsilon, decay;
    uint32_t seed;
};

__device__ __host__ inline uint32_t squirrel(uint32_t position, uint32_t seed)
{
    uint32_t m = position * 0xB5297A4Du + seed;
    m ^= m >> 8; m += 0x68E31DA4u; m ^= m << 8; m *= 0x1B56C4E9u; m ^= m >> 8;
    return m;
}

__device__ inline float lerp_fma(float start, float end, float weight) { return fmaf(weight, end, fmaf(-weight, start, start)); }

// Up with the probability of the part that is cut off.
__device__ inline __nv_bfloat16 stochastic(float x, uint32_t random)
{
    const uint32_t bits = __float_as_uint(x);
    const uint32_t up = (bits & 0xFFFFu) > (random & 0xFFFFu) ? 0x10000u : 0u;
    return __float2bfloat16_rn(__uint_as_float((bits & 0xFFFF0000u) + up));
}

template <typename Tp, typename Tg>
__global__ void adamw(Tp *params, float *master, const Tg *grads, float *m_memory, float *v_memory, size_t count, const AdamParams p)
{
    const size_t idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= count) return;
    const float grad = (float)grads[idx];
    float m = lerp_fma(grad, m_memory[idx], p.beta1);
    m_memory[idx] = m;
    float v = lerp_fma(__fmul_rn(grad, grad), v_memory[idx], p.beta2);
    v_memory[idx] = v;
    m = __fdiv_rn(m, p.beta1_correction);
    v = __fdiv_rn(v, p.beta2_correction);
    const float old = master[idx];
    const float step = __fdiv_rn(m, __fadd_rn(__fsqrt_rn(v), p.epsilon));
    const float param = fmaf(-p.learning_rate, fmaf(p.decay, old, step), old);
    master[idx] = param;
    params[idx] = stochastic(param, squirrel((uint32_t)idx, p.seed));
}
