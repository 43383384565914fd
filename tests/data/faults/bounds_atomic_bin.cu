// launch: grid 1, block 64
// argument: int bins[8] inout
// argument: int x[64] input
__global__ void k(int* bins, const int* x) {
#ifdef FAULT
    atomicAdd(&bins[x[threadIdx.x] + 1], 1);  // FAULT: OutOfBounds
#else
    atomicAdd(&bins[x[threadIdx.x]], 1);
#endif
}
