// Erosion and dilation of four bytes at a time with packed byte instructions, three rows by three words.
#include <cstdint>

__device__ inline uint32_t shifted(uint32_t before, uint32_t here, uint32_t after, int by)
{
    return by < 0 ? __byte_perm(before, here, 0x6543) : by > 0 ? __byte_perm(here, after, 0x4321) : here;
}

__global__ void erode_dilate(const uint32_t *in, uint32_t *eroded, uint32_t *dilated, int words, int rows)
{
    const int w = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (w >= words) return;
    uint32_t low = 0xFFFFFFFFu, high = 0u;
    for (int dy = -1; dy <= 1; ++dy) {
        if (y + dy < 0 || y + dy >= rows) continue;
        const uint32_t *row = in + (y + dy) * words;
        const uint32_t here = row[w];
        const uint32_t before = w > 0 ? row[w - 1] : __byte_perm(here, 0, 0x0000);
        const uint32_t after = w + 1 < words ? row[w + 1] : __byte_perm(here, 0, 0x3333);
        for (int dx = -1; dx <= 1; ++dx) {
            const uint32_t v = shifted(before, here, after, dx);
            low = __vminu4(low, v);
            high = __vmaxu4(high, v);
        }
    }
    eroded[y * words + w] = low;
    dilated[y * words + w] = high;
}
