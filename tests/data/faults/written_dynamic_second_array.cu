// launch: grid 1, block 32, shared 256
// argument: float y[32] output
// argument: float x[32] input
__global__ void k(float* y, const float* x) {
    extern __shared__ float both[];
    float* values = both;
    float* weights = both + 32;
    int t = threadIdx.x;
    values[t] = x[t];
#ifndef FAULT
    weights[t] = 0.5f;
#endif
    __syncthreads();
    y[t] = values[31 - t] * weights[t];  // FAULT: Uninitialised
}
