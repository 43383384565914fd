// launch: grid 4, block 32
// argument: float y[1] output
// argument: float x[4] input
// argument: float part[4] scratch
__device__ unsigned done;
__global__ void k(float* y, const float* x, float* part) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 2.f * x[blockIdx.x];
#ifndef FAULT
        __threadfence();
#endif
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    float sum = 0.f;
    for (int i = 0; i < 4; ++i) sum += part[i];  // FAULT: RaceBetweenBlocks
    y[0] = sum;
}
