// Single-pass inclusive scan: each block publishes its sum, then looks back until it meets a finished prefix.
#define BLOCK 128
enum : unsigned { EMPTY = 0, PARTIAL = 1, PREFIX = 2 };

__device__ unsigned next_tile = 0;

__device__ int inclusive_warp_scan(int x)
{
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        const int y = __shfl_up_sync(0xFFFFFFFFu, x, d);
        if (lane >= d) x += y;
    }
    return x;
}

__global__ void scan_lookback(const int *in, int *out, volatile unsigned long long *status, int n)
{
    __shared__ int warp_sums[BLOCK / 32];
    __shared__ unsigned tile;
    __shared__ int before;
    if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);
    __syncthreads();

    const int i = tile * BLOCK + threadIdx.x, warp = threadIdx.x / 32;
    int x = inclusive_warp_scan(i < n ? in[i] : 0);
    if ((threadIdx.x & 31) == 31) warp_sums[warp] = x;
    __syncthreads();
    for (int w = 0; w < warp; ++w) x += warp_sums[w];

    if (threadIdx.x == BLOCK - 1) {
        const unsigned flag = tile == 0 ? PREFIX : PARTIAL;
        status[tile] = (unsigned long long)flag << 32 | (unsigned)x;
        __threadfence();
        int sum = 0;
        for (int look = (int)tile - 1; look >= 0;) {
            const unsigned long long seen = status[look];
            const unsigned state = (unsigned)(seen >> 32);
            if (state == EMPTY) continue;
            sum += (int)(unsigned)seen;
            if (state == PREFIX) break;
            --look;
        }
        before = sum;
        if (tile) status[tile] = (unsigned long long)PREFIX << 32 | (unsigned)(sum + x);
    }
    __syncthreads();
    if (i < n) out[i] = x + before;
}
