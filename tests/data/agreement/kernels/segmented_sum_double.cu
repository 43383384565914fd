// Sums of segments of unequal length, found by binary search in the offsets, gathered by atomics in double.
__device__ int segment_of(const int *__restrict__ offsets, int segments, int position)
{
    int low = 0, high = segments;
    while (high - low > 1) {
        const int middle = (low + high) >> 1;
        if (offsets[middle] <= position) low = middle; else high = middle;
    }
    return low;
}

__global__ void segmented_sum(const int *offsets, const double *values, double *sums, int segments, int n)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&sums[segment_of(offsets, segments, i)], values[i]);
}
