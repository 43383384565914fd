// launch: grid 1, block 32
// argument: int y[32] output
// argument: int x[32] input
__global__ void k(int* y, const int* x) {
    int t = threadIdx.x;
#ifdef FAULT
    unsigned mask = t < 16 ? 0xFFFFFFFFu : 0xFFFFFFF0u;
#else
    unsigned mask = t < 16 ? 0x0000FFFFu : 0xFFFF0000u;
#endif
    y[t] = __reduce_add_sync(mask, x[t]);  // FAULT: WarpOperation
}
