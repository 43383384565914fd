// The hard forms: what the compiler joins, splits, predicates and unrolls, and what lanes do apart from each other.
struct Particle { float x, y, z, mass, charge; };    // 20 bytes, aligned to 4: no vector loads

__device__ __noinline__ float weigh(const float* table, int index) {
    if (index & 1)
        return table[index];
    float sum = 0.f;
    #pragma unroll 1
    for (int j = 0; j < (index & 7); ++j)
        sum += table[index + j];
    return sum;
}

extern "C" {

__global__ void vector_copy(const float4* in, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void packed_gray(const uchar4* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 p = in[i];
    out[i] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}

__global__ void packed_struct(const Particle* in, float2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Particle p = in[i];
        out[i] = make_float2(p.x + p.y + p.z, p.mass * p.charge);
    }
}

__global__ void both_arms(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    if (v > 0.f)
        out[i] = v * 2.f;
    else
        out[i] = v - 1.f;
}

__global__ void ragged_rows(const float* in, const int* idx, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count = idx[i] & 31;
    float sum = 0.f;
    #pragma unroll 1
    for (int j = 0; j < count; ++j)
        sum += in[(i * 8 + j) & (n - 1)];
    out[i] = sum;
}

__global__ void skipping(const float* in, const int* idx, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int seed = idx[i];
    float sum = 0.f;
    #pragma unroll 1
    for (int j = 0; j < 16; ++j) {
        if ((seed >> j) & 1)
            continue;
        sum += in[(i + j * 64) & (n - 1)];
    }
    out[i] = sum;
}

__global__ void first_large(const float* in, float* out, int* where, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float found = 0.f;
    #pragma unroll 1
    for (int j = 0; j < 64; ++j) {
        float v = in[(i * 4 + j) & (n - 1)];
        if (v > 1.5f) {
            where[i] = j;
            found = v;
            break;
        }
    }
    out[i] = found;
}

__global__ void nested(const float* in, const int* idx, float* out, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = in[i];
    __syncthreads();
    int rounds = idx[i] & 3;
    float sum = 0.f;
    #pragma unroll 1
    for (int a = 0; a < rounds; ++a) {
        if ((t + a) & 1) {
            #pragma unroll 1
            for (int b = 0; b < (t & 3); ++b)
                sum += tile[(t * 2 + b) & 255];
        } else {
            sum += in[(i + a * 32) & (n - 1)];
        }
        sum *= 0.5f;
    }
    out[i] = sum;
}

__global__ void four_ways(const float* in, const int* idx, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v;
    switch (idx[i] & 3) {
        case 0: v = in[i]; break;
        case 1: v = in[(i * 2) & (n - 1)] + 1.f; break;
        case 2: v = in[(i * 4) & (n - 1)]; out[i + n] = v; break;
        default: v = 0.f;
    }
    out[i] = v;
}

__global__ void calls(const float* in, const int* idx, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = idx[i] & (n - 64);
    float v;
    if (i & 4)
        v = weigh(in, k + (i & 15));
    else
        v = -weigh(in, k + 1);
    out[i] = v;
}

__global__ void shuffle_sum(const float* in, float* out, int n) {
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float v = in[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xFFFFFFFFu, v, d);
    if ((t & 31) == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t < 8) {
        v = part[t];
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_down_sync(0xFFu, v, d);
        if (t == 0)
            out[blockIdx.x] = v;
    }
}

__global__ void short_circuit(const float* in, const int* idx, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((in[i] > 0.f && in[idx[i]] > 0.f) || in[(i * 3) & (n - 1)] > 1.f)
        out[i] = in[(i * 5) & (n - 1)];
    else
        out[i] = 0.f;
}

__global__ void wide_tile(const double* in, double* out, int w) {
    __shared__ double t[32][32];
    __shared__ float4 quads[256];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
    for (int j = 0; j < 32; j += 8)
        t[y + j][x] = in[(row + y + j) * w + column + x];
    quads[y * 32 + x] = make_float4(x, y, row, column);
    __syncthreads();
    float4 q = quads[(x * 8 + y) & 255];
    for (int j = 0; j < 32; j += 8)
        out[(column + y + j) * w + row + x] = t[x][y + j] + q.x + q.w;
}

__global__ void histogram(const int* idx, int* bins, float* out, int n) {
    __shared__ int own[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 64)
        own[t] = 0;
    __syncthreads();
    atomicAdd(&own[idx[i] & 63], 1);
    __syncthreads();
    if (t < 64)
        atomicAdd(&bins[t], own[t]);
    out[i] = own[t & 63];
}

}
