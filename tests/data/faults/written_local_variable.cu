// launch: grid 1, block 32
// argument: float y[32] output
// argument: float x[32] input
// argument: int n = 32
__global__ void k(float* y, const float* x, int n) {
#ifdef FAULT
    float best;
#else
    float best = 0.f;
#endif
    for (int i = 0; i < n; ++i)
        if (x[i] > 5.f) best = x[i];
    y[threadIdx.x] = best;  // FAULT: Uninitialised warning
}
