// launch: grid 1, block 64
// argument: int y[64] output
// argument: int x[64] input
__global__ void k(int* y, const int* x) {
    __shared__ int row[64];
    int t = threadIdx.x, sum = 0;
    row[t] = x[t];
#ifdef FAULT
    for (int i = 0; i <= x[t]; ++i) {
        __syncthreads();  // FAULT: BarriersDiffer
        sum += row[(t + i) % 64];
    }
#else
    __syncthreads();
    for (int i = 0; i <= x[t]; ++i) sum += row[(t + i) % 64];
#endif
    __syncthreads();
    y[t] = sum;
}
