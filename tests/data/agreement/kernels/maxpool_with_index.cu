// Max pooling that also keeps where the maximum was; NaN wins, as in deep-learning frameworks.
#include <cmath>
#include <limits>

template <typename scalar_t, typename index_t>
__global__ void max_pool_forward(const index_t total, const scalar_t *bottom, const index_t channels, const index_t height,
                                 const index_t width, const index_t pooled_h, const index_t pooled_w, const int kernel,
                                 const int stride, const int pad, scalar_t *top, index_t *mask)
{
    for (index_t index = blockIdx.x * blockDim.x + threadIdx.x; index < total; index += blockDim.x * gridDim.x) {
        const index_t pw = index % pooled_w, ph = (index / pooled_w) % pooled_h;
        const index_t c = (index / pooled_w / pooled_h) % channels, n = index / pooled_w / pooled_h / channels;
        index_t hstart = ph * stride - pad, wstart = pw * stride - pad;
        const index_t hend = min(hstart + kernel, height), wend = min(wstart + kernel, width);
        while (hstart < 0) hstart += 1;
        while (wstart < 0) wstart += 1;
        scalar_t best = -std::numeric_limits<scalar_t>::infinity();
        index_t at = hstart * width + wstart;
        const scalar_t *plane = bottom + (n * channels + c) * height * width;
        for (index_t h = hstart; h < hend; ++h)
            for (index_t w = wstart; w < wend; ++w) {
                const scalar_t x = plane[h * width + w];
                if (x > best || isnan(x)) { best = x; at = h * width + w; }
            }
        top[index] = best;
        mask[index] = at;
    }
}
