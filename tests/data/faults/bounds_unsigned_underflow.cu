// launch: grid 1, block 32
// argument: float y[32] output
// argument: float x[32] input
__global__ void k(float* y, const float* x) {
    unsigned i = threadIdx.x;
#ifdef FAULT
    y[i] = x[i - 1u];  // FAULT: OutOfBounds
#else
    y[i] = x[i ? i - 1u : 0u];
#endif
}
