// Assignment step of k-means with per-block sums of the new centres, centres staged in dynamic shared memory by type.
template <typename T, int DIM>
struct Points {
    const T *data;
    int count;
    __device__ T at(int i, int d) const { return data[d * count + i]; }    // one array per dimension
};

template <typename T, int DIM>
__global__ void assign(const T *data, int count, const T *__restrict__ centres, int k, int *labels, T *sums, unsigned *sizes)
{
    const Points<T, DIM> points{data, count};
    extern __shared__ __align__(16) unsigned char storage[];
    T *shared_centres = reinterpret_cast<T *>(storage);
    T *shared_sums = shared_centres + k * DIM;
    unsigned *shared_sizes = reinterpret_cast<unsigned *>(shared_sums + k * DIM);
    for (int i = threadIdx.x; i < k * DIM; i += blockDim.x) {
        shared_centres[i] = centres[i];
        shared_sums[i] = 0;
        if (i < k) shared_sizes[i] = 0;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < points.count) {
        int best = 0;
        T nearest = T(3.0e38);
        for (int c = 0; c < k; ++c) {
            T distance = 0;
            for (int d = 0; d < DIM; ++d) {
                const T difference = points.at(i, d) - shared_centres[c * DIM + d];
                distance += difference * difference;
            }
            if (distance < nearest) { nearest = distance; best = c; }
        }
        labels[i] = best;
        atomicAdd(&shared_sizes[best], 1u);
        for (int d = 0; d < DIM; ++d) atomicAdd(&shared_sums[best * DIM + d], points.at(i, d));
    }
    __syncthreads();
    for (int i = threadIdx.x; i < k * DIM; i += blockDim.x) {
        atomicAdd(&sums[i], shared_sums[i]);
        if (i < k) atomicAdd(&sizes[i], shared_sizes[i]);
    }
}
