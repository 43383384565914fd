// Barriers, fences, shuffles, votes, matches and reductions. The line of the call is passed on for reports.
#pragma once

#define LEDGER_LINE int line = __builtin_LINE()

LEDGER_INLINE void __syncthreads(LEDGER_LINE) { ledger_barrier(line, 0, LEDGER_SYNC); }
LEDGER_INLINE int __syncthreads_count(int predicate, LEDGER_LINE) { return ledger_barrier(line, predicate, LEDGER_COUNT); }
LEDGER_INLINE int __syncthreads_and(int predicate, LEDGER_LINE) { return ledger_barrier(line, predicate, LEDGER_AND); }
LEDGER_INLINE int __syncthreads_or(int predicate, LEDGER_LINE) { return ledger_barrier(line, predicate, LEDGER_OR); }
LEDGER_INLINE void __syncwarp(unsigned mask = 0xFFFFFFFFu, LEDGER_LINE) { ledger_warp(LEDGER_SYNCWARP, mask, 0, 0, line); }

#ifdef LEDGER_CHECKED
LEDGER_INLINE void __threadfence() { ledger_fence(LEDGER_OF_DEVICE); }
LEDGER_INLINE void __threadfence_block() { ledger_fence(LEDGER_OF_BLOCK); }
LEDGER_INLINE void __threadfence_system() { ledger_fence(LEDGER_OF_DEVICE); }
#else
LEDGER_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
LEDGER_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
LEDGER_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

namespace ledger {

template <class T>
LEDGER_INLINE uint64_t bits(T value) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a shuffle moves values of at most 8 bytes");
    uint64_t word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    return word;
}

template <class T>
LEDGER_INLINE T value(uint64_t word) {
    T result;
    __builtin_memcpy(&result, &word, sizeof result);
    return result;
}

// c and the segment as in the PTX ISA's shfl: `width` is a power of two up to 32.
template <class T>
LEDGER_INLINE T shuffle(unsigned mask, T x, int source, bool in_segment, int line) {
    return value<T>(ledger_warp(LEDGER_SHUFFLE, mask, bits(x), in_segment ? unsigned(source) : ledger_lane(), line));
}

}  // namespace ledger

template <class T>
LEDGER_INLINE T __shfl_sync(unsigned mask, T x, int source, int width = 32, LEDGER_LINE) {
    const int lane = int(ledger_lane()), segment = lane & ~(width - 1);
    return ledger::shuffle(mask, x, segment + (source & (width - 1)), true, line);
}
template <class T>
LEDGER_INLINE T __shfl_up_sync(unsigned mask, T x, unsigned delta, int width = 32, LEDGER_LINE) {
    const int lane = int(ledger_lane()), source = lane - int(delta);
    return ledger::shuffle(mask, x, source, source >= (lane & ~(width - 1)), line);
}
template <class T>
LEDGER_INLINE T __shfl_down_sync(unsigned mask, T x, unsigned delta, int width = 32, LEDGER_LINE) {
    const int lane = int(ledger_lane()), source = lane + int(delta);
    return ledger::shuffle(mask, x, source, source <= (lane | (width - 1)), line);
}
template <class T>
LEDGER_INLINE T __shfl_xor_sync(unsigned mask, T x, int lane_mask, int width = 32, LEDGER_LINE) {
    const int lane = int(ledger_lane()), source = lane ^ lane_mask;
    return ledger::shuffle(mask, x, source, source <= (lane | (width - 1)), line);
}

LEDGER_INLINE unsigned __ballot_sync(unsigned mask, int predicate, LEDGER_LINE) {
    return unsigned(ledger_warp(LEDGER_BALLOT, mask, predicate != 0, 0, line));
}
LEDGER_INLINE int __any_sync(unsigned mask, int predicate, LEDGER_LINE) { return __ballot_sync(mask, predicate, line) != 0; }
LEDGER_INLINE int __all_sync(unsigned mask, int predicate, LEDGER_LINE) { return __ballot_sync(mask, !predicate, line) == 0; }
namespace ledger {

// Stands for a call of a function in which lanes meet by chance, until the end of the expression (call_sites.py).
struct CallSite {
    unsigned before;
    LEDGER_INLINE explicit CallSite(unsigned site) : before(ledger_call_site(site)) {}
    LEDGER_INLINE ~CallSite() { ledger_call_end(before); }
};

}  // namespace ledger

LEDGER_INLINE unsigned __activemask(LEDGER_LINE) { return ledger_active_lanes(line); }

template <class T>
LEDGER_INLINE unsigned __match_any_sync(unsigned mask, T x, LEDGER_LINE) {
    return unsigned(ledger_warp(LEDGER_MATCH_ANY, mask, ledger::bits(x), 0, line));
}
template <class T>
LEDGER_INLINE unsigned __match_all_sync(unsigned mask, T x, int* all, LEDGER_LINE) {
    const unsigned same = unsigned(ledger_warp(LEDGER_MATCH_ALL, mask, ledger::bits(x), 0, line));
    *all = same != 0;
    return same;
}

#define LEDGER_REDUCE(name, T, kind)                                                              \
    LEDGER_INLINE T name(unsigned mask, T x, LEDGER_LINE) {                                        \
        return T(uint32_t(ledger_warp(kind, mask, uint32_t(x), 0, line)));                        \
    }
LEDGER_REDUCE(__reduce_add_sync, unsigned, LEDGER_REDUCE_ADD)
LEDGER_REDUCE(__reduce_add_sync, int, LEDGER_REDUCE_ADD)
LEDGER_REDUCE(__reduce_min_sync, unsigned, LEDGER_REDUCE_UMIN)
LEDGER_REDUCE(__reduce_min_sync, int, LEDGER_REDUCE_MIN)
LEDGER_REDUCE(__reduce_max_sync, unsigned, LEDGER_REDUCE_UMAX)
LEDGER_REDUCE(__reduce_max_sync, int, LEDGER_REDUCE_MAX)
LEDGER_REDUCE(__reduce_and_sync, unsigned, LEDGER_REDUCE_AND)
LEDGER_REDUCE(__reduce_or_sync, unsigned, LEDGER_REDUCE_OR)
LEDGER_REDUCE(__reduce_xor_sync, unsigned, LEDGER_REDUCE_XOR)
#undef LEDGER_REDUCE
