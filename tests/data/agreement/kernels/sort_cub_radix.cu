// Keys with their values, the last ones missing, sorted inside each block by CUB, and the block's smallest key by a block reduction.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_store.cuh>

constexpr int kThreads = 64;
constexpr int kItems = 4;

__global__ void __launch_bounds__(kThreads) sort_pairs(const unsigned *keys_in, const int *values_in, unsigned *keys_out,
                                                      int *values_out, unsigned *largest_gap, int valid)
{
    typedef cub::BlockRadixSort<unsigned, kThreads, kItems, int> Sort;
    typedef cub::BlockReduce<unsigned, kThreads> Reduce;
    __shared__ typename Sort::TempStorage sort_storage;
    __shared__ typename Reduce::TempStorage reduce_storage;

    unsigned keys[kItems];
    int values[kItems];
    const int base = blockIdx.x * kThreads * kItems;
    cub::LoadDirectBlocked(threadIdx.x, keys_in + base, keys, valid, ~0u);
    cub::LoadDirectBlocked(threadIdx.x, values_in + base, values);
    Sort(sort_storage).Sort(keys, values);

    unsigned gap = 0;
#pragma unroll
    for (int k = 1; k < kItems; ++k) gap = max(gap, keys[k] - keys[k - 1]);
    const unsigned widest = Reduce(reduce_storage).Reduce(gap, [](unsigned a, unsigned b) { return a > b ? a : b; });
    cub::StoreDirectBlocked(threadIdx.x, keys_out + base, keys);
    cub::StoreDirectStriped<kThreads>(threadIdx.x, values_out + base, values);
    if (threadIdx.x == 0) largest_gap[blockIdx.x] = widest;
}
