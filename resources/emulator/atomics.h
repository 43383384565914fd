// Atomic functions: one memory order (relaxed) as in CUDA; `_block` and `_system` scopes are the same here.
#pragma once

#ifdef LEDGER_CHECKED
#if defined(__clang__)
#define LEDGER_UNTRACED no_sanitize("coverage")
#else
#define LEDGER_UNTRACED no_sanitize_coverage    // before GCC 12 unknown: then the basic blocks of atomics are traced too
#endif
#define LEDGER_ATOMIC inline __attribute__((noinline, no_sanitize("thread", "undefined"), LEDGER_UNTRACED))
#define LEDGER_TOUCH(p) ledger_access(p, sizeof *(p), LEDGER_ATOMIC_ACCESS, __builtin_return_address(0))
#else
#define LEDGER_ATOMIC LEDGER_INLINE
#define LEDGER_TOUCH(p) ((void)0)
#endif
constexpr int LEDGER_ATOMIC_ACCESS = 2;

namespace ledger {

// For values of 2, 4 and 8 bytes; atomics of more are made of these.
template <class T>
using Word = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;

// x = change(x) by compare and swap on the bits; returns the old value.
template <class T, class Change>
LEDGER_INLINE T replace(T* p, Change change) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "LEDGER_REFUSED: atomic functions of other sizes than 2, 4 and 8 bytes");
    using W = Word<T>;
    W* at = reinterpret_cast<W*>(p);
    W seen = __atomic_load_n(at, __ATOMIC_RELAXED);
    for (;;) {
        T old, next;
        __builtin_memcpy(&old, &seen, sizeof old);
        next = change(old);
        W wanted;
        __builtin_memcpy(&wanted, &next, sizeof wanted);
        if (__atomic_compare_exchange_n(at, &seen, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
    }
}

template <class T>
struct Same { using type = T; };
template <class T>
using Given = typename Same<T>::type;    // the second argument converts to the first one's type, as in CUDA's overloads

}  // namespace ledger

#define LEDGER_ATOMICS(scope)                                                                                        \
    template <class T> LEDGER_ATOMIC T atomicAdd##scope(T* p, ledger::Given<T> x) {                                   \
        LEDGER_TOUCH(p);                                                                                              \
        if constexpr (std::is_integral_v<T>) return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);                       \
        else return ledger::replace(p, [x](T v) { return static_cast<T>(v + x); });                                   \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicSub##scope(T* p, ledger::Given<T> x) {                                   \
        LEDGER_TOUCH(p);                                                                                              \
        return __atomic_fetch_sub(p, x, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicExch##scope(T* p, ledger::Given<T> x) {                                  \
        LEDGER_TOUCH(p);                                                                                              \
        return ledger::replace(p, [x](T) { return x; });                                                              \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicMin##scope(T* p, ledger::Given<T> x) {                                   \
        LEDGER_TOUCH(p);                                                                                              \
        return ledger::replace(p, [x](T v) { return x < v ? x : v; });                                                \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicMax##scope(T* p, ledger::Given<T> x) {                                   \
        LEDGER_TOUCH(p);                                                                                              \
        return ledger::replace(p, [x](T v) { return v < x ? x : v; });                                                \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicAnd##scope(T* p, ledger::Given<T> x) {                                   \
        LEDGER_TOUCH(p);                                                                                              \
        return __atomic_fetch_and(p, x, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicOr##scope(T* p, ledger::Given<T> x) {                                    \
        LEDGER_TOUCH(p);                                                                                              \
        return __atomic_fetch_or(p, x, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicXor##scope(T* p, ledger::Given<T> x) {                                   \
        LEDGER_TOUCH(p);                                                                                              \
        return __atomic_fetch_xor(p, x, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    template <class T> LEDGER_ATOMIC T atomicCAS##scope(T* p, ledger::Given<T> compare, ledger::Given<T> x) {         \
        LEDGER_TOUCH(p);                                                                                              \
        return ledger::replace(p, [compare, x](T v) { return v == compare ? x : v; });                                \
    }                                                                                                                 \
    LEDGER_ATOMIC unsigned atomicInc##scope(unsigned* p, unsigned x) {                                                \
        LEDGER_TOUCH(p);                                                                                              \
        return ledger::replace(p, [x](unsigned v) { return v >= x ? 0 : v + 1; });                                    \
    }                                                                                                                 \
    LEDGER_ATOMIC unsigned atomicDec##scope(unsigned* p, unsigned x) {                                                \
        LEDGER_TOUCH(p);                                                                                              \
        return ledger::replace(p, [x](unsigned v) { return v == 0 || v > x ? x : v - 1; });                           \
    }
LEDGER_ATOMICS()
LEDGER_ATOMICS(_block)
LEDGER_ATOMICS(_system)
#undef LEDGER_ATOMICS

// sm_90's additions of whole vectors: each element is added atomically by itself.
#define LEDGER_VECTOR_ADD(name, V)                                             \
    LEDGER_INLINE V name(V* p, V x) {                                           \
        V old;                                                                  \
        for (unsigned i = 0; i < sizeof(V) / sizeof(float); ++i)                \
            (&old.x)[i] = name(&p->x + i, (&x.x)[i]);                           \
        return old;                                                             \
    }
LEDGER_VECTOR_ADD(atomicAdd, float2) LEDGER_VECTOR_ADD(atomicAdd, float4)
LEDGER_VECTOR_ADD(atomicAdd_block, float2) LEDGER_VECTOR_ADD(atomicAdd_block, float4)
LEDGER_VECTOR_ADD(atomicAdd_system, float2) LEDGER_VECTOR_ADD(atomicAdd_system, float4)
#undef LEDGER_VECTOR_ADD
