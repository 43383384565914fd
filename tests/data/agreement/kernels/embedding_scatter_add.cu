// Backward of an embedding: gradients of tokens added into the table's rows; forward gather beside it.
#include <cuda_runtime.h>
#include <cstdio>

constexpr int kChannels = 48;

__global__ void gather(const float *table, const int *tokens, float *out, int n)
{
    const int t = blockIdx.x;
    if (t < n && threadIdx.x < kChannels) out[t * kChannels + threadIdx.x] = table[tokens[t] * kChannels + threadIdx.x];
}

__global__ void scatter_add(float *dtable, int *touched, const int *tokens, const float *dout, int n)
{
    const int c = threadIdx.x;
    for (int t = blockIdx.x * blockDim.y + threadIdx.y; t < n; t += gridDim.x * blockDim.y) {
        const int row = tokens[t];
        if (row < 0) continue;    // padding
        atomicAdd(&dtable[row * kChannels + c], dout[t * kChannels + c]);
        if (c == 0) atomicOr(&touched[row >> 5], 1 << (row & 31));
    }
}

void launch(float *dtable, int *touched, const int *tokens, const float *dout, int n, cudaStream_t stream)
{
    const dim3 block(kChannels, 4);
    scatter_add<<<16, block, 0, stream>>>(dtable, touched, tokens, dout, n);
    if (cudaPeekAtLastError() != cudaSuccess) std::printf("launch failed\n");
}
