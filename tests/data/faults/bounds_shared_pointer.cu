// launch: grid 1, block 32
// argument: float y[32] output
__device__ void fill(float* part, int count) {
    for (int i = threadIdx.x; i < count; i += 32) part[i] = 1.f;  // FAULT: OutOfBounds
}
__global__ void k(float* y) {
    __shared__ float first[40];
    __shared__ float second[40];
#ifdef FAULT
    fill(first, 80);
#else
    fill(first, 40);
#endif
    fill(second, 40);
    __syncthreads();
    y[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
