// launch: grid 2, block 32
// argument: float y[2] output
// argument: float x[50] input
// argument: int n = 50
__global__ void k(float* y, const float* x, int n) {
    __shared__ float part[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
#ifdef FAULT
    if (i < n) part[t] = x[i];
#else
    part[t] = i < n ? x[i] : 0.f;
#endif
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];  // FAULT: Uninitialised
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}
