// launch: grid 2, block 32
// argument: int y[2] output
// argument: int x[64] input
__global__ void k(int* y, const int* x) {
    __shared__ int sum;
#ifndef FAULT
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
#endif
    atomicAdd(&sum, x[blockIdx.x * 32 + threadIdx.x]);  // FAULT: Uninitialised
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
