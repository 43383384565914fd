// Bitonic sort of one tile in shared memory, for any type and order; the host code sorts several tiles.
#include <algorithm>
#include <cstdio>
#include <vector>

template <typename T>
struct Descending {
    __host__ __device__ bool operator()(const T &a, const T &b) const { return a > b; }
};

template <typename T, int TILE, typename Before>
__global__ void bitonic_sort(T *data, Before before)
{
    __shared__ T tile[TILE];
    T *mine = data + blockIdx.x * TILE;
    for (int i = threadIdx.x; i < TILE; i += blockDim.x) tile[i] = mine[i];

    for (int size = 2; size <= TILE; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int t = threadIdx.x; t < TILE / 2; t += blockDim.x) {
                const int i = 2 * t - (t & (stride - 1)), j = i + stride;
                const bool up = (i & size) == 0;
                if (before(tile[j], tile[i]) == up) {
                    const T swapped = tile[i];
                    tile[i] = tile[j];
                    tile[j] = swapped;
                }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE; i += blockDim.x) mine[i] = tile[i];
}

int main()
{
    std::vector<float> host(4 * 256);
    for (size_t i = 0; i < host.size(); ++i) host[i] = float((i * 7919) % 1009);
    float *device;
    cudaMalloc(&device, host.size() * sizeof(float));
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    bitonic_sort<float, 256><<<4, 128>>>(device, Descending<float>());
    cudaMemcpy(host.data(), device, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%s\n", std::is_sorted(host.begin(), host.begin() + 256, Descending<float>()) ? "sorted" : "not sorted");
    cudaFree(device);
    return 0;
}
