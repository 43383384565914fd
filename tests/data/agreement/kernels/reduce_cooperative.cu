// Minimum, maximum and sum of each block through cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cfloat>

namespace cg = cooperative_groups;

__global__ void block_statistics(const float *data, int n, float *lowest, float *highest, double *sums)
{
    __shared__ float low[32], high[32];
    __shared__ double total[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

    const int i = block.group_index().x * block.size() + block.thread_rank();
    const float x = i < n ? data[i] : 0.0f;
    const float a = cg::reduce(warp, i < n ? x : FLT_MAX, cg::less<float>());
    const float b = cg::reduce(warp, i < n ? x : -FLT_MAX, cg::greater<float>());
    const double c = cg::reduce(warp, (double)x, cg::plus<double>());
    if (warp.thread_rank() == 0) {
        low[warp.meta_group_rank()] = a;
        high[warp.meta_group_rank()] = b;
        total[warp.meta_group_rank()] = c;
    }
    block.sync();
    if (warp.meta_group_rank() == 0) {
        const bool has = warp.thread_rank() < warp.meta_group_size();
        float l = has ? low[warp.thread_rank()] : FLT_MAX, h = has ? high[warp.thread_rank()] : -FLT_MAX;
        double t = has ? total[warp.thread_rank()] : 0.0;
        for (int offset = warp.size() / 2; offset > 0; offset >>= 1) {
            l = fminf(l, warp.shfl_down(l, offset));
            h = fmaxf(h, warp.shfl_down(h, offset));
            t += warp.shfl_down(t, offset);
        }
        if (warp.thread_rank() == 0) {
            lowest[blockIdx.x] = l;
            highest[blockIdx.x] = h;
            sums[blockIdx.x] = t;
        }
    }
}
