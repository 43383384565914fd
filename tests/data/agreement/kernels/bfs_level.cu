// Breadth-first search, a level per turn inside one block, frontier queues in shared memory; Rodinia-like structures.
#include <stdio.h>
#include <stdbool.h>
#define MAX_FRONTIER 512

struct Node {
    int starting;
    int no_of_edges;
};

__global__ void bfs(const struct Node *g_graph_nodes, const int *g_graph_edges, int *g_cost, int *levels, int source, int no_of_nodes)
{
    __shared__ int queue[2][MAX_FRONTIER];
    __shared__ int tail[2];
    for (int v = threadIdx.x; v < no_of_nodes; v += blockDim.x) g_cost[v] = -1;
    if (threadIdx.x == 0) {
        queue[0][0] = source;
        tail[0] = 1;
        tail[1] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) g_cost[source] = 0;
    __syncthreads();
    int level = 0;
    while (tail[level & 1] > 0) {
        const int now = level & 1, next = now ^ 1;
        for (int i = threadIdx.x; i < tail[now]; i += blockDim.x) {
            const struct Node node = g_graph_nodes[queue[now][i]];
            for (int e = node.starting; e < node.starting + node.no_of_edges; ++e) {
                const int id = g_graph_edges[e];
                if (atomicCAS(&g_cost[id], -1, level + 1) == -1) queue[next][atomicAdd(&tail[next], 1)] = id;
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) tail[now] = 0;
        ++level;
        __syncthreads();
    }
    if (threadIdx.x == 0) *levels = level;
}
