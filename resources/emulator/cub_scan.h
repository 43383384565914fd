// cub::BlockScan: every thread gets its result. The aggregate and the prefix come from the block's last item.
#pragma once

namespace cub {

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Legacy = 0>
class BlockScan {
    static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;

  public:
    struct TempStorage { details::Room<T, warps + 1> sums; };
    LEDGER_STORAGE(BlockScan)

    // One item a thread.
    LEDGER_INLINE void ExclusiveSum(T x, T& out, LEDGER_AT) { ExclusiveScan(x, out, T(), cub::Sum(), line); }
    LEDGER_INLINE void ExclusiveSum(T x, T& out, T& sum, LEDGER_AT) { ExclusiveScan(x, out, T(), cub::Sum(), sum, line); }
    LEDGER_INLINE void InclusiveSum(T x, T& out, LEDGER_AT) { InclusiveScan(x, out, cub::Sum(), line); }
    LEDGER_INLINE void InclusiveSum(T x, T& out, T& sum, LEDGER_AT) { InclusiveScan(x, out, cub::Sum(), sum, line); }
    template <class Prefix, class = std::enable_if_t<!std::is_same_v<Prefix, T>>, class = decltype(std::declval<Prefix&>()(T()))>
    LEDGER_INLINE void ExclusiveSum(T x, T& out, Prefix& prefix, LEDGER_AT) {
        const Scanned done = scan(x, cub::Sum(), line);
        const T before = shared_prefix(prefix, done.sum, line);
        out = done.first ? before : before + done.exclusive;
    }
    template <class Prefix, class = std::enable_if_t<!std::is_same_v<Prefix, T>>, class = decltype(std::declval<Prefix&>()(T()))>
    LEDGER_INLINE void InclusiveSum(T x, T& out, Prefix& prefix, LEDGER_AT) {
        const Scanned done = scan(x, cub::Sum(), line);
        out = shared_prefix(prefix, done.sum, line) + done.inclusive;
    }
    template <class Operator> LEDGER_INLINE void ExclusiveScan(T x, T& out, Operator op, LEDGER_AT) {
        out = scan(x, op, line).exclusive;    // thread 0 gets nothing of use
    }
    template <class Operator> LEDGER_INLINE void ExclusiveScan(T x, T& out, T initial, Operator op, LEDGER_AT) {
        const Scanned done = scan(x, op, line);
        out = done.first ? initial : op(initial, done.exclusive);
    }
    template <class Operator> LEDGER_INLINE void ExclusiveScan(T x, T& out, T initial, Operator op, T& sum, LEDGER_AT) {
        const Scanned done = scan(x, op, line);
        out = done.first ? initial : op(initial, done.exclusive);
        sum = done.sum;
    }
    template <class Operator> LEDGER_INLINE void InclusiveScan(T x, T& out, Operator op, LEDGER_AT) { out = scan(x, op, line).inclusive; }
    template <class Operator> LEDGER_INLINE void InclusiveScan(T x, T& out, Operator op, T& sum, LEDGER_AT) {
        const Scanned done = scan(x, op, line);
        out = done.inclusive;
        sum = done.sum;
    }

    // N items a thread, in blocked order.
    template <int N> LEDGER_INLINE void ExclusiveSum(T (&x)[N], T (&out)[N], LEDGER_AT) { exclusive(x, out, T(), cub::Sum(), line); }
    template <int N> LEDGER_INLINE void ExclusiveSum(T (&x)[N], T (&out)[N], T& sum, LEDGER_AT) {
        sum = exclusive(x, out, T(), cub::Sum(), line);
    }
    template <int N> LEDGER_INLINE void InclusiveSum(T (&x)[N], T (&out)[N], LEDGER_AT) { inclusive(x, out, cub::Sum(), line); }
    template <int N> LEDGER_INLINE void InclusiveSum(T (&x)[N], T (&out)[N], T& sum, LEDGER_AT) { sum = inclusive(x, out, cub::Sum(), line); }
    template <int N, class Prefix, class = decltype(std::declval<Prefix&>()(T()))>
    LEDGER_INLINE void ExclusiveSum(T (&x)[N], T (&out)[N], Prefix& prefix, LEDGER_AT) {
        const T sum = exclusive(x, out, T(), cub::Sum(), line), before = shared_prefix(prefix, sum, line);
        for (int i = 0; i < N; ++i) out[i] = before + out[i];
    }
    template <int N, class Operator> LEDGER_INLINE void ExclusiveScan(T (&x)[N], T (&out)[N], T initial, Operator op, LEDGER_AT) {
        exclusive(x, out, initial, op, line);
    }
    template <int N, class Operator>
    LEDGER_INLINE void ExclusiveScan(T (&x)[N], T (&out)[N], T initial, Operator op, T& sum, LEDGER_AT) {
        sum = exclusive(x, out, initial, op, line);
    }
    template <int N, class Operator> LEDGER_INLINE void InclusiveScan(T (&x)[N], T (&out)[N], Operator op, LEDGER_AT) {
        inclusive(x, out, op, line);
    }
    template <int N, class Operator> LEDGER_INLINE void InclusiveScan(T (&x)[N], T (&out)[N], Operator op, T& sum, LEDGER_AT) {
        sum = inclusive(x, out, op, line);
    }

  private:
    struct Scanned {
        T inclusive, exclusive, sum;
        bool first;
    };
    template <class Operator> LEDGER_INLINE Scanned scan(T x, Operator op, int line) {
        const int self = details::thread(), warp = self / 32, lane = self % 32;
        T* sums = temp_.sums.at();
        T upto = details::scan<32>(x, op, line);
        T before = details::shuffle(upto, unsigned(lane - 1), lane > 0, 0xFFFFFFFFu, line);
        if (lane == 31 || self == threads - 1) sums[warp] = upto;
        __syncthreads(line);
        T sum = sums[0], base = sum;
        for (int w = 1; w < warps; ++w) {
            if (w == warp) base = sum;
            sum = op(sum, sums[w]);
        }
        if (warp > 0) {
            upto = op(base, upto);
            before = lane == 0 ? base : op(base, before);
        }
        return {upto, before, sum, self == 0};
    }
    template <int N, class Operator> LEDGER_INLINE T exclusive(T (&x)[N], T (&out)[N], T initial, Operator op, int line) {
        const Scanned done = scan(details::fold(x, op), op, line);
        T before = done.first ? initial : op(initial, done.exclusive);
        for (int i = 0; i < N; ++i) {
            const T item = x[i];
            out[i] = before;
            before = op(before, item);
        }
        return done.sum;
    }
    template <int N, class Operator> LEDGER_INLINE T inclusive(T (&x)[N], T (&out)[N], Operator op, int line) {
        const Scanned done = scan(details::fold(x, op), op, line);
        T upto = done.first ? x[0] : op(done.exclusive, x[0]);
        out[0] = upto;
        for (int i = 1; i < N; ++i) out[i] = upto = op(upto, x[i]);
        return done.sum;
    }
    // The first warp calls the functor with the sum of the block; thread 0's answer is everybody's prefix.
    template <class Prefix> LEDGER_INLINE T shared_prefix(Prefix& prefix, const T& sum, int line) {
        T* place = temp_.sums.at() + warps;
        if (details::thread() < 32) {
            const T mine = prefix(sum);
            if (details::thread() == 0) *place = mine;
        }
        __syncthreads(line);
        return *place;
    }
    TempStorage& temp_;
};

}  // namespace cub
