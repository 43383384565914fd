// launch: grid 1, block 64
// argument: int y[64] output
// argument: int x[64] input
__global__ void k(int* y, const int* x) {
    __shared__ int row[64];
    int t = threadIdx.x;
    row[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
#ifdef FAULT
        if (t >= step) row[t] += row[t - step];  // FAULT: RaceInBlock
#else
        int left = t >= step ? row[t - step] : 0;
        __syncthreads();
        row[t] += left;
#endif
        __syncthreads();
    }
    y[t] = row[t];
}
