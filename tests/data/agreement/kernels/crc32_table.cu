// CRC-32 of chunks with a table that the block computes into shared memory; combined per block by XOR.
#define POLYNOMIAL 0xEDB88320u

__device__ __noinline__ unsigned table_entry(unsigned index)
{
    unsigned crc = index;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    return crc;
}

__global__ void crc32(const unsigned char *data, unsigned *checksums, unsigned *combined, int chunk)
{
    __shared__ unsigned table[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) table[i] = table_entry(i);
    __syncthreads();
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned crc = ~0u;
    for (int k = 0; k < chunk; ++k) crc = crc >> 8 ^ table[(crc ^ data[id * chunk + k]) & 0xFF];
    crc = ~crc;
    checksums[id] = crc;
    const unsigned all = __reduce_xor_sync(0xFFFFFFFFu, crc);
    if ((threadIdx.x & 31) == 0) atomicXor(&combined[blockIdx.x], all);
}
