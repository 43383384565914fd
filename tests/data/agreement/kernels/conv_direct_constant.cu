// Direct convolution, filters in constant memory, 3-D grid over width, height and (image, output channel).
constexpr int IN = 3, OUT = 4, R = 1, K = 2 * R + 1;
__constant__ float filters[OUT][IN][K][K];
__constant__ float bias[OUT];

__global__ void conv2d(const float *in, float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int image = blockIdx.z / OUT, channel = blockIdx.z % OUT;
    if (x >= width || y >= height) return;
    float sum = bias[channel];
    for (int c = 0; c < IN; ++c)
        for (int dy = -R; dy <= R; ++dy) {
            const int yy = y + dy;
            if (yy < 0 || yy >= height) continue;
            for (int dx = -R; dx <= R; ++dx) {
                const int xx = x + dx;
                if (xx < 0 || xx >= width) continue;
                sum += in[((image * IN + c) * height + yy) * width + xx] * filters[channel][c][dy + R][dx + R];
            }
        }
    out[((image * OUT + channel) * height + y) * width + x] = fmaxf(sum, 0.0f);
}
