// launch: grid 2, block 32
// argument: float y[200] output
// argument: float x[200] input
// argument: int n = 200
__global__ void k(float* y, const float* x, int n) {
#ifdef FAULT
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x)
#else
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
#endif
        y[i] = 2.f * x[i];  // FAULT: OutOfBounds
}
