// launch: grid 1, block 64
// argument: float y[64] output
// argument: float x[64] input
__global__ void k(float* y, const float* x) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
#ifdef FAULT
    y[t] = tile[t] + tile[t + 1];  // FAULT: OutOfBounds
#else
    y[t] = tile[t] + tile[(t + 1) % 64];
#endif
}
