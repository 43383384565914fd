// launch: grid 4, block 32
// argument: float y[4] output
// argument: float x[128] input
__global__ void k(float* y, const float* x) {
    float sum = x[blockIdx.x * 32 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
#ifdef FAULT
    if (threadIdx.x == 0) y[0] = sum + blockIdx.x;  // FAULT: RaceBetweenBlocks
#else
    if (threadIdx.x == 0) y[blockIdx.x] = sum + blockIdx.x;
#endif
}
