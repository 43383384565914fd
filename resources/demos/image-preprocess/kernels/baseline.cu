// Camera images to network input: sRGB to linear light, luma and chroma (BT.709), 3x3 blur, normalise.
//
// src: (batch, height, width, 3) uint8     dst: (batch, 3, height, width) float32
// One thread per pixel; pixels outside the image repeat the edge.

__constant__ float WEIGHTS[9] = {
    1.0f / 16, 2.0f / 16, 1.0f / 16,
    2.0f / 16, 4.0f / 16, 2.0f / 16,
    1.0f / 16, 2.0f / 16, 1.0f / 16,
};
__constant__ float MEAN[3] = {0.218f, -0.008f, 0.011f};
__constant__ float DEVIATION[3] = {0.215f, 0.046f, 0.061f};

// IEC 61966-2-1
__device__ float linear_light(unsigned char value) {
    float c = value / 255.0f;
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

extern "C" __global__ void preprocess(const unsigned char* src, float* dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int image = blockIdx.z;
    if (x >= width || y >= height) {
        return;
    }

    float luma = 0.0f;
    float blue = 0.0f;
    float red = 0.0f;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int nx = min(max(x + dx, 0), width - 1);
            int ny = min(max(y + dy, 0), height - 1);
            const unsigned char* pixel = src + (((size_t)image * height + ny) * width + nx) * 3;
            float r = linear_light(pixel[0]);
            float g = linear_light(pixel[1]);
            float b = linear_light(pixel[2]);
            float l = 0.2126f * r + 0.7152f * g + 0.0722f * b;
            float weight = WEIGHTS[(dy + 1) * 3 + dx + 1];
            luma += weight * l;
            blue += weight * (b - l) / 1.8556f;
            red += weight * (r - l) / 1.5748f;
        }
    }

    size_t plane = (size_t)width * height;
    float* out = dst + (size_t)image * 3 * plane + (size_t)y * width + x;
    out[0] = (luma - MEAN[0]) / DEVIATION[0];
    out[plane] = (blue - MEAN[1]) / DEVIATION[1];
    out[2 * plane] = (red - MEAN[2]) / DEVIATION[2];
}
