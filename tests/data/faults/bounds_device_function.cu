// launch: grid 3, block 16
// argument: float y[45] output
// argument: int n = 45
__device__ __noinline__ void store(float* p, int at, float value) {
    p[at] = value;  // FAULT: OutOfBounds
}
__global__ void k(float* y, int n) {
    int i = blockIdx.x * 16 + threadIdx.x;
#ifdef FAULT
    store(y, i, 1.f);
#else
    if (i < n) store(y, i, 1.f);
#endif
}
