// launch: grid 1, block 64
// argument: int y[8] output
// argument: int x[64] input
__global__ void k(int* y, const int* x) {
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    __syncthreads();
#ifdef FAULT
    bins[x[t]] += 1;  // FAULT: RaceInBlock
#else
    atomicAdd(&bins[x[t]], 1);
#endif
    __syncthreads();
    if (t < 8) y[t] = bins[t];
}
