// Edge-preserving smoothing: the range weight from the pixel difference, the space weight from a table in constant memory.
#define RADIUS 3

__constant__ float space_weight[2 * RADIUS + 1] = {0.1353353f, 0.4111123f, 0.8007374f, 1.0f, 0.8007374f, 0.4111123f, 0.1353353f};

static __inline__ __device__ float square(float x) { return x * x; }

__global__ void bilateral(const unsigned char *__restrict__ src, float *__restrict__ dst, int w, int h, float range)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const float centre = src[y * w + x];
    float sum = 0.0f, norm = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            const int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
            const float value = __ldg(src + py * w + px);
            const float weight = space_weight[dx + RADIUS] * space_weight[dy + RADIUS] * __expf(-square(value - centre) * range);
            sum += weight * value;
            norm += weight;
        }
    }
    dst[y * w + x] = sum / norm;
}
