// Gradient magnitude and direction class of a grey image, tile with halo in shared memory.
enum class Direction : unsigned char { horizontal, rising, vertical, falling };

template <int TX, int TY>
__device__ void load_tile(unsigned char (&tile)[TY + 2][TX + 2], const unsigned char *image, int width, int height)
{
    for (int i = threadIdx.y * TX + threadIdx.x; i < (TY + 2) * (TX + 2); i += TX * TY) {
        const int tx = i % (TX + 2), ty = i / (TX + 2);
        const int x = min(max(static_cast<int>(blockIdx.x * TX) + tx - 1, 0), width - 1);
        const int y = min(max(static_cast<int>(blockIdx.y * TY) + ty - 1, 0), height - 1);
        tile[ty][tx] = image[y * width + x];
    }
    __syncthreads();
}

__global__ void sobel(const unsigned char *image, unsigned short *magnitude, Direction *direction, int width, int height)
{
    __shared__ unsigned char tile[18][18];
    load_tile<16, 16>(tile, image, width, height);
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int cx = threadIdx.x + 1, cy = threadIdx.y + 1;
    const int gx = tile[cy - 1][cx + 1] + 2 * tile[cy][cx + 1] + tile[cy + 1][cx + 1] - tile[cy - 1][cx - 1] -
                   2 * tile[cy][cx - 1] - tile[cy + 1][cx - 1];
    const int gy = tile[cy + 1][cx - 1] + 2 * tile[cy + 1][cx] + tile[cy + 1][cx + 1] - tile[cy - 1][cx - 1] -
                   2 * tile[cy - 1][cx] - tile[cy - 1][cx + 1];
    magnitude[y * width + x] = static_cast<unsigned short>(abs(gx) + abs(gy));
    Direction d = Direction::horizontal;
    if (5 * abs(gy) > 12 * abs(gx)) d = Direction::vertical;
    else if (5 * abs(gx) <= 12 * abs(gy)) d = (gx > 0) == (gy > 0) ? Direction::falling : Direction::rising;
    direction[y * width + x] = d;
}
