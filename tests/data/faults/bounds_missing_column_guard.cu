// launch: grid 2 2, block 8 8
// argument: float y[150] output
// argument: int width = 15
// argument: int height = 10
__global__ void k(float* y, int width, int height) {
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
#ifdef FAULT
    if (row < height && (column < width || row == height - 1))
#else
    if (row < height && column < width)
#endif
        y[row * width + column] = 1.f;  // FAULT: OutOfBounds
}
