// launch: grid 4, block 32
// argument: float y[128] output
// argument: float x[128] input
// argument: float sums[4] scratch
__global__ void k(float* y, const float* x, float* sums) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.x == 0) sums[blockIdx.x] = x[i];
    __syncthreads();
#ifdef FAULT
    y[i] = x[i] + (blockIdx.x ? sums[blockIdx.x - 1] : 0.f);  // FAULT: RaceBetweenBlocks
#else
    y[i] = x[i] + sums[blockIdx.x];
#endif
}
