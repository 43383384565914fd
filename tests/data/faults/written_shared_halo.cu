// launch: grid 2, block 64
// argument: float y[128] output
// argument: float x[128] input
// argument: int n = 128
__global__ void k(float* y, const float* x, int n) {
    __shared__ float tile[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t + 1] = x[i];
    if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0.f;
#ifdef FAULT
    if (t == 63 && i + 1 < n) tile[65] = x[i + 1];
#else
    if (t == 63) tile[65] = i + 1 < n ? x[i + 1] : 0.f;
#endif
    __syncthreads();
    y[i] = tile[t] + tile[t + 1] + tile[t + 2];  // FAULT: Uninitialised
}
