// 256 bins: counts in shared memory per block, added to the result at the end; four bytes per load.
#define BINS 256

static __device__ __forceinline__ void add_word(unsigned *bins, unsigned word)
{
    atomicAdd(bins + (word >> 0 & 0xFF), 1u);
    atomicAdd(bins + (word >> 8 & 0xFF), 1u);
    atomicAdd(bins + (word >> 16 & 0xFF), 1u);
    atomicAdd(bins + (word >> 24 & 0xFF), 1u);
}

__global__ void histogram256(const unsigned char *data, unsigned long long count, unsigned *histogram)
{
    __shared__ unsigned bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    const unsigned *words = reinterpret_cast<const unsigned *>(data);
    const unsigned long long whole = count / 4;
    const unsigned step = blockDim.x * gridDim.x;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < whole; i += step) add_word(bins, words[i]);
    if (blockIdx.x == 0 && threadIdx.x < count % 4) atomicAdd(&bins[data[whole * 4 + threadIdx.x]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (bins[b]) atomicAdd(&histogram[b], bins[b]);
}
