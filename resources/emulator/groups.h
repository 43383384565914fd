// cooperative_groups: the thread block, tiles, coalesced groups and partitions of them, after the CUDA C++ Programming Guide's
// chapter. A group of at most 32 threads is a mask of lanes; every collective is a warp operation with that mask.
#pragma once

namespace ledger {

// The place of the n-th set bit of a mask (n from 0); 32 when there are fewer.
LEDGER_INLINE unsigned nth_lane(unsigned mask, unsigned n) {
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && n-- == 0) return lane;
    return 32;
}
LEDGER_INLINE unsigned lanes_below() { return (1u << ledger_lane()) - 1; }
LEDGER_INLINE unsigned rank_in_mask(unsigned mask) { return unsigned(__builtin_popcount(mask & lanes_below())); }

// Moves a value of any size, 8 bytes at a time.
template <class T>
LEDGER_INLINE T shuffle_any(unsigned mask, const T& x, unsigned source, bool valid, int line) {
    static_assert(std::is_trivially_copyable_v<T>, "a shuffle moves plain values only");
    constexpr size_t words = (sizeof(T) + 7) / 8;
    uint64_t parts[words] = {};
    __builtin_memcpy(parts, &x, sizeof x);
    for (size_t i = 0; i < words; ++i)
        parts[i] = ledger_warp(LEDGER_SHUFFLE, mask, parts[i], valid ? source : ledger_lane(), line);
    T result;
    __builtin_memcpy(&result, parts, sizeof result);
    return result;
}

}  // namespace ledger

namespace cooperative_groups {

namespace details {

LEDGER_INLINE unsigned block_rank() {
    const uint3 i = ledger_thread.thread_index, n = ledger_thread.block_size;
    return i.x + n.x * (i.y + n.y * i.z);
}
LEDGER_INLINE unsigned block_threads() {
    const uint3 n = ledger_thread.block_size;
    return n.x * n.y * n.z;
}

// What all groups of at most one warp can do; Lanes gives mask(), size(), rank() and lane_of(rank).
template <class Lanes>
struct WarpOperations {
    LEDGER_INLINE const Lanes& self() const { return static_cast<const Lanes&>(*this); }
    LEDGER_INLINE void sync(LEDGER_LINE) const { ledger_warp(LEDGER_SYNCWARP, self().mask(), 0, 0, line); }
    template <class T> LEDGER_INLINE T shfl(T x, unsigned source, LEDGER_LINE) const {
        return ledger::shuffle_any(self().mask(), x, self().lane_of(source % self().num_threads()), true, line);
    }
    template <class T> LEDGER_INLINE T shfl_up(T x, unsigned delta, LEDGER_LINE) const {
        const unsigned rank = self().thread_rank();
        return ledger::shuffle_any(self().mask(), x, self().lane_of(rank - delta), delta <= rank, line);
    }
    template <class T> LEDGER_INLINE T shfl_down(T x, unsigned delta, LEDGER_LINE) const {
        const unsigned source = self().thread_rank() + delta;
        return ledger::shuffle_any(self().mask(), x, self().lane_of(source), source < self().num_threads(), line);
    }
    template <class T> LEDGER_INLINE T shfl_xor(T x, unsigned lanes, LEDGER_LINE) const {
        const unsigned source = self().thread_rank() ^ lanes;
        return ledger::shuffle_any(self().mask(), x, self().lane_of(source), source < self().num_threads(), line);
    }
    LEDGER_INLINE unsigned ballot(int predicate, LEDGER_LINE) const {
        return self().ranks(__ballot_sync(self().mask(), predicate, line));
    }
    LEDGER_INLINE int any(int predicate, LEDGER_LINE) const { return __any_sync(self().mask(), predicate, line); }
    LEDGER_INLINE int all(int predicate, LEDGER_LINE) const { return __all_sync(self().mask(), predicate, line); }
    template <class T> LEDGER_INLINE unsigned match_any(T x, LEDGER_LINE) const {
        return self().ranks(__match_any_sync(self().mask(), x, line));
    }
    template <class T> LEDGER_INLINE unsigned match_all(T x, int& all, LEDGER_LINE) const {
        return self().ranks(__match_all_sync(self().mask(), x, &all, line));
    }
};

}  // namespace details

// A group whose kind is known at run time only.
class thread_group {
  public:
    thread_group() = default;
    LEDGER_INLINE thread_group(unsigned mask, unsigned first, unsigned count, unsigned rank)
        : mask_(mask), first_(first), count_(count), rank_(rank) {}
    LEDGER_INLINE unsigned long long size() const { return count_; }
    LEDGER_INLINE unsigned long long num_threads() const { return count_; }
    LEDGER_INLINE unsigned long long thread_rank() const { return rank_; }
    LEDGER_INLINE void sync(LEDGER_LINE) const {
        if (mask_) ledger_warp(LEDGER_SYNCWARP, mask_, 0, 0, line);
        else if (count_ == details::block_threads()) __syncthreads(line);
        else ledger_barrier_part(first_, count_, line);
    }

  private:
    unsigned mask_ = 0, first_ = 0, count_ = 1, rank_ = 0;    // mask_ is 0 for groups of more than one warp
};

class thread_block {
  public:
    struct arrival_token {};
    LEDGER_INLINE static void sync(LEDGER_LINE) { __syncthreads(line); }
    LEDGER_INLINE arrival_token barrier_arrive() const { return {}; }
    LEDGER_INLINE void barrier_wait(arrival_token&&, LEDGER_LINE) const { __syncthreads(line); }
    LEDGER_INLINE static unsigned thread_rank() { return details::block_rank(); }
    LEDGER_INLINE static unsigned size() { return details::block_threads(); }
    LEDGER_INLINE static unsigned num_threads() { return details::block_threads(); }
    LEDGER_INLINE static dim3 group_index() { return ledger_thread.block_index; }
    LEDGER_INLINE static dim3 thread_index() { return ledger_thread.thread_index; }
    LEDGER_INLINE static dim3 group_dim() { return ledger_thread.block_size; }
    LEDGER_INLINE static dim3 dim_threads() { return ledger_thread.block_size; }
    LEDGER_INLINE operator thread_group() const { return {0, 0, size(), thread_rank()}; }
};
LEDGER_INLINE thread_block this_thread_block() { return {}; }

class grid_group {
  public:
    template <class... Line> LEDGER_INLINE void sync(Line...) const {
        static_assert(sizeof...(Line) > 1, "LEDGER_REFUSED: synchronising the whole grid (sync() of a grid: make two kernels of it)");
    }
    LEDGER_INLINE bool is_valid() const { return true; }
    LEDGER_INLINE unsigned long long size() const { return num_blocks() * details::block_threads(); }
    LEDGER_INLINE unsigned long long num_threads() const { return size(); }
    LEDGER_INLINE unsigned long long thread_rank() const { return block_rank() * details::block_threads() + details::block_rank(); }
    LEDGER_INLINE unsigned long long num_blocks() const {
        const uint3 n = ledger_thread.grid_size;
        return (unsigned long long)n.x * n.y * n.z;
    }
    LEDGER_INLINE unsigned long long block_rank() const {
        const uint3 i = ledger_thread.block_index, n = ledger_thread.grid_size;
        return i.x + (unsigned long long)n.x * (i.y + (unsigned long long)n.y * i.z);
    }
    LEDGER_INLINE static dim3 block_index() { return ledger_thread.block_index; }
    LEDGER_INLINE static dim3 group_dim() { return ledger_thread.grid_size; }
    LEDGER_INLINE static dim3 dim_blocks() { return ledger_thread.grid_size; }
};
LEDGER_INLINE grid_group this_grid() { return {}; }

// The threads that came here together, or a part of a warp named by a mask.
class coalesced_group : public details::WarpOperations<coalesced_group> {
  public:
    coalesced_group() = default;
    LEDGER_INLINE explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    LEDGER_INLINE unsigned mask() const { return mask_; }
    LEDGER_INLINE unsigned lane_of(unsigned rank) const { return ledger::nth_lane(mask_, rank) % 32; }
    LEDGER_INLINE unsigned ranks(unsigned lanes) const {
        unsigned packed = 0;
        for (unsigned rank = 0, left = mask_; left; left &= left - 1, ++rank)
            packed |= (lanes >> __builtin_ctz(left) & 1) << rank;
        return packed;
    }
    LEDGER_INLINE unsigned size() const { return unsigned(__builtin_popcount(mask_)); }
    LEDGER_INLINE unsigned num_threads() const { return size(); }
    LEDGER_INLINE unsigned thread_rank() const { return ledger::rank_in_mask(mask_); }
    LEDGER_INLINE unsigned meta_group_size() const { return meta_size_; }
    LEDGER_INLINE unsigned meta_group_rank() const { return meta_rank_; }
    LEDGER_INLINE operator thread_group() const { return {mask_, 0, unsigned(size()), unsigned(thread_rank())}; }

  private:
    unsigned mask_ = 1, meta_rank_ = 0, meta_size_ = 1;
};
LEDGER_INLINE coalesced_group coalesced_threads(LEDGER_LINE) { return coalesced_group(__activemask(line)); }

// A tile of N threads, N a power of two; with more than a warp it can only be synchronised and counted.
template <unsigned N, class Parent = void>
class thread_block_tile : public details::WarpOperations<thread_block_tile<N, Parent>> {
    static_assert(N > 0 && N <= 1024 && (N & (N - 1)) == 0, "the size of a tile is a power of two up to 1024");

  public:
    thread_block_tile() = default;
    LEDGER_INLINE thread_block_tile(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}
    LEDGER_INLINE unsigned mask() const {
        static_assert(N <= 32, "LEDGER_REFUSED: collective operations of tiles of more than 32 threads");
        return N == 32 ? 0xFFFFFFFFu : ((1u << N % 32) - 1) << (ledger_lane() & ~(N - 1));
    }
    LEDGER_INLINE unsigned lane_of(unsigned rank) const { return (ledger_lane() & ~(N - 1)) + (rank & (N - 1)); }
    LEDGER_INLINE unsigned ranks(unsigned lanes) const { return (lanes & mask()) >> (ledger_lane() & ~(N - 1)); }
    LEDGER_INLINE void sync(LEDGER_LINE) const {
        if constexpr (N <= 32) ledger_warp(LEDGER_SYNCWARP, mask(), 0, 0, line);
        else ledger_barrier_part(details::block_rank() & ~(N - 1), N, line);
    }
    LEDGER_INLINE static constexpr unsigned size() { return N; }
    LEDGER_INLINE static constexpr unsigned num_threads() { return N; }
    LEDGER_INLINE static unsigned thread_rank() { return details::block_rank() & (N - 1); }
    LEDGER_INLINE unsigned meta_group_size() const { return meta_size_; }
    LEDGER_INLINE unsigned meta_group_rank() const { return meta_rank_; }
    template <unsigned M, class P> LEDGER_INLINE operator thread_block_tile<M, P>() const {
        static_assert(M == N);
        return {meta_rank_, meta_size_};
    }
    LEDGER_INLINE operator thread_group() const {
        const unsigned first = details::block_rank() & ~(N - 1);
        if constexpr (N <= 32) return {mask(), first, N, unsigned(thread_rank())};
        else return {0, first, N, unsigned(thread_rank())};
    }

  private:
    unsigned meta_rank_ = 0, meta_size_ = 1;
};

template <unsigned N, class Parent>
LEDGER_INLINE thread_block_tile<N, Parent> tiled_partition(const Parent& parent) {
    return {unsigned(parent.thread_rank()) / N, unsigned((parent.num_threads() + N - 1) / N)};
}
LEDGER_INLINE thread_group tiled_partition(const thread_group& parent, unsigned n) {
    const unsigned rank = unsigned(parent.thread_rank()), lane = ledger_lane(), count = unsigned(parent.num_threads());
    const unsigned left = count - rank / n * n;    // the last tile may be smaller
    const unsigned first = lane - rank % n, all = n >= 32 ? 0xFFFFFFFFu : (1u << n) - 1;
    return {all << first, details::block_rank() - rank % n, left < n ? left : n, rank % n};
}
LEDGER_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned n) {
    const unsigned rank = unsigned(parent.thread_rank()), count = unsigned(parent.num_threads());
    unsigned mask = 0;
    for (unsigned r = rank / n * n; r < rank / n * n + n && r < count; ++r) mask |= 1u << parent.lane_of(r);
    return coalesced_group(mask, rank / n, (count + n - 1) / n);
}
template <class Group, class Label>
LEDGER_INLINE coalesced_group labeled_partition(const Group& parent, Label label, LEDGER_LINE) {
    const unsigned mine = __match_any_sync(parent.mask(), label, line);
    unsigned groups = 0, rank = 0;    // groups are numbered by their lowest lane
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned theirs = __shfl_sync(parent.mask(), mine, int(lane), 32, line);
        if (!(parent.mask() >> lane & 1) || unsigned(__builtin_ctz(theirs)) != lane) continue;
        if (theirs == mine) rank = groups;
        ++groups;
    }
    return coalesced_group(mine, rank, groups);
}
template <class Group>
LEDGER_INLINE coalesced_group binary_partition(const Group& parent, bool predicate, LEDGER_LINE) {
    const unsigned yes = __ballot_sync(parent.mask(), predicate, line), no = parent.mask() & ~yes;
    return coalesced_group(predicate ? yes : no, predicate, 2);
}

template <class Group> LEDGER_INLINE void sync(const Group& group, LEDGER_LINE) { group.sync(line); }
template <class Group> LEDGER_INLINE auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> LEDGER_INLINE auto group_size(const Group& group) { return group.num_threads(); }

}  // namespace cooperative_groups

#include "groups_algorithms.h"
