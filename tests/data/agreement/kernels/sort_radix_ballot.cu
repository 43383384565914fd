// A stable least-significant-digit radix sort of one warp's 32 keys per step, ranks from ballots.
__global__ void warp_radix_sort(unsigned int *keys, int bits)
{
    const unsigned full = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    unsigned int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
    for (int bit = 0; bit < bits; ++bit) {
        const bool one = key >> bit & 1u;
        const unsigned ones = __ballot_sync(full, one), zeros = ~ones;
        const unsigned below = (1u << lane) - 1u;
        const int target = one ? __popc(zeros) + __popc(ones & below) : __popc(zeros & below);
        // scatter by gathering: the lane whose target is mine is found by a match over the targets
        int source = 0;
        for (int other = 0; other < 32; ++other)
            if (__shfl_sync(full, target, other) == lane) source = other;
        key = __shfl_sync(full, key, source);
    }
    keys[blockIdx.x * blockDim.x + threadIdx.x] = key;
}
