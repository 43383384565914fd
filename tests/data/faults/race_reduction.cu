// launch: grid 2, block 128
// argument: float y[2] output
// argument: float x[256] input
__global__ void k(float* y, const float* x) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];  // FAULT: RaceInBlock
#ifndef FAULT
        __syncthreads();
#endif
    }
    if (t == 0) y[blockIdx.x] = part[0];
}
