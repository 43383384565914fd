// launch: grid 1, block 4
// argument: double y[4] output
// argument: uchar packed[64] input
__global__ void k(double* y, const unsigned char* packed) {
    int t = threadIdx.x;
#ifdef FAULT
    const double* value = reinterpret_cast<const double*>(packed + 12 * t + 4);
#else
    const double* value = reinterpret_cast<const double*>(packed + 8 * t + 8);
#endif
    y[t] = *value;  // FAULT: Misaligned
}
