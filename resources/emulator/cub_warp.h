// cub::WarpReduce and cub::WarpScan.
#pragma once

namespace cub {

template <class T, int Width = 32, int Legacy = 0>
class WarpReduce {
  public:
    struct TempStorage { unsigned char unused; };
    LEDGER_INLINE WarpReduce(TempStorage&) {}
    template <class Operator> LEDGER_INLINE T Reduce(T x, Operator op, LEDGER_AT) { return details::reduce<Width>(x, op, Width, line); }
    template <class Operator> LEDGER_INLINE T Reduce(T x, Operator op, int valid, LEDGER_AT) {
        return details::reduce<Width>(x, op, valid, line);
    }
    LEDGER_INLINE T Sum(T x, LEDGER_AT) { return details::reduce<Width>(x, cub::Sum(), Width, line); }
    LEDGER_INLINE T Sum(T x, int valid, LEDGER_AT) { return details::reduce<Width>(x, cub::Sum(), valid, line); }
    LEDGER_INLINE T Max(T x, LEDGER_AT) { return details::reduce<Width>(x, cub::Max(), Width, line); }
    LEDGER_INLINE T Min(T x, LEDGER_AT) { return details::reduce<Width>(x, cub::Min(), Width, line); }
    // The first lane of each segment gets its sum; a head flag begins a segment, a tail flag ends one.
    template <class Flag, class Operator> LEDGER_INLINE T HeadSegmentedReduce(T x, Flag head, Operator op, LEDGER_AT) {
        return segmented(x, ends(__ballot_sync(details::Segment<Width>().mask, head != 0, line) >> 1), op, line);
    }
    template <class Flag, class Operator> LEDGER_INLINE T TailSegmentedReduce(T x, Flag tail, Operator op, LEDGER_AT) {
        return segmented(x, ends(__ballot_sync(details::Segment<Width>().mask, tail != 0, line)), op, line);
    }
    template <class Flag> LEDGER_INLINE T HeadSegmentedSum(T x, Flag head, LEDGER_AT) {
        return HeadSegmentedReduce(x, head, cub::Sum(), line);
    }
    template <class Flag> LEDGER_INLINE T TailSegmentedSum(T x, Flag tail, LEDGER_AT) {
        return TailSegmentedReduce(x, tail, cub::Sum(), line);
    }

  private:
    // The last lane of this lane's segment, from the lanes that end one.
    LEDGER_INLINE static unsigned ends(unsigned last) {
        const details::Segment<Width> here;
        const unsigned from = last & ~((1u << here.lane) - 1), end = from ? unsigned(__builtin_ctz(from)) : 31;
        return end < here.first + Width ? end : here.first + Width - 1;
    }
    template <class Operator> LEDGER_INLINE static T segmented(T x, unsigned last, Operator op, int line) {
        const details::Segment<Width> here;
        for (int offset = 1; offset < Width; offset *= 2) {
            const bool inside = here.lane + offset <= last;
            const T other = details::shuffle(x, here.lane + offset, inside, here.mask, line);
            if (inside) x = op(x, other);
        }
        return x;
    }
};

template <class T, int Width = 32, int Legacy = 0>
class WarpScan {
  public:
    struct TempStorage { unsigned char unused; };
    LEDGER_INLINE WarpScan(TempStorage&) {}
    LEDGER_INLINE void InclusiveSum(T x, T& out, LEDGER_AT) { out = details::scan<Width>(x, cub::Sum(), line); }
    LEDGER_INLINE void InclusiveSum(T x, T& out, T& sum, LEDGER_AT) { InclusiveScan(x, out, cub::Sum(), sum, line); }
    LEDGER_INLINE void ExclusiveSum(T x, T& out, LEDGER_AT) { ExclusiveScan(x, out, T(), cub::Sum(), line); }
    LEDGER_INLINE void ExclusiveSum(T x, T& out, T& sum, LEDGER_AT) { ExclusiveScan(x, out, T(), cub::Sum(), sum, line); }
    template <class Operator> LEDGER_INLINE void InclusiveScan(T x, T& out, Operator op, LEDGER_AT) {
        out = details::scan<Width>(x, op, line);
    }
    template <class Operator> LEDGER_INLINE void InclusiveScan(T x, T& out, Operator op, T& sum, LEDGER_AT) {
        out = details::scan<Width>(x, op, line);
        sum = Broadcast(out, Width - 1, line);
    }
    // Without an initial value lane 0 gets nothing of use.
    template <class Operator> LEDGER_INLINE void ExclusiveScan(T x, T& out, Operator op, LEDGER_AT) {
        const T upto = details::scan<Width>(x, op, line);
        const details::Segment<Width> here;
        out = details::shuffle(upto, here.lane - 1, here.rank > 0, here.mask, line);
    }
    template <class Operator> LEDGER_INLINE void ExclusiveScan(T x, T& out, T initial, Operator op, LEDGER_AT) {
        const T upto = details::scan<Width>(x, op, line);
        const details::Segment<Width> here;
        const T before = details::shuffle(upto, here.lane - 1, here.rank > 0, here.mask, line);
        out = here.rank == 0 ? initial : op(initial, before);
    }
    template <class Operator> LEDGER_INLINE void ExclusiveScan(T x, T& out, T initial, Operator op, T& sum, LEDGER_AT) {
        sum = Broadcast(details::scan<Width>(x, op, line), Width - 1, line);
        ExclusiveScan(x, out, initial, op, line);
    }
    template <class Operator> LEDGER_INLINE void Scan(T x, T& inclusive, T& exclusive, Operator op, LEDGER_AT) {
        InclusiveScan(x, inclusive, op, line);
        ExclusiveScan(x, exclusive, op, line);
    }
    LEDGER_INLINE T Broadcast(T x, unsigned lane, LEDGER_AT) {
        const details::Segment<Width> here;
        return details::shuffle(x, here.first + lane, true, here.mask, line);
    }
};

}  // namespace cub
