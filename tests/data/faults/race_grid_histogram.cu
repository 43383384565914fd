// launch: grid 4, block 8
// argument: int bins[8] inout
// argument: int x[32] input
__global__ void k(int* bins, const int* x) {
#ifdef FAULT
    bins[threadIdx.x] += x[blockIdx.x * 8 + threadIdx.x];  // FAULT: RaceBetweenBlocks
#else
    atomicAdd(&bins[threadIdx.x], x[blockIdx.x * 8 + threadIdx.x]);
#endif
}
