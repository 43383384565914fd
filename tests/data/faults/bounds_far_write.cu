// launch: grid 2, block 64
// argument: float y[128] output
// argument: float x[128] input
// argument: int pitch = 100000
__global__ void k(float* y, const float* x, int pitch) {
    int column = threadIdx.x, row = blockIdx.x;
#ifdef FAULT
    y[row * pitch + column] = x[row * 64 + column];  // FAULT: OutOfBounds
#else
    y[row * 64 + column] = x[row * 64 + column] + pitch;
#endif
}
