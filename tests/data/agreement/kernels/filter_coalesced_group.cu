// Count elements by class with the groups of threads that happen to be together, and label parity runs by a tile of eight.
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ int add_aggregated(int *counter)
{
    coalesced_group active = coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(counter, active.size());
    return active.shfl(base, 0) + active.thread_rank();
}

__global__ void classify(const int *values, int *negative, int *even, int *handed_out, unsigned *votes, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    thread_block block = this_thread_block();
    thread_block_tile<8> eight = tiled_partition<8>(block);
    const int x = i < n ? values[i] : 1;
    const unsigned odd = eight.ballot(x & 1);
    if (eight.thread_rank() == 0 && i < n) votes[i / 8] = odd;
    if (i >= n) return;
    if (x < 0) add_aggregated(negative);
    if ((x & 1) == 0) {
        const int ticket = add_aggregated(even);    // every ticket is given exactly once, in any order
        handed_out[ticket] = 1;
    }
}
