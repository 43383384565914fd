// Checks its input and reports what is wrong by printf, as debugging code does; the counts go into the result.
#include <cstdio>
#include <cassert>

#ifdef NDEBUG
#define REPORT(...)
#else
#define REPORT(...) printf(__VA_ARGS__)
#endif

__global__ void check(const float *x, int *bad, int n, float limit)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    assert(bad != nullptr);
    const float v = x[i];
    if (!isfinite(v)) {
        REPORT("block %d thread %u: x[%d] is %s\n", blockIdx.x, threadIdx.x, i, isnan(v) ? "not a number" : "infinite");
        atomicAdd(&bad[0], 1);
    } else if (fabsf(v) > limit) {
        REPORT("x[%03d] = %+.2e is beyond %g (%lld bits %#x)%%\n", i, v, limit, 32LL, __float_as_uint(v));
        atomicAdd(&bad[1], 1);
    } else if (signbit(v)) {
        atomicAdd(&bad[2], 1);
    }
}
