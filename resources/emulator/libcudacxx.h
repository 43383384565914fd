// What kernels use of libcu++: cuda::std as C++'s own, atomics of any scope, minimum and maximum, ceil_div; and what is common of
// Thrust in device code. Orders and scopes are all the strongest here.
#pragma once
#include "standard_begin.h"
#include <functional>
#include "standard_end.h"

namespace ledger {

// A read that sees what other OS threads wrote; a loop around it gives the block's other threads a turn.
template <class T>
LEDGER_ATOMIC T atomic_load(const T* p) {
    LEDGER_TOUCH(p);
    Word<T> bits = __atomic_load_n(reinterpret_cast<const Word<T>*>(p), __ATOMIC_SEQ_CST);
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

// Tells the sanitizer that an operation publishes what came before: release and stronger, also where no order is given.
LEDGER_INLINE void publish() { __threadfence(); }
template <class Order, class... More>
LEDGER_INLINE void publish(Order order, More...) {
    if (std::is_same_v<Order, int> || int(order) >= 3) __threadfence();    // release is 3 in cuda:: and std:: alike
}

}  // namespace ledger

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order_values { relaxed, consume, acquire, release, acq_rel, seq_cst };
typedef memory_order_values memory_order;
constexpr memory_order memory_order_relaxed = relaxed, memory_order_consume = consume, memory_order_acquire = acquire,
                       memory_order_release = release, memory_order_acq_rel = acq_rel, memory_order_seq_cst = seq_cst;

// A value that is only touched through the shim's atomic functions; an order of the library's or of C++'s own is taken.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref {
  public:
    LEDGER_INLINE explicit atomic_ref(T& value) : at_(&value) {}
    template <class Order = int> LEDGER_INLINE T load(Order = {}) const {
        ledger_spin();
        return ledger::atomic_load(at_);
    }
    template <class Order = int> LEDGER_INLINE void store(T x, Order o = {}) const { ledger::publish(o); ::atomicExch(at_, x); }
    template <class Order = int> LEDGER_INLINE T exchange(T x, Order o = {}) const { ledger::publish(o); return ::atomicExch(at_, x); }
    template <class Order = int> LEDGER_INLINE T fetch_add(T x, Order o = {}) const { ledger::publish(o); return ::atomicAdd(at_, x); }
    template <class Order = int> LEDGER_INLINE T fetch_sub(T x, Order o = {}) const { ledger::publish(o); return ::atomicAdd(at_, T(-x)); }
    template <class Order = int> LEDGER_INLINE T fetch_and(T x, Order o = {}) const { ledger::publish(o); return ::atomicAnd(at_, x); }
    template <class Order = int> LEDGER_INLINE T fetch_or(T x, Order o = {}) const { ledger::publish(o); return ::atomicOr(at_, x); }
    template <class Order = int> LEDGER_INLINE T fetch_xor(T x, Order o = {}) const { ledger::publish(o); return ::atomicXor(at_, x); }
    template <class Order = int> LEDGER_INLINE T fetch_min(T x, Order o = {}) const { ledger::publish(o); return ::atomicMin(at_, x); }
    template <class Order = int> LEDGER_INLINE T fetch_max(T x, Order o = {}) const { ledger::publish(o); return ::atomicMax(at_, x); }
    template <class... Order> LEDGER_INLINE bool compare_exchange_strong(T& expected, T wanted, Order... o) const {
        ledger::publish(o...);
        const T old = ::atomicCAS(at_, expected, wanted);
        const bool done = __builtin_memcmp(&old, &expected, sizeof(T)) == 0;
        expected = old;
        if (!done) ledger_spin();
        return done;
    }
    template <class... Order> LEDGER_INLINE bool compare_exchange_weak(T& expected, T wanted, Order... o) const {
        return compare_exchange_strong(expected, wanted, o...);
    }
    template <class Order = int> LEDGER_INLINE void wait(T old, Order = {}) const {
        while (load() == old) ledger_spin();
    }
    LEDGER_INLINE void notify_one() const {}
    LEDGER_INLINE void notify_all() const {}
    LEDGER_INLINE operator T() const { return load(); }
    LEDGER_INLINE T operator=(T x) const { store(x); return x; }
    LEDGER_INLINE T operator++() const { return fetch_add(T(1)) + T(1); }
    LEDGER_INLINE T operator++(int) const { return fetch_add(T(1)); }
    LEDGER_INLINE T operator--() const { return fetch_sub(T(1)) - T(1); }
    LEDGER_INLINE T operator--(int) const { return fetch_sub(T(1)); }
    LEDGER_INLINE T operator+=(T x) const { return fetch_add(x) + x; }
    LEDGER_INLINE T operator-=(T x) const { return fetch_sub(x) - x; }

  protected:
    T* at_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic {
  public:
    atomic() = default;
    LEDGER_INLINE constexpr atomic(T x) : value_(x) {}
    atomic(const atomic&) = delete;
    LEDGER_INLINE atomic_ref<T, Scope> ref() { return atomic_ref<T, Scope>(value_); }
    template <class Order = int> LEDGER_INLINE T load(Order o = {}) { return ref().load(o); }
    template <class Order = int> LEDGER_INLINE void store(T x, Order o = {}) { ref().store(x, o); }
    template <class Order = int> LEDGER_INLINE T exchange(T x, Order o = {}) { return ref().exchange(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_add(T x, Order o = {}) { return ref().fetch_add(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_sub(T x, Order o = {}) { return ref().fetch_sub(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_and(T x, Order o = {}) { return ref().fetch_and(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_or(T x, Order o = {}) { return ref().fetch_or(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_xor(T x, Order o = {}) { return ref().fetch_xor(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_min(T x, Order o = {}) { return ref().fetch_min(x, o); }
    template <class Order = int> LEDGER_INLINE T fetch_max(T x, Order o = {}) { return ref().fetch_max(x, o); }
    template <class... Order> LEDGER_INLINE bool compare_exchange_strong(T& expected, T wanted, Order... o) {
        return ref().compare_exchange_strong(expected, wanted, o...);
    }
    template <class... Order> LEDGER_INLINE bool compare_exchange_weak(T& expected, T wanted, Order... o) {
        return ref().compare_exchange_strong(expected, wanted, o...);
    }
    LEDGER_INLINE operator T() { return load(); }
    LEDGER_INLINE T operator=(T x) { store(x); return x; }
    LEDGER_INLINE T operator++() { return ++ref(); }
    LEDGER_INLINE T operator++(int) { return ref()++; }
    LEDGER_INLINE T operator--() { return --ref(); }
    LEDGER_INLINE T operator--(int) { return ref()--; }
    LEDGER_INLINE T operator+=(T x) { return ref() += x; }
    LEDGER_INLINE T operator-=(T x) { return ref() -= x; }

  private:
    T value_;
};

template <class Order> LEDGER_INLINE void atomic_thread_fence(Order, thread_scope = thread_scope_system) { ::__threadfence(); }

namespace std {
using namespace ::std;
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
}  // namespace std

// A barrier in shared memory: arriving counts down, waiting yields until the phase has changed.
template <thread_scope Scope = thread_scope_system, class Completion = void>
class barrier {
  public:
    typedef unsigned arrival_token;
    barrier() = default;
    LEDGER_INLINE barrier(ptrdiff_t expected) { open(expected); }
    friend LEDGER_INLINE void init(barrier* one, ptrdiff_t expected) { one->open(expected); }
    LEDGER_INLINE arrival_token arrive(ptrdiff_t count = 1) {
        const unsigned now = ledger::atomic_load(&phase_);
        ::__threadfence();
        if (::atomicAdd(&pending_, -int(count)) == int(count)) {
            ::atomicExch(&pending_, expected_);
            ::__threadfence();
            ::atomicAdd(&phase_, 1u);
        }
        return now;
    }
    LEDGER_INLINE void wait(arrival_token&& token) const {
        while (ledger::atomic_load(&phase_) == token) ledger_spin();
        ::__threadfence();
    }
    LEDGER_INLINE void arrive_and_wait() { wait(arrive()); }
    LEDGER_INLINE void arrive_and_drop() {
        ::atomicAdd(&expected_, -1);
        arrive();
    }

  private:
    LEDGER_INLINE void open(ptrdiff_t expected) {
        expected_ = pending_ = int(expected);
        phase_ = 0;
    }
    int expected_, pending_;
    unsigned phase_;
};

template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    LEDGER_INLINE explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    LEDGER_INLINE constexpr operator size_t() const { return value; }
};

// Copies by one thread: done at once, whatever would be waited for.
template <class Size, class Waited>
LEDGER_INLINE void memcpy_async(void* to, const void* from, const Size& bytes, Waited&) { memcpy(to, from, size_t(bytes)); }
template <class Group, class Size, class Waited>
LEDGER_INLINE auto memcpy_async(const Group& group, void* to, const void* from, const Size& bytes, Waited&) -> decltype(void(group.thread_rank())) {
    const size_t count = size_t(bytes), threads = group.num_threads();
    for (size_t i = group.thread_rank(); i < count; i += threads)
        static_cast<unsigned char*>(to)[i] = static_cast<const unsigned char*>(from)[i];
}

template <thread_scope Scope, unsigned char Stages = 2>
struct pipeline_shared_state { unsigned char unused; };

// A pipeline whose copies are done when they are asked for: waiting is the barrier of its group.
template <thread_scope Scope>
class pipeline {
  public:
    LEDGER_INLINE explicit pipeline(bool whole_block = false) : whole_block_(whole_block) {}
    LEDGER_INLINE void producer_acquire() {}
    LEDGER_INLINE void producer_commit() {}
    LEDGER_INLINE void consumer_wait(LEDGER_LINE) { if (whole_block_) ::__syncthreads(line); }
    LEDGER_INLINE void consumer_release(LEDGER_LINE) { if (whole_block_) ::__syncthreads(line); }
    LEDGER_INLINE void quit() {}

  private:
    bool whole_block_;
};
LEDGER_INLINE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <class Group, thread_scope Scope, unsigned char Stages>
LEDGER_INLINE pipeline<Scope> make_pipeline(const Group&, pipeline_shared_state<Scope, Stages>*) { return pipeline<Scope>(true); }
template <unsigned char Prior, thread_scope Scope>
LEDGER_INLINE void pipeline_consumer_wait_prior(pipeline<Scope>& one, LEDGER_LINE) { one.consumer_wait(line); }

template <class T = void> struct minimum {
    LEDGER_INLINE T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T = void> struct maximum {
    LEDGER_INLINE T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <> struct minimum<void> {
    template <class A, class B> LEDGER_INLINE auto operator()(const A& a, const B& b) const { return b < a ? b : a; }
};
template <> struct maximum<void> {
    template <class A, class B> LEDGER_INLINE auto operator()(const A& a, const B& b) const { return a < b ? b : a; }
};
template <class A, class B> LEDGER_INLINE constexpr A ceil_div(A a, B b) { return A(a / b + (a % b != 0)); }
template <class A, class B> LEDGER_INLINE constexpr A round_up(A a, B b) { return A(ceil_div(a, b) * b); }
template <class A, class B> LEDGER_INLINE constexpr A round_down(A a, B b) { return A(a / b * b); }

}  // namespace cuda

namespace thrust {
using cuda::maximum;
using cuda::minimum;
using ::std::bit_and;
using ::std::bit_or;
using ::std::bit_xor;
using ::std::divides;
using ::std::equal_to;
using ::std::greater;
using ::std::less;
using ::std::minus;
using ::std::multiplies;
using ::std::pair;
using ::std::plus;
using ::std::swap;
template <class T> LEDGER_INLINE constexpr T min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> LEDGER_INLINE constexpr T max(const T& a, const T& b) { return a < b ? b : a; }
}  // namespace thrust
