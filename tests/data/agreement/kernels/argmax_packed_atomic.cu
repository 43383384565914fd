// Argmax of every row by a 64-bit atomic maximum over (ordered float bits, inverted index).
__device__ __forceinline__ unsigned ordered(float x)
{
    const unsigned bits = __float_as_uint(x);
    return bits ^ ((int)bits >> 31 | 0x80000000u);
}

__global__ void argmax_rows(const float *x, unsigned long long *best, int columns)
{
    const int row = blockIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    const unsigned long long packed = (unsigned long long)ordered(x[row * columns + column]) << 32 | ~(unsigned)column;
    atomicMax(&best[row], packed);
}
