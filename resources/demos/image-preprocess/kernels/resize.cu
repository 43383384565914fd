// Bilinear resize of RGB images; pixel centres are aligned, the edge is repeated.
//
// src: (batch, src_height, src_width, 3) uint8     dst: (batch, height, width, 3) uint8

extern "C" __global__ void resize(const unsigned char* src, unsigned char* dst, int src_width, int src_height, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int image = blockIdx.z;
    if (x >= width || y >= height) {
        return;
    }

    float sx = fmaxf((x + 0.5f) * src_width / width - 0.5f, 0.0f);
    float sy = fmaxf((y + 0.5f) * src_height / height - 0.5f, 0.0f);
    int x0 = min((int)sx, src_width - 1);
    int y0 = min((int)sy, src_height - 1);
    int x1 = min(x0 + 1, src_width - 1);
    int y1 = min(y0 + 1, src_height - 1);
    float fx = sx - x0;
    float fy = sy - y0;

    const unsigned char* from = src + (size_t)image * src_height * src_width * 3;
    unsigned char* to = dst + (((size_t)image * height + y) * width + x) * 3;
    for (int c = 0; c < 3; c++) {
        float top = from[((size_t)y0 * src_width + x0) * 3 + c] * (1.0f - fx) + from[((size_t)y0 * src_width + x1) * 3 + c] * fx;
        float bottom = from[((size_t)y1 * src_width + x0) * 3 + c] * (1.0f - fx) + from[((size_t)y1 * src_width + x1) * 3 + c] * fx;
        to[c] = (unsigned char)(top * (1.0f - fy) + bottom * fy + 0.5f);
    }
}
