// Mean of each 8x8 patch of every plane; patches at the right and lower edge may be smaller.
//
// src: (planes, height, width) float32     dst: (planes, ceil(height / 8), ceil(width / 8)) float32

extern "C" __global__ void patches(const float* src, float* dst, int width, int height, int columns, int rows) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int plane = blockIdx.z;
    if (column >= columns || row >= rows) {
        return;
    }

    float sum = 0.0f;
    int count = 0;
    for (int y = row * 8; y < min(row * 8 + 8, height); y++) {
        for (int x = column * 8; x < min(column * 8 + 8, width); x++) {
            sum += src[((size_t)plane * height + y) * width + x];
            count++;
        }
    }
    dst[((size_t)plane * rows + row) * columns + column] = sum / count;
}
