// Keyed sums where lanes with the same key join before they touch memory.
__global__ void keyed_sums(const short *keys, const int *values, int *counts, long long *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned active = __ballot_sync(0xFFFFFFFF, i < n);
    if (i >= n) return;
    const int key = keys[i];
    const unsigned peers = __match_any_sync(active, key);
    const int lane = threadIdx.x & 31, leader = __ffs(peers) - 1;
    long long total = 0;
    for (int other = 0; other < 32; ++other) {
        // every lane of `active` takes part in the shuffle; only peers are added
        const int value = __shfl_sync(active, values[i], other);
        if (peers >> other & 1) total += value;
    }
    if (lane == leader) {
        atomicAdd(counts + key, __popc(peers));
        atomicAdd(reinterpret_cast<unsigned long long *>(sums + key), static_cast<unsigned long long>(total));
    }
}
