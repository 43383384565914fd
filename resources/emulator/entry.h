// The way into a kernel without knowing its mangled name: its real parameter types unpack an array of addresses.
#pragma once

namespace ledger {

template <class T>
constexpr uint32_t kind_of() {
    if (std::is_pointer_v<T>) return 'p';
    if (std::is_floating_point_v<T>) return 'f';
    if (std::is_integral_v<T>) return std::is_signed_v<T> ? 'i' : 'u';
    return 's';
}

template <class V>
constexpr LedgerSymbol symbol(const char* name, V& variable) {
    using E = Plain<std::remove_all_extents_t<V>>;
    return {name, const_cast<std::remove_const_t<V>*>(&variable), sizeof variable, sizeof(E), kind_of<E>()};
}

template <auto F>
struct Entry;

template <class... P, void (*F)(P...)>
struct Entry<F> {
    static_assert(!(std::is_reference_v<P> || ...), "a kernel takes no references");
    static constexpr LedgerParameter parameters[sizeof...(P) + 1] = {{sizeof(P), kind_of<P>()}..., {0, 0}};
    static constexpr uint32_t count = sizeof...(P);

    template <size_t... I>
#ifdef LEDGER_CHECKED
    __attribute__((no_sanitize("thread", "undefined"))) static void call(void** a, std::index_sequence<I...>) {
        void (*volatile kernel)(P...) = F;    // Clang would inline the kernel into this unwatched function
        kernel(*static_cast<std::remove_const_t<P>*>(a[I])...);
    }
#else
    LEDGER_INLINE static void call(void** a, std::index_sequence<I...>) {
        F(*static_cast<std::remove_const_t<P>*>(a[I])...);
    }
#endif
#ifdef LEDGER_CHECKED
    __attribute__((no_sanitize("thread", "undefined")))
#endif
    static void thread(void** a) {
        (void)a;
        call(a, std::make_index_sequence<sizeof...(P)>{});
    }
#ifdef LEDGER_CHECKED
    __attribute__((no_sanitize("thread", "undefined")))
#endif
    static void block(void** a) {
        const uint3 n = ledger_thread.block_size;
        for (unsigned z = 0; z < n.z; ++z)
            for (unsigned y = 0; y < n.y; ++y)
                for (unsigned x = 0; x < n.x; ++x) {
                    ledger_thread.thread_index = {x, y, z};
                    thread(a);
                }
    }
};

}  // namespace ledger

static __thread char ledger_shared_anchor;
extern "C" inline void ledger_touch_shared() { *const_cast<volatile char*>(&ledger_shared_anchor) = 0; }

// The rest of the compiled copy: `symbols` is a list of ledger::symbol(...) ending in an empty one, `...` the kernel;
// LEDGER_MODULE_FLAGS (LedgerModuleFlag) is defined by the copy.
#define LEDGER_ENTRY(symbols_, ...)                                                                                  \
    static const LedgerModule ledger_this_module = {                                                                 \
        LEDGER_ABI, ledger::Entry<&__VA_ARGS__>::count, sizeof symbols_ / sizeof symbols_[0] - 1,                    \
        LEDGER_MODULE_FLAGS,                                                                                         \
        ledger::Entry<&__VA_ARGS__>::parameters, symbols_, ledger::Entry<&__VA_ARGS__>::thread,                      \
        ledger::Entry<&__VA_ARGS__>::block, ledger_touch_shared};                                                    \
    LEDGER_API const LedgerModule* ledger_module() { return &ledger_this_module; }
