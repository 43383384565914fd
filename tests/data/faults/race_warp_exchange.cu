// launch: grid 1, block 64
// argument: float y[64] output
// argument: float x[64] input
__global__ void k(float* y, const float* x) {
    __shared__ float row[64];
    int t = threadIdx.x;
    row[t] = x[t];
#ifndef FAULT
    __syncwarp();
#endif
    y[t] = row[t ^ 1];  // FAULT: RaceInBlock warning
}
