// cub::BlockLoad, BlockStore, BlockExchange, BlockShuffle, BlockDiscontinuity and BlockAdjacentDifference.
#pragma once

namespace cub {

// The functions without storage: `at(i)` is where a thread's item i stands, items from `valid` on are left or get `other`.
namespace details {

template <class T, int N, class From, class At>
LEDGER_INLINE void take(From from, T (&items)[N], int valid, At at) {
    for (int i = 0; i < N; ++i)
        if (at(i) < valid) items[i] = from[at(i)];
}
template <class T, int N, class To, class At>
LEDGER_INLINE void give(To to, T (&items)[N], int valid, At at) {
    for (int i = 0; i < N; ++i)
        if (at(i) < valid) to[at(i)] = items[i];
}

}  // namespace details

#define LEDGER_DIRECT(name, head, place)                                                                             \
    template <head class T, int N, class From> LEDGER_INLINE void LoadDirect##name(                                   \
        int self, From from, T (&items)[N], int valid = INT_MAX) {                                                    \
        details::take(from, items, valid, [=](int i) { return place; });                                              \
    }                                                                                                                 \
    template <head class T, int N, class Default, class From> LEDGER_INLINE void LoadDirect##name(                    \
        int self, From from, T (&items)[N], int valid, Default other) {                                               \
        for (int i = 0; i < N; ++i) items[i] = other;                                                                 \
        details::take(from, items, valid, [=](int i) { return place; });                                              \
    }                                                                                                                 \
    template <head class T, int N, class To> LEDGER_INLINE void StoreDirect##name(                                    \
        int self, To to, T (&items)[N], int valid = INT_MAX) {                                                        \
        details::give(to, items, valid, [=](int i) { return place; });                                                \
    }
#define LEDGER_COMMA ,
LEDGER_DIRECT(Blocked, , self * N + i)
LEDGER_DIRECT(Striped, int Threads LEDGER_COMMA, i * Threads + self)
#undef LEDGER_COMMA
#undef LEDGER_DIRECT

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Legacy = 0>
class BlockLoad {
    static constexpr int threads = X * Y * Z;
    static constexpr bool transposes = Algorithm >= BLOCK_LOAD_TRANSPOSE, striped = Algorithm == BLOCK_LOAD_STRIPED;

  public:
    struct TempStorage { details::Room<T, transposes ? threads * N : 1> items; };
    LEDGER_STORAGE(BlockLoad)
    template <class From> LEDGER_INLINE void Load(From from, T (&items)[N], LEDGER_AT) { load(from, items, threads * N, line); }
    template <class From> LEDGER_INLINE void Load(From from, T (&items)[N], int valid, LEDGER_AT) { load(from, items, valid, line); }
    template <class From, class Default> LEDGER_INLINE void Load(From from, T (&items)[N], int valid, Default other, LEDGER_AT) {
        for (int i = 0; i < N; ++i) items[i] = other;
        load(from, items, valid, line, true);
    }

  private:
    template <class From> LEDGER_INLINE void load(From from, T (&items)[N], int valid, int line, bool filled = false) {
        const int self = details::thread();
        if constexpr (transposes) {
            T* room = temp_.items.at();
            for (int i = 0; i < N; ++i)
                if (i * threads + self < valid) room[i * threads + self] = from[i * threads + self];
                else if (filled) room[i * threads + self] = items[0];
            __syncthreads(line);
            for (int i = 0; i < N; ++i)
                if (filled || self * N + i < valid) items[i] = room[self * N + i];
        } else {
            for (int i = 0; i < N; ++i) {
                const int at = striped ? i * threads + self : self * N + i;
                if (at < valid) items[i] = from[at];
            }
        }
    }
    TempStorage& temp_;
};

template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Legacy = 0>
class BlockStore {
    static constexpr int threads = X * Y * Z;
    static constexpr bool transposes = Algorithm >= BLOCK_STORE_TRANSPOSE, striped = Algorithm == BLOCK_STORE_STRIPED;

  public:
    struct TempStorage { details::Room<T, transposes ? threads * N : 1> items; };
    LEDGER_STORAGE(BlockStore)
    template <class To> LEDGER_INLINE void Store(To to, T (&items)[N], LEDGER_AT) { Store(to, items, threads * N, line); }
    template <class To> LEDGER_INLINE void Store(To to, T (&items)[N], int valid, LEDGER_AT) {
        const int self = details::thread();
        if constexpr (transposes) {
            T* room = temp_.items.at();
            for (int i = 0; i < N; ++i) room[self * N + i] = items[i];
            __syncthreads(line);
            for (int i = 0; i < N; ++i)
                if (i * threads + self < valid) to[i * threads + self] = room[i * threads + self];
        } else {
            for (int i = 0; i < N; ++i) {
                const int at = striped ? i * threads + self : self * N + i;
                if (at < valid) to[at] = items[i];
            }
        }
    }

  private:
    TempStorage& temp_;
};

template <class T, int X, int N, bool Timesliced = false, int Y = 1, int Z = 1, int Legacy = 0>
class BlockExchange {
    static constexpr int threads = X * Y * Z;

  public:
    struct TempStorage { details::Room<T, threads * N> items; };
    LEDGER_STORAGE(BlockExchange)
    template <class Out> LEDGER_INLINE void StripedToBlocked(const T (&in)[N], Out (&out)[N], LEDGER_AT) {
        move(in, out, [](int self, int i) { return i * threads + self; }, [](int self, int i) { return self * N + i; }, line);
    }
    template <class Out> LEDGER_INLINE void BlockedToStriped(const T (&in)[N], Out (&out)[N], LEDGER_AT) {
        move(in, out, [](int self, int i) { return self * N + i; }, [](int self, int i) { return i * threads + self; }, line);
    }
    template <class Out, class Rank> LEDGER_INLINE void ScatterToBlocked(const T (&in)[N], Out (&out)[N], Rank (&ranks)[N], LEDGER_AT) {
        move(in, out, [&](int, int i) { return int(ranks[i]); }, [](int self, int i) { return self * N + i; }, line);
    }
    template <class Out, class Rank> LEDGER_INLINE void ScatterToStriped(const T (&in)[N], Out (&out)[N], Rank (&ranks)[N], LEDGER_AT) {
        move(in, out, [&](int, int i) { return int(ranks[i]); }, [](int self, int i) { return i * threads + self; }, line);
    }
    LEDGER_INLINE void StripedToBlocked(T (&items)[N], LEDGER_AT) { StripedToBlocked(items, items, line); }
    LEDGER_INLINE void BlockedToStriped(T (&items)[N], LEDGER_AT) { BlockedToStriped(items, items, line); }
    template <class Rank> LEDGER_INLINE void ScatterToBlocked(T (&items)[N], Rank (&ranks)[N], LEDGER_AT) {
        ScatterToBlocked(items, items, ranks, line);
    }
    template <class Rank> LEDGER_INLINE void ScatterToStriped(T (&items)[N], Rank (&ranks)[N], LEDGER_AT) {
        ScatterToStriped(items, items, ranks, line);
    }

  private:
    template <class Out, class Put, class Get> LEDGER_INLINE void move(const T (&in)[N], Out (&out)[N], Put put, Get get, int line) {
        const int self = details::thread();
        T* room = temp_.items.at();
        for (int i = 0; i < N; ++i) room[put(self, i)] = in[i];
        __syncthreads(line);
        for (int i = 0; i < N; ++i) out[i] = room[get(self, i)];
    }
    TempStorage& temp_;
};

// One item a thread moves along the block's threads.
template <class T, int X, int Y = 1, int Z = 1, int Legacy = 0>
class BlockShuffle {
    static constexpr int threads = X * Y * Z;

  public:
    struct TempStorage { details::Room<T, threads> items; };
    LEDGER_STORAGE(BlockShuffle)
    LEDGER_INLINE void Offset(T x, T& out, int distance = 1, LEDGER_AT) {
        const int from = details::thread() + distance;
        put(x, line);
        if (from >= 0 && from < threads) out = temp_.items.at()[from];
    }
    LEDGER_INLINE void Rotate(T x, T& out, unsigned distance = 1, LEDGER_AT) {
        put(x, line);
        out = temp_.items.at()[(unsigned(details::thread()) + distance) % threads];
    }
    template <int N> LEDGER_INLINE void Up(T (&in)[N], T (&out)[N], LEDGER_AT) {
        put(in[N - 1], line);
        for (int i = N - 1; i > 0; --i) out[i] = in[i - 1];
        if (details::thread() > 0) out[0] = temp_.items.at()[details::thread() - 1];
    }
    template <int N> LEDGER_INLINE void Down(T (&in)[N], T (&out)[N], LEDGER_AT) {
        put(in[0], line);
        for (int i = 0; i < N - 1; ++i) out[i] = in[i + 1];
        if (details::thread() < threads - 1) out[N - 1] = temp_.items.at()[details::thread() + 1];
    }

  private:
    LEDGER_INLINE void put(T x, int line) {
        temp_.items.at()[details::thread()] = x;
        __syncthreads(line);
    }
    TempStorage& temp_;
};

// Flags where an item differs from its neighbour.
template <class T, int X, int Y = 1, int Z = 1, int Legacy = 0>
class BlockDiscontinuity {
    static constexpr int threads = X * Y * Z;

  public:
    struct TempStorage { details::Room<T, threads> items; };
    LEDGER_STORAGE(BlockDiscontinuity)
    template <int N, class Flag, class Differs> LEDGER_INLINE void FlagHeads(Flag (&heads)[N], T (&x)[N], Differs differs, LEDGER_AT) {
        const int self = details::thread();
        put(x[N - 1], line);
        heads[0] = self == 0 ? Flag(1) : Flag(differs(temp_.items.at()[self - 1], x[0]));
        for (int i = 1; i < N; ++i) heads[i] = Flag(differs(x[i - 1], x[i]));
    }
    template <int N, class Flag, class Differs>
    LEDGER_INLINE void FlagHeads(Flag (&heads)[N], T (&x)[N], Differs differs, T before, LEDGER_AT) {
        FlagHeads(heads, x, differs, line);
        if (details::thread() == 0) heads[0] = Flag(differs(before, x[0]));
    }
    template <int N, class Flag, class Differs> LEDGER_INLINE void FlagTails(Flag (&tails)[N], T (&x)[N], Differs differs, LEDGER_AT) {
        const int self = details::thread();
        put(x[0], line);
        for (int i = 0; i < N - 1; ++i) tails[i] = Flag(differs(x[i], x[i + 1]));
        tails[N - 1] = self == threads - 1 ? Flag(1) : Flag(differs(x[N - 1], temp_.items.at()[self + 1]));
    }

  private:
    LEDGER_INLINE void put(T x, int line) {
        temp_.items.at()[details::thread()] = x;
        __syncthreads(line);
    }
    TempStorage& temp_;
};

}  // namespace cub
