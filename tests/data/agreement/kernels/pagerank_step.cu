// One PageRank iteration by pulling along incoming edges; the mass of dangling pages is gathered first by the block.
#include <stdint.h>

template <unsigned BLOCK>
__global__ void pagerank(const uint32_t *__restrict__ row_start, const uint32_t *__restrict__ sources, const uint32_t *__restrict__ out_degree,
                         const double *__restrict__ rank, double *__restrict__ next, uint32_t nodes, double damping)
{
    __shared__ double dangling[BLOCK];
    double mine = 0.0;
    for (uint32_t v = threadIdx.x; v < nodes; v += BLOCK)
        if (!out_degree[v]) mine += rank[v];
    dangling[threadIdx.x] = mine;
    for (unsigned half = BLOCK / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) dangling[threadIdx.x] += dangling[threadIdx.x + half];
    }
    __syncthreads();
    const double base = (1.0 - damping) / nodes, lost = damping * dangling[0] / nodes;
    for (uint32_t v = blockIdx.x * BLOCK + threadIdx.x; v < nodes; v += gridDim.x * BLOCK) {
        double sum = 0.0;
        for (uint32_t e = row_start[v]; e != row_start[v + 1]; ++e) sum += rank[sources[e]] / out_degree[sources[e]];
        next[v] = base + lost + damping * sum;
    }
}
