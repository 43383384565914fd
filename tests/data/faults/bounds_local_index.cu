// launch: grid 1, block 32
// argument: int y[32] output
// argument: int x[39] input
__global__ void k(int* y, const int* x) {
    int seen[7] = {};
    for (int i = 0; i < 8; ++i) {
        int at = x[threadIdx.x + i];
#ifdef FAULT
        seen[at] += 1;  // FAULT: OutOfBounds
#else
        if (at < 7) seen[at] += 1;
#endif
    }
    int most = 0;
    for (int i = 0; i < 7; ++i) most = seen[i] > most ? seen[i] : most;
    y[threadIdx.x] = most;
}
