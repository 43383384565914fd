// launch: grid 1, block 32
// argument: int y[32] output
// argument: int x[32] input
__global__ void k(int* y, const int* x) {
    int seen[7] = {0, 1, 2, 3, 4, 5, 6};
    int at = x[threadIdx.x];
#ifdef FAULT
    y[threadIdx.x] = seen[at];  // FAULT: OutOfBounds
#else
    y[threadIdx.x] = seen[at < 7 ? at : 0];
#endif
}
