// launch: grid 2, block 32
// argument: int y[64] output
// argument: int x[64] input
__global__ void k(int* y, const int* x) {
    int i = blockIdx.x * 32 + threadIdx.x;
    int left = 0;
#ifdef FAULT
    left = x[i - 1];  // FAULT: OutOfBounds
#else
    if (i > 0) left = x[i - 1];
#endif
    y[i] = x[i] - left;
}
