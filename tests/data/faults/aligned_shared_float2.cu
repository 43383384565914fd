// launch: grid 1, block 16
// argument: float y[32] output
// argument: float x[34] input
__global__ void k(float* y, const float* x) {
    __shared__ __align__(8) float row[34];
    int t = threadIdx.x;
    row[2 * t] = x[2 * t];
    row[2 * t + 1] = x[2 * t + 1];
    if (t < 2) row[32 + t] = x[32 + t];
    __syncthreads();
#ifdef FAULT
    float2 pair = *reinterpret_cast<float2*>(&row[2 * t + 1]);  // FAULT: Misaligned
#else
    float2 pair = *reinterpret_cast<float2*>(&row[2 * t + 2]);
#endif
    y[t] = pair.x - pair.y;
}
