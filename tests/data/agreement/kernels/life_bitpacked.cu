// Conway's game of life, 32 cells in a word, neighbours counted by bit-sliced adders, several generations in shared memory.
typedef unsigned int word;

__device__ __forceinline__ void half_add(word a, word b, word &sum, word &carry) { sum = a ^ b; carry = a & b; }
__device__ __forceinline__ void full_add(word a, word b, word c, word &sum, word &carry)
{
    const word partial = a ^ b;
    sum = partial ^ c;
    carry = (a & b) | (partial & c);
}

template <int WORDS, int ROWS>
__global__ void life(word *cells, int generations)
{
    __shared__ word field[2][ROWS][WORDS];
    const int w = threadIdx.x, y = threadIdx.y;
    field[0][y][w] = cells[y * WORDS + w];
    __syncthreads();
    for (int g = 0; g < generations; ++g) {
        const auto &now = field[g & 1];
        word ones[3], twos[3];
        for (int dy = 0; dy < 3; ++dy) {
            const word(&row)[WORDS] = now[(y + dy + ROWS - 1) % ROWS];
            const word centre = row[w];
            const word left = __funnelshift_l(row[(w + WORDS - 1) % WORDS], centre, 1), right = __funnelshift_r(centre, row[(w + 1) % WORDS], 1);
            if (dy == 1) half_add(left, right, ones[dy], twos[dy]);
            else full_add(left, centre, right, ones[dy], twos[dy]);
        }
        word sum1, carry1, sum2a, carry2a, sum2, carry2b;
        full_add(ones[0], ones[1], ones[2], sum1, carry1);
        full_add(twos[0], twos[1], twos[2], sum2a, carry2a);
        half_add(sum2a, carry1, sum2, carry2b);
        const word four_or_more = carry2a | carry2b;
        field[(g + 1) & 1][y][w] = ~four_or_more & sum2 & (sum1 | now[y][w]);
        __syncthreads();
    }
    cells[y * WORDS + w] = field[generations & 1][y][w];
}
