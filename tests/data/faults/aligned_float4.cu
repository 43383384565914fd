// launch: grid 1, block 8
// argument: float y[32] output
// argument: float x[40] input
// argument: int offset = 1
__global__ void k(float* y, const float* x, int offset) {
    int t = threadIdx.x;
#ifdef FAULT
    float4 four = *reinterpret_cast<const float4*>(x + 4 * t + offset);  // FAULT: Misaligned
#else
    float4 four = *reinterpret_cast<const float4*>(x + 4 * (t + offset));
#endif
    y[4 * t] = four.x + four.y + four.z + four.w;
}
