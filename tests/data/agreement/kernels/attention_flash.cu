// Causal attention for one head per block without the score matrix in memory: tiles of keys, running maximum and sum.
template <int HEAD_DIM, int TILE>
__global__ void flash_attention(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v,
                                float *__restrict__ out, int tokens, float scale)
{
    extern __shared__ float smem[];
    float(*ks)[HEAD_DIM] = reinterpret_cast<float(*)[HEAD_DIM]>(smem);
    float(*vs)[HEAD_DIM] = reinterpret_cast<float(*)[HEAD_DIM]>(smem + TILE * HEAD_DIM);

    const size_t head = blockIdx.y * (size_t)tokens * HEAD_DIM;
    const int row = blockIdx.x * TILE + threadIdx.x;
    float query[HEAD_DIM], acc[HEAD_DIM];
#pragma unroll
    for (int d = 0; d < HEAD_DIM; ++d) {
        query[d] = row < tokens ? q[head + row * HEAD_DIM + d] * scale : 0.f;
        acc[d] = 0.f;
    }
    float running_max = -INFINITY, running_sum = 0.f;
    for (int start = 0; start <= blockIdx.x * TILE; start += TILE) {
        __syncthreads();
        for (int i = threadIdx.x; i < TILE * HEAD_DIM; i += blockDim.x) {
            const int key = start + i / HEAD_DIM;
            ks[i / HEAD_DIM][i % HEAD_DIM] = key < tokens ? k[head + key * HEAD_DIM + i % HEAD_DIM] : 0.f;
            vs[i / HEAD_DIM][i % HEAD_DIM] = key < tokens ? v[head + key * HEAD_DIM + i % HEAD_DIM] : 0.f;
        }
        __syncthreads();
        for (int j = 0; j < TILE; ++j) {
            if (start + j > row) break;
            float score = 0.f;
#pragma unroll
            for (int d = 0; d < HEAD_DIM; ++d) score += query[d] * ks[j][d];
            const float new_max = fmaxf(running_max, score);
            const float correction = expf(running_max - new_max), weight = expf(score - new_max);
            running_sum = running_sum * correction + weight;
#pragma unroll
            for (int d = 0; d < HEAD_DIM; ++d) acc[d] = acc[d] * correction + weight * vs[j][d];
            running_max = new_max;
        }
    }
    if (row < tokens)
        for (int d = 0; d < HEAD_DIM; ++d) out[head + row * HEAD_DIM + d] = acc[d] / running_sum;
}
