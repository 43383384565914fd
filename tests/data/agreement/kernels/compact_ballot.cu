// Keep what passes a threshold, in order, inside each block's segment: ranks from ballots, warp bases by one warp.
#include <stdint.h>

#define WARPS 8
#define FULL_MASK 0xffffffffu

template <typename T>
__device__ int keep_rank(bool keep, T *bases, int *total)
{
    const uint32_t lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
    const uint32_t votes = __ballot_sync(FULL_MASK, keep);
    if (lane == 0) bases[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
        int count = lane < WARPS ? bases[lane] : 0, sum = count;
        for (int d = 1; d < WARPS; d *= 2) {
            const int other = __shfl_up_sync(FULL_MASK, sum, d);
            if (lane >= d) sum += other;
        }
        if (lane < WARPS) bases[lane] = sum - count;
        if (lane == WARPS - 1) *total = sum;
    }
    __syncthreads();
    return bases[warp] + __popc(votes & ((1u << lane) - 1u));
}

__global__ void compact(const float *in, float *out, int *out_index, int *kept, float threshold, int n)
{
    __shared__ int bases[WARPS];
    __shared__ int total;
    const int segment = blockIdx.x * blockDim.x, i = segment + threadIdx.x;
    const float x = i < n ? in[i] : 0.0f;
    const bool keep = i < n && x > threshold;
    const int rank = keep_rank(keep, bases, &total);
    if (keep) {
        out[segment + rank] = x;
        out_index[segment + rank] = i;
    }
    if (threadIdx.x == 0) kept[blockIdx.x] = total;
}
