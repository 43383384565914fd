// launch: grid 1, block 8 8
// argument: float y[64] output
// argument: float a[128] input
// argument: float b[128] input
__global__ void k(float* y, const float* a, const float* b) {
    __shared__ float left[8][8], right[8][8];
    int c = threadIdx.x, r = threadIdx.y;
    float sum = 0.f;
    for (int step = 0; step < 2; ++step) {
        left[r][c] = a[r * 16 + step * 8 + c];  // FAULT: RaceInBlock
        right[r][c] = b[(step * 8 + r) * 8 + c];
        __syncthreads();
        for (int i = 0; i < 8; ++i) sum += left[r][i] * right[i][c];
#ifndef FAULT
        __syncthreads();
#endif
    }
    y[r * 8 + c] = sum;
}
