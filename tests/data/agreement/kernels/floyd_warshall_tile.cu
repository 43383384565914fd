// All shortest paths of small graphs, one block per graph, with the predecessor of every node.
#define NODES 32
constexpr int NO_PATH = 1 << 28;

__global__ void floyd_warshall(const int *weights, int *distances, int *previous)
{
    __shared__ int dist[NODES][NODES];
    __shared__ int prev[NODES][NODES];
    const int base = blockIdx.x * NODES * NODES;
    const int i = threadIdx.y, j = threadIdx.x;
    const int w = weights[base + i * NODES + j];
    dist[i][j] = i == j ? 0 : w > 0 ? w : NO_PATH;
    prev[i][j] = w > 0 && i != j ? i : -1;
    __syncthreads();
    for (int k = 0; k < NODES; ++k) {
        const int through = dist[i][k] + dist[k][j];
        const int from = prev[k][j];
        const bool shorter = through < dist[i][j];
        __syncthreads();
        if (shorter) {
            dist[i][j] = through;
            prev[i][j] = from;
        }
        __syncthreads();
    }
    distances[base + i * NODES + j] = dist[i][j];
    previous[base + i * NODES + j] = prev[i][j];
}
