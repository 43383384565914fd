// launch: grid 1, block 48, shared 192
// argument: float y[48] output
// argument: float x[49] input
__global__ void k(float* y, const float* x) {
    extern __shared__ float row[];
    int t = threadIdx.x;
    row[t] = x[t];
#ifdef FAULT
    if (t == 0) row[48] = x[48];  // FAULT: OutOfBounds
#endif
    __syncthreads();
    y[t] = row[t];
}
