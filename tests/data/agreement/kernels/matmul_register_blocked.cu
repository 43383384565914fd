// A 64x64 block tile, 4x4 results per thread, float4 loads, two shared buffers filled in turn.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
    sgemm_blocked(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K)
{
    __shared__ float4 as_storage[2][BK * BM / 4];
    __shared__ float4 bs_storage[2][BK * BN / 4];
    constexpr int THREADS = (BM / TM) * (BN / TN);
    const int tid = threadIdx.x, ty = tid / (BN / TN), tx = tid % (BN / TN);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    auto fill = [&](int buffer, int k0) {
        float *as = reinterpret_cast<float *>(as_storage[buffer]);
        for (int i = tid; i < BM * BK / 4; i += THREADS) {
            const int m = i / (BK / 4), k = i % (BK / 4) * 4;
            const float4 v = *reinterpret_cast<const float4 *>(&A[m * K + k0 + k]);
            as[(k + 0) * BM + m] = v.x;
            as[(k + 1) * BM + m] = v.y;
            as[(k + 2) * BM + m] = v.z;
            as[(k + 3) * BM + m] = v.w;
        }
        for (int i = tid; i < BN * BK / 4; i += THREADS)
            bs_storage[buffer][i] = reinterpret_cast<const float4 *>(&B[(k0 + i / (BN / 4)) * N])[i % (BN / 4)];
    };

    float sums[TM][TN] = {};
    fill(0, 0);
    __syncthreads();
    for (int k0 = 0, buffer = 0; k0 < K; k0 += BK, buffer ^= 1) {
        if (k0 + BK < K) fill(buffer ^ 1, k0 + BK);
        const float *as = reinterpret_cast<const float *>(as_storage[buffer]);
        const float *bs = reinterpret_cast<const float *>(bs_storage[buffer]);
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) a[i] = as[k * BM + ty * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j) b[j] = bs[k * BN + tx * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    static_assert(TN == 4, "the store below writes float4");
    for (int i = 0; i < TM; ++i)
        *reinterpret_cast<float4 *>(&C[(ty * TM + i) * N + tx * TN]) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}
