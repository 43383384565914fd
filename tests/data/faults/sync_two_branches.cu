// launch: grid 1, block 64
// argument: float y[64] output
// argument: float x[64] input
__global__ void k(float* y, const float* x) {
    __shared__ float row[64];
    int t = threadIdx.x;
    row[t] = x[t];
#ifdef FAULT
    if (t < 32) {
        __syncthreads();  // FAULT: BarriersDiffer
        y[t] = row[t + 32];
    } else {
        y[t] = x[t];
        __syncthreads();
    }
#else
    __syncthreads();
    y[t] = t < 32 ? row[t + 32] : x[t];
#endif
}
