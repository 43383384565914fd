// cub::BlockRadixSort and cub::BlockMergeSort: stable; one thread sorts what all have laid down.
#pragma once

// What touches the shim's own scratch, which is no variable of the kernel: a checked build does not watch it.
#ifdef LEDGER_CHECKED
#define LEDGER_UNWATCHED inline __attribute__((noinline, no_sanitize("thread", "undefined")))
#else
#define LEDGER_UNWATCHED LEDGER_INLINE
#endif

namespace cub {

namespace details {

LEDGER_UNWATCHED unsigned place(const unsigned* order, int i) { return order[i]; }

// The key as an unsigned number of the same order; -0 equals +0, as in CUB.
template <class Key>
LEDGER_INLINE auto ordered(Key key) {
    using Bits = std::conditional_t<sizeof(Key) == 1, uint8_t, ledger::Word<Key>>;
    constexpr Bits top = Bits(Bits(1) << (sizeof(Bits) * 8 - 1));
    Bits bits;
    __builtin_memcpy(&bits, &key, sizeof bits);
    if constexpr (std::is_integral_v<Key>) return Bits(std::is_signed_v<Key> ? bits ^ top : bits);
    if (bits == top) bits = 0;
    return Bits(bits & top ? ~bits : bits | top);
}

// The places of `count` items in rising (or falling) order of `digits(i)`, by bytes of `bits` bits. Stable.
template <class Digits>
LEDGER_UNWATCHED void radix(unsigned* order, unsigned* other, int count, int bits, Digits digits) {
    for (int i = 0; i < count; ++i) order[i] = unsigned(i);
    for (int shift = 0; shift < bits; shift += 8) {
        int begin[257] = {};
        for (int i = 0; i < count; ++i) ++begin[(digits(order[i]) >> shift & 255) + 1];
        for (int d = 0; d < 256; ++d) begin[d + 1] += begin[d];
        for (int i = 0; i < count; ++i) other[begin[digits(order[i]) >> shift & 255]++] = order[i];
        for (int i = 0; i < count; ++i) order[i] = other[i];
    }
}

}  // namespace details

template <class Key, int X, int N, class Value = NullType, int RadixBits = 4, bool Memoize = true,
          BlockScanAlgorithm Inner = BLOCK_SCAN_WARP_SCANS, int Config = 0, int Y = 1, int Z = 1, int Legacy = 0>
class BlockRadixSort {
    static constexpr int threads = X * Y * Z, count = threads * N, all = sizeof(Key) * 8;
    static constexpr bool pairs = !std::is_same_v<Value, NullType>;

  public:
    struct TempStorage {
        details::Room<Key, count> keys;
        details::Room<Value, pairs ? count : 1> values;
        details::Room<unsigned short, count> order;
    };
    LEDGER_STORAGE(BlockRadixSort)
    LEDGER_INLINE void Sort(Key (&keys)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<false, false>(keys, none_, begin, end, line);
    }
    LEDGER_INLINE void SortDescending(Key (&keys)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<true, false>(keys, none_, begin, end, line);
    }
    LEDGER_INLINE void SortBlockedToStriped(Key (&keys)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<false, true>(keys, none_, begin, end, line);
    }
    LEDGER_INLINE void SortDescendingBlockedToStriped(Key (&keys)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<true, true>(keys, none_, begin, end, line);
    }
    LEDGER_INLINE void Sort(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<false, false>(keys, values, begin, end, line);
    }
    LEDGER_INLINE void SortDescending(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<true, false>(keys, values, begin, end, line);
    }
    LEDGER_INLINE void SortBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<false, true>(keys, values, begin, end, line);
    }
    LEDGER_INLINE void SortDescendingBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = all, LEDGER_AT) {
        sort<true, true>(keys, values, begin, end, line);
    }

  private:
    template <bool Falling, bool Striped>
    LEDGER_INLINE void sort(Key (&keys)[N], Value (&values)[N], int begin, int end, int line) {
        const int self = details::thread();
        Key* all_keys = temp_.keys.at();
        Value* all_values = temp_.values.at();
        unsigned short* order = temp_.order.at();
        for (int i = 0; i < N; ++i) {
            all_keys[self * N + i] = keys[i];
            if constexpr (pairs) all_values[self * N + i] = values[i];
        }
        __syncthreads(line);
        if (self == 0) {
            static __thread unsigned ledger_order[count], ledger_other[count];    // not of the block's shared memory
            using Bits = decltype(details::ordered(keys[0]));
            const Bits mask = end - begin >= all ? Bits(~Bits(0)) : Bits((Bits(1) << (end - begin)) - 1);
            details::radix(ledger_order, ledger_other, count, end - begin, [&](unsigned i) {
                const Bits bits = details::ordered(all_keys[i]);
                return Bits(Bits((Falling ? Bits(~bits) : bits) >> begin) & mask);
            });
            for (int i = 0; i < count; ++i) order[i] = static_cast<unsigned short>(details::place(ledger_order, i));
        }
        __syncthreads(line);
        for (int i = 0; i < N; ++i) {
            const int from = order[Striped ? i * threads + self : self * N + i];
            keys[i] = all_keys[from];
            if constexpr (pairs) values[i] = all_values[from];
        }
    }
    TempStorage& temp_;
    Value none_[N];
};

template <class Key, int X, int N, class Value = NullType, int Y = 1, int Z = 1>
class BlockMergeSort {
    static constexpr int threads = X * Y * Z, count = threads * N;
    static constexpr bool pairs = !std::is_same_v<Value, NullType>;

  public:
    struct TempStorage {
        details::Room<Key, count> keys;
        details::Room<Value, pairs ? count : 1> values;
    };
    LEDGER_STORAGE(BlockMergeSort)
    template <class Less> LEDGER_INLINE void Sort(Key (&keys)[N], Less less, LEDGER_AT) { sort(keys, none_, less, line); }
    template <class Less> LEDGER_INLINE void StableSort(Key (&keys)[N], Less less, LEDGER_AT) { sort(keys, none_, less, line); }
    template <class Less> LEDGER_INLINE void Sort(Key (&keys)[N], Value (&values)[N], Less less, LEDGER_AT) { sort(keys, values, less, line); }
    template <class Less> LEDGER_INLINE void StableSort(Key (&keys)[N], Value (&values)[N], Less less, LEDGER_AT) {
        sort(keys, values, less, line);
    }

  private:
    template <class Less> LEDGER_INLINE void sort(Key (&keys)[N], Value (&values)[N], Less less, int line) {
        const int self = details::thread();
        Key* all_keys = temp_.keys.at();
        Value* all_values = temp_.values.at();
        for (int i = 0; i < N; ++i) {
            all_keys[self * N + i] = keys[i];
            if constexpr (pairs) all_values[self * N + i] = values[i];
        }
        __syncthreads(line);
        int rank[N];    // how many items stand before each of mine
        for (int i = 0; i < N; ++i) {
            rank[i] = 0;
            for (int j = 0; j < count; ++j)
                rank[i] += less(all_keys[j], keys[i]) || (j < self * N + i && !less(keys[i], all_keys[j]));
        }
        __syncthreads(line);
        for (int i = 0; i < N; ++i) {
            all_keys[rank[i]] = keys[i];
            if constexpr (pairs) all_values[rank[i]] = values[i];
        }
        __syncthreads(line);
        for (int i = 0; i < N; ++i) {
            keys[i] = all_keys[self * N + i];
            if constexpr (pairs) values[i] = all_values[self * N + i];
        }
    }
    TempStorage& temp_;
    Value none_[N];
};

}  // namespace cub
#undef LEDGER_STORAGE
#undef LEDGER_UNWATCHED
