// launch: grid 2, block 32
// argument: float y[64] output
// argument: float x[64] input
__global__ void k(float* y, const float* x) {
    int i = blockIdx.x * 32 + threadIdx.x;
#ifdef FAULT
    y[i] += x[i];  // FAULT: Uninitialised
#else
    y[i] = x[i];
#endif
}
