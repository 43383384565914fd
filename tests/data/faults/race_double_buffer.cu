// launch: grid 1, block 32 2
// argument: float y[64] output
// argument: float x[256] input
__global__ void k(float* y, const float* x) {
    __shared__ float buffer[2][64];
    int t = threadIdx.y * 32 + threadIdx.x;
    float sum = 0.f;
    buffer[0][t] = x[t];
    __syncthreads();
    for (int step = 0; step < 4; ++step) {
#ifdef FAULT
        int next = step & 1;
#else
        int next = (step + 1) & 1;
#endif
        if (step < 3) buffer[next][t] = x[(step + 1) * 64 + t];
        sum += buffer[step & 1][63 - t];  // FAULT: RaceInBlock
        __syncthreads();
    }
    y[t] = sum;
}
