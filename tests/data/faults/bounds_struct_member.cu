// launch: grid 1, block 32
// argument: float y[32] output
// argument: float x[96] input
struct Point { float x, y, z; };
__global__ void k(float* y, const Point* points) {
    int i = threadIdx.x;
#ifdef FAULT
    y[i] = points[i + 1].z;  // FAULT: OutOfBounds
#else
    y[i] = points[i].z;
#endif
}
