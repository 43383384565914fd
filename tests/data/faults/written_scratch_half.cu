// launch: grid 1, block 64
// argument: float y[64] output
// argument: float x[64] input
// argument: float scratch[64] scratch
__global__ void k(float* y, const float* x, float* scratch) {
    int t = threadIdx.x;
#ifdef FAULT
    if (t < 32) scratch[t] = x[t] * x[t];
#else
    scratch[t] = x[t] * x[t];
#endif
    __syncthreads();
    y[t] = scratch[63 - t];  // FAULT: Uninitialised
}
