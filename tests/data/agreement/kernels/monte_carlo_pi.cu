// Points inside the quarter circle, counted with xorshift generators of its own and one atomic per block.
class XorShift {
public:
    __device__ explicit XorShift(unsigned seed) : state_(seed * 2654435761u ^ 0x9E3779B9u) { if (!state_) state_ = 1; }
    __device__ unsigned next()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }
private:
    unsigned state_;
};

__global__ void count_inside(unsigned long long *inside, int points)
{
    __shared__ unsigned block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();

    XorShift random(blockIdx.x * blockDim.x + threadIdx.x + 1);
    unsigned mine = 0;
    for (int i = 0; i < points; ++i) {
        const unsigned long long x = random.next() >> 1, y = random.next() >> 1;
        mine += x * x + y * y < (1ULL << 62);
    }
    atomicAdd(&block_total, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(inside, (unsigned long long)block_total);
}
