// launch: grid 1, block 16 16
// argument: float y[256] output
// argument: float x[256] input
__global__ void k(float* y, const float* x) {
    __shared__ float tile[16][17];
    int c = threadIdx.x, r = threadIdx.y;
    tile[r][c] = x[r * 16 + c];
#ifndef FAULT
    __syncthreads();
#endif
    y[r * 16 + c] = tile[c][r];  // FAULT: RaceInBlock
}
