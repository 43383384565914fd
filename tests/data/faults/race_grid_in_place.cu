// launch: grid 4, block 32
// argument: float y[128] inout
// argument: float x[128] input
// argument: int n = 128
__global__ void k(float* y, const float* x, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
#ifdef FAULT
    float right = i + 1 < n ? y[i + 1] : 0.f;
    __syncthreads();
#else
    float right = i + 1 < n ? x[i + 1] : 0.f;
#endif
    y[i] = right;  // FAULT: RaceBetweenBlocks
}
