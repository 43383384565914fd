// Packed RGBA bytes to planar luma and half-resolution chroma in fixed point (BT.601, studio range).
#include <stdint.h>

namespace {

struct Yuv { int y, u, v; };

__device__ inline Yuv convert(uchar4 p)
{
    const int r = p.x, g = p.y, b = p.z;
    Yuv c;
    c.y = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
    c.u = ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128;
    c.v = ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128;
    return c;
}

__device__ inline uint8_t to_byte(int v) { return static_cast<uint8_t>(min(max(v, 0), 255)); }

}  // namespace

// One thread makes a 2x2 block: four lumas and one averaged chroma pair.
__global__ void rgba_to_yuv420(const uchar4 *src, uint8_t *luma, uint8_t *u_plane, uint8_t *v_plane, int width, int height)
{
    const int cx = blockIdx.x * blockDim.x + threadIdx.x;
    const int cy = blockIdx.y * blockDim.y + threadIdx.y;
    if (cx * 2 >= width || cy * 2 >= height)
        return;
    int u = 0, v = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int x = min(cx * 2 + (k & 1), width - 1), y = min(cy * 2 + (k >> 1), height - 1);
        const Yuv c = convert(src[y * width + x]);
        luma[y * width + x] = to_byte(c.y);
        u += c.u;
        v += c.v;
    }
    const int at = cy * ((width + 1) / 2) + cx;
    u_plane[at] = to_byte((u + 2) >> 2);
    v_plane[at] = to_byte((v + 2) >> 2);
}
