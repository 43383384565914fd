// cub::BlockReduce and cub::BlockHistogram.
#pragma once

namespace cub {

#define LEDGER_STORAGE(Class)                                                                        \
    LEDGER_INLINE Class() : temp_(own()) {}                                                          \
    LEDGER_INLINE Class(TempStorage& temp) : temp_(temp) {}                                          \
    static inline TempStorage& own() {                                                               \
        static __thread TempStorage memory;                                                          \
        return memory;                                                                               \
    }

template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Legacy = 0>
class BlockReduce {
    static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;

  public:
    struct TempStorage { details::Room<T, warps> sums; };
    LEDGER_STORAGE(BlockReduce)
    // Thread 0 gets the result; what the others get is of no use.
    template <class Operator> LEDGER_INLINE T Reduce(T x, Operator op, LEDGER_AT) { return reduce(x, op, threads, line); }
    template <class Operator> LEDGER_INLINE T Reduce(T x, Operator op, int valid, LEDGER_AT) { return reduce(x, op, valid, line); }
    template <int N, class Operator> LEDGER_INLINE T Reduce(T (&x)[N], Operator op, LEDGER_AT) {
        return reduce(details::fold(x, op), op, threads, line);
    }
    LEDGER_INLINE T Sum(T x, LEDGER_AT) { return reduce(x, cub::Sum(), threads, line); }
    LEDGER_INLINE T Sum(T x, int valid, LEDGER_AT) { return reduce(x, cub::Sum(), valid, line); }
    template <int N> LEDGER_INLINE T Sum(T (&x)[N], LEDGER_AT) { return reduce(details::fold(x, cub::Sum()), cub::Sum(), threads, line); }

  private:
    template <class Operator> LEDGER_INLINE T reduce(T x, Operator op, int valid, int line) {
        const int self = details::thread(), warp = self / 32;
        T sum = details::reduce<32>(x, op, valid - warp * 32 < 32 ? valid - warp * 32 : 32, line);
        T* sums = temp_.sums.at();
        if (self % 32 == 0) sums[warp] = sum;
        __syncthreads(line);
        if (self == 0)
            for (int w = 1; w < warps && w * 32 < valid; ++w) sum = op(sum, sums[w]);
        return sum;
    }
    TempStorage& temp_;
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int Legacy = 0>
class BlockHistogram {
  public:
    struct TempStorage { unsigned char unused; };
    LEDGER_STORAGE(BlockHistogram)
    template <class Counter> LEDGER_INLINE void InitHistogram(Counter (&bins)[Bins]) {
        for (int i = details::thread(); i < Bins; i += X * Y * Z) bins[i] = 0;
    }
    template <class Counter> LEDGER_INLINE void Histogram(T (&items)[N], Counter (&bins)[Bins], LEDGER_AT) {
        InitHistogram(bins);
        __syncthreads(line);
        Composite(items, bins);
    }
    template <class Counter> LEDGER_INLINE void Composite(T (&items)[N], Counter (&bins)[Bins]) {
        for (int i = 0; i < N; ++i) atomicAdd(&bins[items[i]], Counter(1));
    }

  private:
    TempStorage& temp_;
};

}  // namespace cub
