// launch: grid 2, block 64
// argument: float y[128] output
// argument: float x[128] input
// argument: int n = 100
__global__ void k(float* y, const float* x, int n) {
    __shared__ float row[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    row[t] = i < n ? x[i] : 0.f;
#ifdef FAULT
    if (i < n)
#endif
        __syncthreads();  // FAULT: BarriersDiffer
    y[i] = 0.f;
    __syncthreads();
    y[i] = row[t ^ 1];
}
