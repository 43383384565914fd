// launch: grid 1, block 64
// argument: float y[64] output
// argument: float x[64] input
// argument: float scratch[64] scratch
__global__ void k(float* y, const float* x, float* scratch) {
    int t = threadIdx.x;
    scratch[t] = x[t] * 2.f;
#ifndef FAULT
    __syncthreads();
#endif
    y[t] = scratch[63 - t];  // FAULT: RaceInBlock
}
