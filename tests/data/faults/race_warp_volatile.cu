// launch: grid 1, block 32
// argument: float y[1] output
// argument: float x[32] input
__global__ void k(float* y, const float* x) {
    __shared__ float row[32];
    int t = threadIdx.x;
    row[t] = x[t];
    __syncwarp();
    volatile float* sum = row;
    for (int half = 16; half > 0; half /= 2) {
#ifdef FAULT
        if (t < half) sum[t] = sum[t] + sum[t + half];  // FAULT: RaceInBlock warning
#else
        if (t < half) sum[t] = sum[t] + sum[t + half];
        __syncwarp();
#endif
    }
    if (t == 0) y[0] = sum[0];
}
