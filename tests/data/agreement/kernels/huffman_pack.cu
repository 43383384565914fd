// Symbols to variable-length codes packed into one bit stream: a scan of the lengths, then atomic ORs into words.
#include <cstdint>

struct Code { uint32_t bits; uint32_t length; };

__global__ void pack(const uint8_t *symbols, const Code *codes, uint32_t *stream, int *bit_count, int n)
{
    extern __shared__ int offsets[];
    const int i = threadIdx.x;
    const Code code = i < n ? codes[symbols[i]] : Code{0, 0};
    offsets[i] = code.length;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        const int before = i >= d ? offsets[i - d] : 0;
        __syncthreads();
        offsets[i] += before;
        __syncthreads();
    }
    if (i < n) {
        const int begin = offsets[i] - code.length, word = begin >> 5, shift = begin & 31;
        const uint64_t both = (uint64_t)code.bits << (64 - code.length) >> shift;    // most significant bit first
        atomicOr(stream + word, (uint32_t)(both >> 32));
        if ((uint32_t)both) atomicOr(stream + word + 1, (uint32_t)both);
    }
    if (i == blockDim.x - 1) *bit_count = offsets[i];
}
