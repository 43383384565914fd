// The K largest of each row with their columns: one thread keeps a sorted list, one warp merges them.
#include <cfloat>

template <int K>
struct TopList {
    float value[K];
    int index[K];

    __device__ void clear()
    {
        for (int k = 0; k < K; ++k) { value[k] = -FLT_MAX; index[k] = -1; }
    }
    __device__ void insert(float v, int i)
    {
        if (!(v > value[K - 1] || (v == value[K - 1] && i < index[K - 1]))) return;
        int k = K - 1;
        for (; k > 0 && (v > value[k - 1] || (v == value[k - 1] && i < index[k - 1])); --k) {
            value[k] = value[k - 1];
            index[k] = index[k - 1];
        }
        value[k] = v;
        index[k] = i;
    }
};

template <int K>
__global__ void top_k(const float *__restrict__ scores, float *values, int *columns, int width)
{
    const float *row = scores + (size_t)blockIdx.x * width;
    TopList<K> list;
    list.clear();
    for (int c = threadIdx.x; c < width; c += 32) list.insert(row[c], c);
    for (int distance = 16; distance; distance >>= 1) {
        TopList<K> other;
        for (int k = 0; k < K; ++k) {
            other.value[k] = __shfl_xor_sync(~0u, list.value[k], distance);
            other.index[k] = __shfl_xor_sync(~0u, list.index[k], distance);
        }
        for (int k = 0; k < K; ++k)
            if (other.index[k] >= 0) list.insert(other.value[k], other.index[k]);
    }
    if (threadIdx.x < K) {
        values[blockIdx.x * K + threadIdx.x] = list.value[threadIdx.x];
        columns[blockIdx.x * K + threadIdx.x] = list.index[threadIdx.x];
    }
}
