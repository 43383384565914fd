// What a GPU does where C++ on a CPU traps, is undefined, or differs. The rewriting (plugins/emulator/rewrite.py) calls these
// in place of / % << >>, casts and conversions to integers. Sources: PTX ISA (cvt, shl, shr); x / 0 from SASS of sm_90.
#pragma once

namespace ledger {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

// x / 0 and x % 0 are all ones; for 64-bit operands whose upper halves are zero only the lower half is.
template <class R>
LEDGER_INLINE constexpr R by_zero(R x) {
    if constexpr (sizeof(R) == 8)
        return static_cast<R>(static_cast<uint64_t>(x) >> 32 ? ~uint64_t{0} : uint64_t{0xFFFFFFFF});
    else
        return static_cast<R>(~R{0});
}

template <class A, class B>
LEDGER_INLINE constexpr auto div(const A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
        using R = Plain<decltype(a / b)>;
        const R x = static_cast<R>(a), y = static_cast<R>(b);
        if (y == 0) return by_zero(x);
        if constexpr (std::is_signed_v<R>)
            if (y == R(-1)) return static_cast<R>(std::make_unsigned_t<R>(0) - static_cast<std::make_unsigned_t<R>>(x));
        return static_cast<R>(x / y);
    } else {
        return a / b;
    }
}

template <class A, class B>
LEDGER_INLINE constexpr auto mod(const A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
        using R = Plain<decltype(a % b)>;
        const R x = static_cast<R>(a), y = static_cast<R>(b);
        if (y == 0) return by_zero(x);
        if constexpr (std::is_signed_v<R>)
            if (y == R(-1)) return R(0);
        return static_cast<R>(x % y);
    } else {
        return a % b;
    }
}

template <class A, class B>
LEDGER_INLINE constexpr decltype(auto) shl(A&& a, const B& b) {
    if constexpr (std::is_integral_v<Plain<A>> && std::is_integral_v<B>) {
        using R = Plain<decltype(a << b)>;
        const unsigned n = static_cast<unsigned>(b);
        return n >= sizeof(R) * 8 ? R(0) : static_cast<R>(static_cast<std::make_unsigned_t<R>>(a) << n);
    } else {
        return std::forward<A>(a) << b;
    }
}

template <class A, class B>
LEDGER_INLINE constexpr decltype(auto) shr(A&& a, const B& b) {
    if constexpr (std::is_integral_v<Plain<A>> && std::is_integral_v<B>) {
        using R = Plain<decltype(a >> b)>;
        const unsigned n = static_cast<unsigned>(b);
        const R x = static_cast<R>(a);
        return n >= sizeof(R) * 8 ? static_cast<R>(x < 0 ? R(-1) : R(0)) : static_cast<R>(x >> n);
    } else {
        return std::forward<A>(a) >> b;
    }
}

template <class A, class B>
LEDGER_INLINE constexpr A& div_assign(A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) a = static_cast<A>(div(a, b));
    else a /= b;
    return a;
}
template <class A, class B>
LEDGER_INLINE constexpr A& mod_assign(A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) a = static_cast<A>(mod(a, b));
    else a %= b;
    return a;
}
template <class A, class B>
LEDGER_INLINE constexpr A& shl_assign(A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) a = static_cast<A>(shl(a, b));
    else a <<= b;
    return a;
}
template <class A, class B>
LEDGER_INLINE constexpr A& shr_assign(A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) a = static_cast<A>(shr(a, b));
    else a >>= b;
    return a;
}

// cvt.rzi: clamped to the range of the 32- or 64-bit register, then cut to the type (nvcc converts to 8 and 16 bits through
// 32). NaN gives 0, and the top bit alone where source or destination has 64 bits.
template <class T, class F>
LEDGER_INLINE constexpr T saturate(F x) {
    using W = std::conditional_t<(sizeof(T) <= 4), std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                 std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
    constexpr W top = std::numeric_limits<W>::max(), bottom = std::numeric_limits<W>::min();
    constexpr F limit = static_cast<F>(uint64_t{1} << (sizeof(W) * 8 - (std::is_signed_v<W> ? 2 : 1))) * F(2);
    if (x != x) return sizeof(F) == 8 || sizeof(W) == 8 ? static_cast<T>(uint64_t{1} << (sizeof(W) * 8 - 1)) : T(0);
    if (x >= limit) return static_cast<T>(top);
    if (x <= static_cast<F>(bottom)) return static_cast<T>(bottom);
    return static_cast<T>(static_cast<W>(x));
}

// The value of an object where it is a scalar, the object itself where it is not: so its index is checked, and its line is
// told, where it stands and not inside the function that takes it.
template <class T>
using Item = std::conditional_t<std::is_scalar_v<std::remove_reference_t<T>>, Plain<T>, T>;
#define LEDGER_ITEM(...) (static_cast<ledger::Item<decltype((__VA_ARGS__))>>(__VA_ARGS__))

// A pointer that was just cast and is about to be followed. g++ looks at the alignment of every such access by itself.
#if defined(LEDGER_CHECKED) && defined(__clang__)
struct Mismatch {
    const char* file;
    uint32_t line, column;
    const void* type;
    uint8_t log_alignment, kind;
};
extern "C" void __ubsan_handle_type_mismatch_v1(void* data, uintptr_t address);
template <class P>
LEDGER_INLINE P aligned(P pointer, uint32_t line) {
    if constexpr (std::is_pointer_v<P> && !std::is_void_v<std::remove_pointer_t<P>>) {
        using T = std::remove_pointer_t<P>;
        static const char no_name[8] = {};
        Mismatch data{"", line, 0, no_name, uint8_t(__builtin_ctz(alignof(T))), 0};
        if (reinterpret_cast<uintptr_t>(pointer) % alignof(T)) __ubsan_handle_type_mismatch_v1(&data, reinterpret_cast<uintptr_t>(pointer));
    }
    return pointer;
}
#define LEDGER_ALIGNED(...) (ledger::aligned(__VA_ARGS__, __LINE__))
#else
#define LEDGER_ALIGNED(...) (__VA_ARGS__)
#endif

template <class T, class X>
inline constexpr bool saturates = std::is_integral_v<T> && !std::is_same_v<T, bool> && std::is_floating_point_v<Plain<X>>;

// (T)x, T(x), static_cast<T>(x)
template <class T, class X>
LEDGER_INLINE constexpr T to(X&& x) {
    if constexpr (saturates<T, X>) return saturate<T>(static_cast<Plain<X>>(x));
    else return (T)(std::forward<X>(x));
}

// T v = x, v = x, return x: the value converted only where a floating one becomes an integer, else x itself.
template <class T, class X>
LEDGER_INLINE constexpr decltype(auto) into(X&& x) {
    if constexpr (saturates<Plain<T>, X>) return saturate<Plain<T>>(static_cast<Plain<X>>(x));
    else return std::forward<X>(x);
}

}  // namespace ledger
