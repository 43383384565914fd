// Global alignment scores by anti-diagonals, one pair of sequences per block, traceback directions packed in two bits.
#define LENGTH 96
#define GAP (-2)

__device__ __constant__ signed char blosum_like[4][4] = {{3, -1, 0, -1}, {-1, 3, -1, 0}, {0, -1, 3, -1}, {-1, 0, -1, 3}};

__global__ void align(const char *first, const char *second, short *matrix, unsigned *directions)
{
    __shared__ short diagonal[3][LENGTH + 1];
    __shared__ unsigned packed[LENGTH][LENGTH / 16];
    const char *a = first + blockIdx.x * LENGTH, *b = second + blockIdx.x * LENGTH;
    unsigned *words = &packed[0][0];
    const int i = threadIdx.x + 1;
    for (int w = threadIdx.x; w < LENGTH * LENGTH / 16; w += blockDim.x) words[w] = 0;
    if (threadIdx.x == 0) diagonal[0][0] = 0;
    __syncthreads();
    // diagonal[d % 3][i] holds the cell (i, d - i)
    for (int d = 1; d <= 2 * LENGTH; ++d) {
        short *now = diagonal[d % 3];
        const short *before = diagonal[(d + 2) % 3], *two_before = diagonal[(d + 1) % 3];
        const int j = d - i;
        if (threadIdx.x == 0 && d <= LENGTH) now[0] = (short)(GAP * d);
        if (j == 0) now[i] = (short)(GAP * i);
        if (j >= 1 && j <= LENGTH) {
            const int match = two_before[i - 1] + blosum_like[a[i - 1] & 3][b[j - 1] & 3];
            const int up = before[i - 1] + GAP, left = before[i] + GAP;
            const int best = max(match, max(up, left));
            now[i] = (short)best;
            const unsigned direction = best == match ? 0u : best == up ? 1u : 2u;
            packed[i - 1][(j - 1) / 16] |= direction << ((j - 1) % 16 * 2);
            matrix[(blockIdx.x * LENGTH + i - 1) * LENGTH + j - 1] = (short)best;
        }
        __syncthreads();
    }
    for (int w = threadIdx.x; w < LENGTH * LENGTH / 16; w += blockDim.x) directions[blockIdx.x * LENGTH * LENGTH / 16 + w] = words[w];
}
