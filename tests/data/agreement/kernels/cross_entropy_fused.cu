// Loss and gradient of softmax with cross entropy in one kernel, a block per token, padded vocabulary left alone.
#include <float.h>

template <class F>
__device__ float block_reduce(float value, F op, float identity)
{
    __shared__ float shared[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (int o = 16; o; o >>= 1) value = op(value, __shfl_xor_sync(~0u, value, o));
    __syncthreads();    // the array may still be read by the previous call
    if (lane == 0) shared[warp] = value;
    __syncthreads();
    value = lane < warps ? shared[lane] : identity;
    for (int o = 16; o; o >>= 1) value = op(value, __shfl_xor_sync(~0u, value, o));
    return value;
}

__global__ void fused_classifier(float *logits, float *losses, const int *targets, float dloss, int V, int padded)
{
    float *row = logits + blockIdx.x * padded;
    const int target = targets[blockIdx.x];
    float top = -FLT_MAX;
    for (int i = threadIdx.x; i < V; i += blockDim.x) top = fmaxf(top, row[i]);
    top = block_reduce(top, [](float a, float b) { return fmaxf(a, b); }, -FLT_MAX);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < V; i += blockDim.x) sum += expf(row[i] - top);
    sum = block_reduce(sum, [](float a, float b) { return a + b; }, 0.0f);
    if (threadIdx.x == 0) losses[blockIdx.x] = logf(sum) - (row[target] - top);
    __syncthreads();
    for (int i = threadIdx.x; i < V; i += blockDim.x) {
        const float probability = expf(row[i] - top) / sum;
        row[i] = (probability - (i == target ? 1.0f : 0.0f)) * dloss;
    }
}
