// Transfers between accounts under one lock per account, taken in order; a device class hides the spinning.
class Lock {
    int state_;
public:
    __device__ bool try_lock() { return atomicCAS(&state_, 0, 1) == 0; }
    __device__ void unlock() { __threadfence(); atomicExch(&state_, 0); }
};

struct Transfer { int from, to; long long amount; };

__global__ void settle(const Transfer *transfers, volatile long long *balances, Lock *locks, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Transfer t = transfers[i];
    if (t.from == t.to) return;
    const int low = t.from < t.to ? t.from : t.to, high = t.from < t.to ? t.to : t.from;
    for (bool done = false; !done;) {
        if (locks[low].try_lock()) {
            if (locks[high].try_lock()) {
                __threadfence();
                balances[t.from] = balances[t.from] - t.amount;
                balances[t.to] = balances[t.to] + t.amount;
                locks[high].unlock();
                done = true;
            }
            locks[low].unlock();
        }
    }
}
