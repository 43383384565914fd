// Summed-area table in one block: rows by warp scans of four pixels per lane, then columns.
extern "C" __global__ void __launch_bounds__(1024, 1) integral(const uchar4 *image, uint4 *rows, unsigned *table, int width, int height)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int y = warp; y < height; y += warps) {
        unsigned carry = 0;
        for (int x4 = 0; x4 < width / 4; x4 += 32) {
            const bool inside = x4 + lane < width / 4;
            const uchar4 p = inside ? image[y * (width / 4) + x4 + lane] : make_uchar4(0, 0, 0, 0);
            uint4 s;
            s.x = p.x;
            s.y = s.x + p.y;
            s.z = s.y + p.z;
            s.w = s.z + p.w;
            unsigned total = s.w;
            for (int d = 1; d < 32; d *= 2) {
                const unsigned up = __shfl_up_sync(0xFFFFFFFFu, total, d);
                total += lane >= d ? up : 0;
            }
            const unsigned base = carry + total - s.w;
            if (inside) rows[y * (width / 4) + x4 + lane] = make_uint4(base + s.x, base + s.y, base + s.z, base + s.w);
            carry += __shfl_sync(0xFFFFFFFFu, total, 31);
        }
    }
    __syncthreads();
    const unsigned *sums = reinterpret_cast<const unsigned *>(rows);
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        unsigned column = 0;
        for (int y = 0; y < height; ++y) {
            column += sums[y * width + x];
            table[y * width + x] = column;
        }
    }
}
