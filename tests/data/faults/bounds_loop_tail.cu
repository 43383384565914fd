// launch: grid 1, block 8
// argument: float y[8] output
// argument: float x[70] input
// argument: int n = 70
__global__ void k(float* y, const float* x, int n) {
    float sum = 0.f;
    for (int i = threadIdx.x * 4; i < n; i += 32) {
#ifdef FAULT
        sum += x[i] + x[i + 1] + x[i + 2] + x[i + 3];  // FAULT: OutOfBounds
#else
        for (int j = i; j < i + 4 && j < n; ++j) sum += x[j];
#endif
    }
    y[threadIdx.x] = sum;
}
