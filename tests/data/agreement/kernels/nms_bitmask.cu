// Non-maximum suppression: overlaps of boxes as bit masks, 64 boxes per block side.
typedef unsigned long long mask_t;
#define threadsPerBlock 64
#define THREADS_UP(m, n) ((m) / (n) + ((m) % (n) > 0))

__device__ inline bool overlaps(float const *const a, float const *const b, float threshold)
{
    float left = fmaxf(a[0], b[0]), right = fminf(a[2], b[2]);
    float top = fmaxf(a[1], b[1]), bottom = fminf(a[3], b[3]);
    float width = fmaxf(right - left, 0.f), height = fmaxf(bottom - top, 0.f);
    float inter = __fmul_rn(width, height);
    float area_a = __fmul_rn(a[2] - a[0], a[3] - a[1]), area_b = __fmul_rn(b[2] - b[0], b[3] - b[1]);
    return inter > __fmul_rn(threshold, __fsub_rn(__fadd_rn(area_a, area_b), inter));
}

__global__ void nms_kernel(const int n_boxes, const float threshold, const float *dev_boxes, mask_t *dev_mask)
{
    const int row_start = blockIdx.y, col_start = blockIdx.x;
    const int row_size = min(n_boxes - row_start * threadsPerBlock, threadsPerBlock);
    const int col_size = min(n_boxes - col_start * threadsPerBlock, threadsPerBlock);
    __shared__ float block_boxes[threadsPerBlock * 4];
    if (threadIdx.x < col_size)
        for (int k = 0; k < 4; ++k)
            block_boxes[threadIdx.x * 4 + k] = dev_boxes[(threadsPerBlock * col_start + threadIdx.x) * 4 + k];
    __syncthreads();
    if (threadIdx.x < row_size) {
        const int cur = threadsPerBlock * row_start + threadIdx.x;
        mask_t t = 0;
        for (int i = row_start == col_start ? threadIdx.x + 1 : 0; i < col_size; i++)
            if (overlaps(dev_boxes + cur * 4, block_boxes + i * 4, threshold)) t |= 1ULL << i;
        dev_mask[cur * THREADS_UP(n_boxes, threadsPerBlock) + col_start] = t;
    }
}
