// launch: grid 4, block 32
// argument: float y[100] output
// argument: float x[100] input
// argument: int n = 100
__global__ void k(float* y, const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT
    float right = x[i + 1];  // FAULT: OutOfBounds
#else
    float right = i + 1 < n ? x[i + 1] : 0.f;
#endif
    y[i] = right - x[i];
}
