// launch: grid 2, block 64
// argument: float y[128] output
// argument: float x[128] input
__global__ void k(float* y, const float* x) {
    __shared__ float scale;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) scale = x[i] + 1.f;
#ifndef FAULT
    __syncthreads();
#endif
    y[i] = x[i] / scale;  // FAULT: RaceInBlock
}
