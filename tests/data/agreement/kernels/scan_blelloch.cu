// Work-efficient exclusive scan of one block's data, with padding against bank conflicts.
#define LOG_BANKS 5
#define PAD(index) ((index) + ((index) >> LOG_BANKS))

extern "C" __global__ void scan(const int *in, int *out, int *totals, int n)
{
    extern __shared__ int temp[];
    const int thid = threadIdx.x;
    const int *source = in + blockIdx.x * n;
    int *target = out + blockIdx.x * n;
    const int ai = thid, bi = thid + n / 2;
    temp[PAD(ai)] = source[ai];
    temp[PAD(bi)] = source[bi];

    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            const int a = PAD(offset * (2 * thid + 1) - 1), b = PAD(offset * (2 * thid + 2) - 1);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (thid == 0) {
        totals[blockIdx.x] = temp[PAD(n - 1)];
        temp[PAD(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            const int a = PAD(offset * (2 * thid + 1) - 1), b = PAD(offset * (2 * thid + 2) - 1);
            const int t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    target[ai] = temp[PAD(ai)];
    target[bi] = temp[PAD(bi)];
}
