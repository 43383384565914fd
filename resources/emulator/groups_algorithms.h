// cooperative_groups/reduce.h, scan.h and memcpy_async.h. Sums of floats are formed in the order of a butterfly.
#pragma once

namespace cooperative_groups {

#define LEDGER_OPERATOR(name, expression)                                              \
    template <class T = void> struct name {                                            \
        LEDGER_INLINE T operator()(T a, T b) const { return expression; }              \
    };                                                                                 \
    template <> struct name<void> {                                                    \
        template <class T> LEDGER_INLINE T operator()(T a, T b) const { return expression; } \
    };
LEDGER_OPERATOR(plus, T(a + b)) LEDGER_OPERATOR(less, b < a ? b : a) LEDGER_OPERATOR(greater, a < b ? b : a)
LEDGER_OPERATOR(bit_and, T(a & b)) LEDGER_OPERATOR(bit_or, T(a | b)) LEDGER_OPERATOR(bit_xor, T(a ^ b))
#undef LEDGER_OPERATOR

template <class Group, class T, class Operator>
LEDGER_INLINE T reduce(const Group& group, T x, Operator&& op, LEDGER_LINE) {
    const unsigned count = unsigned(group.num_threads()), rank = unsigned(group.thread_rank());
    unsigned step = 1;
    while (step * 2 <= count) step *= 2;
    if (step < count) {    // the ranks beyond the largest power of two are folded into the lowest ones first
        const T other = group.shfl_down(x, step, line);
        if (rank + step < count) x = op(x, other);
    }
    T sum = x;
    for (unsigned offset = step / 2; offset; offset /= 2) {
        const T other = group.shfl_xor(sum, offset, line);
        if (rank < step) sum = op(sum, other);
    }
    return step < count ? group.shfl(sum, 0, line) : sum;
}

template <class Group, class T, class Operator>
LEDGER_INLINE T inclusive_scan(const Group& group, T x, Operator&& op, LEDGER_LINE) {
    const unsigned count = unsigned(group.num_threads()), rank = unsigned(group.thread_rank());
    for (unsigned offset = 1; offset < count; offset *= 2) {
        const T other = group.shfl_up(x, offset, line);
        if (rank >= offset) x = op(other, x);
    }
    return x;
}
template <class Group, class T>
LEDGER_INLINE T inclusive_scan(const Group& group, T x, LEDGER_LINE) { return inclusive_scan(group, x, plus<T>(), line); }

// Thread 0 gets T(): what CUDA returns there without an initial value when the operator is plus.
template <class Group, class T, class Operator>
LEDGER_INLINE T exclusive_scan(const Group& group, T x, Operator&& op, LEDGER_LINE) {
    const T before = group.shfl_up(inclusive_scan(group, x, op, line), 1, line);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
LEDGER_INLINE T exclusive_scan(const Group& group, T x, LEDGER_LINE) { return exclusive_scan(group, x, plus<T>(), line); }

template <class Group, class T, class U>
LEDGER_INLINE void reduce_update_async(const Group& group, T& target, U x, plus<U> op, LEDGER_LINE) {
    const U sum = reduce(group, x, op, line);
    if (group.thread_rank() == 0) target.fetch_add(sum);
}

template <class Group, class F>
LEDGER_INLINE auto invoke_one(const Group& group, F&& f) {
    if (group.thread_rank() == 0) f();
}
template <class Group, class F>
LEDGER_INLINE auto invoke_one_broadcast(const Group& group, F&& f, LEDGER_LINE) {
    decltype(f()) result{};
    if (group.thread_rank() == 0) result = f();
    return group.shfl(result, 0, line);
}

// Asynchronous copies are done at once by the threads of the group, 16, 4 or 1 bytes each in turn; waiting is a barrier.
namespace details {
template <class Word>
LEDGER_INLINE void copy_words(void* to, const void* from, size_t count, size_t rank, size_t threads) {
    for (size_t i = rank; i < count; i += threads) static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}
template <class Group>
LEDGER_INLINE void copy(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t rank = group.thread_rank(), threads = group.num_threads();
    const uintptr_t bits = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
    if (bits % 16 == 0) copy_words<uint4>(to, from, bytes / 16, rank, threads);
    else if (bits % 4 == 0) copy_words<unsigned>(to, from, bytes / 4, rank, threads);
    else copy_words<unsigned char>(to, from, bytes, rank, threads);
}
}  // namespace details

template <class Group, class To, class From, class Shape>
LEDGER_INLINE void memcpy_async(const Group& group, To* to, const From* from, const Shape& bytes) {
    details::copy(group, to, from, size_t(bytes));
}
template <class Group, class To, class From, class ToShape, class FromShape>
LEDGER_INLINE void memcpy_async(const Group& group, To* to, const ToShape& room, const From* from, const FromShape& count) {
    const size_t elements = size_t(room) < size_t(count) ? size_t(room) : size_t(count);
    details::copy(group, to, from, elements * sizeof(From));
}
template <class Group> LEDGER_INLINE void wait(const Group& group, LEDGER_LINE) { group.sync(line); }
template <unsigned N, class Group> LEDGER_INLINE void wait_prior(const Group& group, LEDGER_LINE) { group.sync(line); }

}  // namespace cooperative_groups
