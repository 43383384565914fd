// Prefix sums of rows with CUB: blocked loads by transposition, an exclusive scan, transposed stores.
#include <cub/cub.cuh>

template <int THREADS, int ITEMS>
__global__ void scan_rows(const int *in, int *out, int *aggregates)
{
    using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
    using Scan = cub::BlockScan<int, THREADS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } storage;

    const int offset = blockIdx.x * THREADS * ITEMS;
    int items[ITEMS];
    Load(storage.load).Load(in + offset, items);
    __syncthreads();
    int aggregate;
    Scan(storage.scan).ExclusiveSum(items, items, aggregate);
    __syncthreads();
    Store(storage.store).Store(out + offset, items);
    if (threadIdx.x == 0) aggregates[blockIdx.x] = aggregate;
}
