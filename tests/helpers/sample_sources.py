"""Four short states of one kernel for synthetic sessions: written for the tests, never run by them."""

from __future__ import annotations

_HEAD = """// Normalise and smooth: out = (3x3 mean of src - mean) / deviation
extern "C" __global__ void preprocess(const unsigned char* __restrict__ src, float* __restrict__ dst,
                                      int width, int height)
{
"""

BASELINE = (
    _HEAD
    + """    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int u = min(max(x + i, 0), width - 1);
            const int v = min(max(y + j, 0), height - 1);
            sum += src[v * width + u];
        }
    dst[y * width + x] = (sum / 9.0f - 118.0f) / 57.0f;
}
"""
)

VECTOR = (
    _HEAD
    + """    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);   // four pixels a thread
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int j = -1; j <= 1; ++j) {
        const int v = min(max(y + j, 0), height - 1);
        for (int i = -1; i <= 4; ++i) {
            const float value = src[v * width + min(max(x + i, 0), width - 1)];
            for (int k = 0; k < 4; ++k)
                if (i - k >= -1 && i - k <= 1) sum[k] += value;
        }
    }
    for (int k = 0; k < 4 && x + k < width; ++k)
        dst[y * width + x + k] = (sum[k] / 9.0f - 118.0f) / 57.0f;
}
"""
)

TILE = (
    "// ledger: block=32,8,1 grid=ceil(width/32),ceil(height/8),batch\n"
    + _HEAD
    + """    __shared__ float tile[10][35];   // 34 + 1: no bank conflict on the column reads
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256) {
        const int v = min(max(int(blockIdx.y * 8) + k / 34 - 1, 0), height - 1);
        const int u = min(max(int(blockIdx.x * 32) + k % 34 - 1, 0), width - 1);
        tile[k / 34][k % 34] = src[v * width + u];
    }
    __syncthreads();
    if (x >= width || y >= height) return;   // after the barrier: every thread must reach it
    float sum = 0.0f;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            sum += tile[threadIdx.y + j][threadIdx.x + i];
    dst[y * width + x] = (sum / 9.0f - 118.0f) / 57.0f;
}
"""
)

FAST_MATH = BASELINE.replace("(sum / 9.0f - 118.0f) / 57.0f", "(sum * 0.111f - 118.0f) * 0.0175f")
"""Wrong on purpose: the rounded factors miss the tolerance."""
