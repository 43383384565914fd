// Connected components by union and find over an edge list, with path halving and compare-and-swap.
static __device__ int find_root(int *parent, int node)
{
    int current = parent[node];
    while (current != node) {
        const int above = parent[current];
        parent[node] = above;    // halving: harmless when another thread does the same
        node = current;
        current = above;
    }
    return node;
}

__global__ void unite(const int2 *edges, int *parent, int count)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    int a = find_root(parent, edges[e].x), b = find_root(parent, edges[e].y);
    while (a != b) {
        if (a < b) { const int t = a; a = b; b = t; }
        const int seen = atomicCAS(&parent[a], a, b);    // the greater root is hung under the smaller one
        if (seen == a) break;
        a = find_root(parent, seen);
        b = find_root(parent, b);
    }
}

__global__ void flatten(int *parent, int *label, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes) label[v] = find_root(parent, v);
}

// Both phases in one block, so that one launch shows the result.
__global__ void components(const int2 *edges, int *parent, int *label, int count, int nodes)
{
    for (int e = threadIdx.x; e < count; e += blockDim.x) {
        int a = find_root(parent, edges[e].x), b = find_root(parent, edges[e].y);
        while (a != b) {
            const int high = max(a, b), low = min(a, b);
            const int seen = atomicCAS(parent + high, high, low);
            if (seen == high) break;
            a = find_root(parent, seen);
            b = find_root(parent, low);
        }
    }
    __syncthreads();
    for (int v = threadIdx.x; v < nodes; v += blockDim.x) {
        int root = v;
        while (parent[root] != root) root = parent[root];
        label[v] = root;
    }
}
