// launch: grid 1, block 32
// argument: int y[32] output
// argument: int x[32] input
__global__ void k(int* y, const int* x) {
    int t = threadIdx.x;
#ifdef FAULT
    unsigned mask = 0x0000FFFFu;
#else
    unsigned mask = 0xFFFFFFFFu;
#endif
    y[t] = __shfl_xor_sync(mask, x[t], 1);  // FAULT: WarpOperation
}
