// launch: grid 4, block 10
// argument: float y[40] output
// argument: float x[40] input
__global__ void k(float* y, const float* x) {
#ifdef FAULT
    int i = blockIdx.x * 8 + threadIdx.x;
#else
    int i = blockIdx.x * 10 + threadIdx.x;
#endif
    y[i] = x[i] * blockIdx.x;  // FAULT: RaceBetweenBlocks
}
