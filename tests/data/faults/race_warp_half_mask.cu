// launch: grid 1, block 32
// argument: int y[32] output
// argument: int x[32] input
__global__ void k(int* y, const int* x) {
    __shared__ int row[32];
    int t = threadIdx.x;
    row[t] = x[t];
#ifdef FAULT
    __syncwarp(t < 16 ? 0x0000FFFFu : 0xFFFF0000u);
#else
    __syncwarp();
#endif
    y[t] = row[(t + 16) % 32];  // FAULT: RaceInBlock warning
}
