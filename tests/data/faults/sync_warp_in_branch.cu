// launch: grid 1, block 32
// argument: int y[32] output
// argument: int x[32] input
__global__ void k(int* y, const int* x) {
    int t = threadIdx.x;
    int value = x[t];
#ifdef FAULT
    if (t < 8) {
        value += __shfl_sync(0xFFFFFFFFu, value, 0);  // FAULT: WarpOperation
    } else {
        __syncwarp();
    }
#else
    value += __shfl_sync(0xFFFFFFFFu, value, 0);
#endif
    y[t] = value;
}
