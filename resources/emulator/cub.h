// The block and warp primitives of CUB that kernels use, after its documentation (names, template parameters, where results are
// valid, when TempStorage may be used again). Written for this shim: sums are formed in the order of CUB's warp shuffles.
#pragma once
#include "standard_begin.h"
#include <climits>
#include "standard_end.h"

namespace ledger {

// The line of a call, of a type of its own: a plain number would be taken for an item count or a reference to a result.
struct Line {
    int number;
    constexpr operator int() const { return number; }
};

}  // namespace ledger
#define LEDGER_AT ledger::Line line = ledger::Line{__builtin_LINE()}

namespace cub {

struct NullType {};
template <class Key, class Value> struct KeyValuePair {
    Key key;
    Value value;
};
template <int N> struct Int2Type { enum { VALUE = N }; };
typedef NullType BlankType;

#define LEDGER_FUNCTOR(name, expression)                                                        \
    struct name {                                                                               \
        template <class T> LEDGER_INLINE T operator()(const T& a, const T& b) const { return expression; } \
    };
LEDGER_FUNCTOR(Sum, a + b) LEDGER_FUNCTOR(Difference, a - b) LEDGER_FUNCTOR(Division, a / b)
LEDGER_FUNCTOR(Max, a < b ? b : a) LEDGER_FUNCTOR(Min, b < a ? b : a)
#undef LEDGER_FUNCTOR
#define LEDGER_PREDICATE(name, expression)                                                      \
    struct name {                                                                               \
        template <class A, class B> LEDGER_INLINE bool operator()(const A& a, const B& b) const { return expression; } \
    };
LEDGER_PREDICATE(Equality, a == b) LEDGER_PREDICATE(Inequality, a != b)
#undef LEDGER_PREDICATE
struct ArgMax {
    template <class K, class V>
    LEDGER_INLINE KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class K, class V>
    LEDGER_INLINE KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

LEDGER_INLINE unsigned LaneId() { return ledger_lane(); }
LEDGER_INLINE int RowMajorTid(int, int, int) {
    const uint3 i = ledger_thread.thread_index, n = ledger_thread.block_size;
    return int(i.x + n.x * (i.y + n.y * i.z));
}
LEDGER_INLINE unsigned WarpId() { return unsigned(RowMajorTid(0, 0, 0)) / 32; }

namespace details {

// Memory for N values that needs no constructor, so that it may stand in unions and in __shared__.
template <class T, int N>
struct alignas(alignof(T) > 16 ? alignof(T) : 16) Room {
    unsigned char bytes[sizeof(T) * (N > 0 ? N : 1)];
    LEDGER_INLINE T* at() { return reinterpret_cast<T*>(bytes); }
};
LEDGER_INLINE int thread() { return RowMajorTid(0, 0, 0); }

template <class T>
LEDGER_INLINE T shuffle(const T& x, unsigned source, bool valid, unsigned mask, int line) {
    static_assert(std::is_trivially_copyable_v<T>, "a shuffle moves plain values only");
    constexpr size_t words = (sizeof(T) + 7) / 8;
    uint64_t parts[words] = {};
    __builtin_memcpy(parts, &x, sizeof x);
    for (size_t i = 0; i < words; ++i)
        parts[i] = ledger_warp(LEDGER_SHUFFLE, mask, parts[i], valid ? source & 31 : ledger_lane(), line);
    T result;
    __builtin_memcpy(&result, parts, sizeof result);
    return result;
}

// The lanes of this thread's logical warp of `Width` lanes.
template <int Width>
struct Segment {
    unsigned lane, first, rank, mask;
    LEDGER_INLINE Segment() : lane(ledger_lane()) {
        first = lane / Width * Width;
        rank = lane - first;
        mask = Width == 32 ? 0xFFFFFFFFu : ((1u << Width % 32) - 1) << first;
    }
};

// Lane 0 of the segment gets the sum of its first `valid` lanes.
template <int Width, class T, class Operator>
LEDGER_INLINE T reduce(T x, Operator op, int valid, int line) {
    const Segment<Width> here;
    for (int offset = 1; offset < Width; offset *= 2) {
        const bool inside = int(here.rank) + offset < valid;
        const T other = shuffle(x, here.lane + offset, inside, here.mask, line);
        if (inside) x = op(x, other);
    }
    return x;
}

template <int Width, class T, class Operator>
LEDGER_INLINE T scan(T x, Operator op, int line) {
    const Segment<Width> here;
    for (int offset = 1; offset < Width; offset *= 2) {
        const bool inside = int(here.rank) >= offset;
        const T other = shuffle(x, here.lane - offset, inside, here.mask, line);
        if (inside) x = op(other, x);
    }
    return x;
}

template <class T, int N, class Operator>
LEDGER_INLINE T fold(const T (&items)[N], Operator op) {
    T sum = items[0];
    for (int i = 1; i < N; ++i) sum = op(sum, items[i]);
    return sum;
}

}  // namespace details
}  // namespace cub

#include "cub_warp.h"
#include "cub_block.h"
#include "cub_scan.h"
#include "cub_move.h"
#include "cub_sort.h"
