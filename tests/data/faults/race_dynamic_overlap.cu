// launch: grid 1, block 32, shared 256
// argument: float y[32] output
// argument: float x[32] input
__global__ void k(float* y, const float* x) {
    extern __shared__ float both[];
    float* values = both;
#ifdef FAULT
    float* counts = both + 16;
#else
    float* counts = both + 32;
#endif
    int t = threadIdx.x;
    values[t] = x[t];
    counts[t] = 1.f;  // FAULT: RaceInBlock warning
    __syncthreads();
    y[t] = values[t] / counts[t];
}
