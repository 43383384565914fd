// mma.h: nvcuda::wmma. A lane holds as many elements as on a GPU, in a place of this file's own choice (CUDA promises none).
// Products are exact in the accumulator's arithmetic: half, bfloat16 and tf32 are multiplied and added up in float, in rising k,
// and a half accumulator is rounded once at the end.
#pragma once
#include "cuda_emulator.h"
#include "half.h"
#include "bfloat16.h"

#ifdef LEDGER_CHECKED
#define LEDGER_TILE inline __attribute__((noinline, no_sanitize("thread", "undefined")))
#define LEDGER_TILE_TOUCH(p, kind) ledger_access(p, sizeof *(p), kind, __builtin_return_address(0))
#else
#define LEDGER_TILE inline
#define LEDGER_TILE_TOUCH(p, kind) ((void)0)
#endif

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32; }

}  // namespace wmma
}  // namespace nvcuda

namespace ledger {
namespace tile {

using namespace nvcuda::wmma;

template <class T> struct Element { using type = T; using sum = float; };
template <> struct Element<precision::tf32> { using type = float; using sum = float; };
template <> struct Element<double> { using type = double; using sum = double; };
template <> struct Element<signed char> { using type = signed char; using sum = int; };
template <> struct Element<unsigned char> { using type = unsigned char; using sum = int; };

// Which shapes there are for an element type (CUDA C++ Programming Guide, element types and matrix sizes).
template <class T, int m, int n, int k>
constexpr bool is_shape = std::is_same_v<T, precision::tf32> ? m == 16 && n == 16 && k == 8
                          : std::is_same_v<T, double> ? m == 8 && n == 8 && k == 4
                          : k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
// Elements of a lane: every element of the tile once in the warp, but twice for half in matrix_a and _b and for what is
// smaller than a warp's share of registers (crt/mma.h).
template <class Use, class T, int m, int n, int k>
constexpr int count = std::is_same_v<Use, accumulator> ? m * n / 32
                      : std::is_same_v<T, __half> ? 16
                      : (std::is_same_v<Use, matrix_a> ? m : n) * k / 32;

// What a warp shares while it multiplies; like a register it is seen by no check.
struct Shared {
    alignas(16) unsigned char a[32 * 16 * 4], b[32 * 16 * 4];
};
static __thread Shared ledger_wmma_shared[32];

LEDGER_TILE Shared& mine() {
    const uint3 i = ledger_thread.thread_index, n = ledger_thread.block_size;
    return ledger_wmma_shared[(i.x + n.x * (i.y + n.y * i.z)) / 32];
}

template <class Use, int m, int n, int k, class T, class Layout>
struct Shape {
    static constexpr int rows = std::is_same_v<Use, matrix_b> ? k : m, columns = std::is_same_v<Use, matrix_a> ? k : n;
    static constexpr int elements = count<Use, T, m, n, k>;
    // The place of a lane's element in the tile, by rows.
    LEDGER_INLINE static int place(int element) { return (int(ledger_lane()) * elements + element) % (rows * columns); }
};

}  // namespace tile
}  // namespace ledger

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  public:
    using Shape = ledger::tile::Shape<Use, m, n, k, T, Layout>;
    using element_type = typename ledger::tile::Element<T>::type;
    using storage_element_type = element_type;
    static_assert(std::is_same_v<Use, accumulator> || ledger::tile::is_shape<T, m, n, k>, "wmma has no such shape for this type");
    static constexpr int num_elements = Shape::elements, num_storage_elements = num_elements;
    element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class V>
LEDGER_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
    for (int e = 0; e < f.num_elements; ++e) f.x[e] = static_cast<typename fragment<Use, m, n, k, T, Layout>::element_type>(value);
}

}  // namespace wmma
}  // namespace nvcuda

namespace ledger {
namespace tile {

template <class F, class P>
LEDGER_TILE void load(F& f, P* from, unsigned stride, bool by_rows) {
    using S = typename F::Shape;
    for (int e = 0; e < S::elements; ++e) {
        const int row = S::place(e) / S::columns, column = S::place(e) % S::columns;
        P* at = from + (by_rows ? size_t(row) * stride + column : size_t(column) * stride + row);
        LEDGER_TILE_TOUCH(at, LEDGER_READ);
        f.x[e] = *at;
    }
}

template <class F, class P>
LEDGER_TILE void store(P* to, const F& f, unsigned stride, bool by_rows) {
    using S = typename F::Shape;
    for (int e = 0; e < S::elements; ++e) {
        const int row = S::place(e) / S::columns, column = S::place(e) % S::columns;
        P* at = to + (by_rows ? size_t(row) * stride + column : size_t(column) * stride + row);
        LEDGER_TILE_TOUCH(at, LEDGER_WRITE);
        *at = f.x[e];
    }
}

template <class F>
LEDGER_TILE void share(unsigned char* to, const F& f) {
    using S = typename F::Shape;
    auto* tile = reinterpret_cast<typename F::element_type*>(to);
    for (int e = 0; e < S::elements; ++e) tile[S::place(e)] = f.x[e];
}

// One element of c + a b; int saturates where asked.
template <int k, class Sum, class A, class B>
LEDGER_INLINE Sum product(const A* a, const B* b, int columns, Sum sum, bool saturate) {
    if constexpr (std::is_same_v<Sum, int>) {
        long long exact = sum;
        for (int i = 0; i < k; ++i) exact += int(a[i]) * int(b[i * columns]);
        return saturate ? ledger::saturate<int>(double(exact)) : int(exact);
    } else {
        for (int i = 0; i < k; ++i) sum += Sum(a[i]) * Sum(b[i * columns]);
        return sum;
    }
}

template <int k, int n, class D, class A, class B, class C>
LEDGER_TILE void multiply(D& d, const A&, const B&, const C& c, bool saturate) {
    using Sum = typename Element<std::conditional_t<std::is_same_v<typename D::element_type, int>, signed char,
                                                    typename D::element_type>>::sum;
    const Shared& shared = mine();
    const auto* a = reinterpret_cast<const typename A::element_type*>(shared.a);
    const auto* b = reinterpret_cast<const typename B::element_type*>(shared.b);
    for (int e = 0; e < D::Shape::elements; ++e) {
        const int row = D::Shape::place(e) / n, column = D::Shape::place(e) % n;
        d.x[e] = static_cast<typename D::element_type>(product<k, Sum>(a + row * k, b + column, n, Sum(c.x[e]), saturate));
    }
}

}  // namespace tile
}  // namespace ledger

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout, class P>
LEDGER_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const P* from, unsigned stride, LEDGER_LINE) {
    static_assert(!std::is_same_v<Use, accumulator>, "an accumulator is loaded with its layout");
    ledger_warp(LEDGER_SYNCWARP, ~0u, 0, 0, line);
    ledger::tile::load(f, from, stride, std::is_same_v<Layout, row_major>);
}
template <int m, int n, int k, class T, class P>
LEDGER_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const P* from, unsigned stride, layout_t layout, LEDGER_LINE) {
    ledger_warp(LEDGER_SYNCWARP, ~0u, 0, 0, line);
    ledger::tile::load(f, from, stride, layout == mem_row_major);
}
template <int m, int n, int k, class T, class P>
LEDGER_INLINE void store_matrix_sync(P* to, const fragment<accumulator, m, n, k, T>& f, unsigned stride, layout_t layout, LEDGER_LINE) {
    ledger::tile::store(to, f, stride, layout == mem_row_major);
    ledger_warp(LEDGER_SYNCWARP, ~0u, 0, 0, line);
}
template <int m, int n, int k, class TA, class LA, class TB, class LB, class TC, class TD>
LEDGER_INLINE void mma_sync(fragment<accumulator, m, n, k, TD>& d, const fragment<matrix_a, m, n, k, TA, LA>& a,
                            const fragment<matrix_b, m, n, k, TB, LB>& b, const fragment<accumulator, m, n, k, TC>& c,
                            bool saturate = false, LEDGER_LINE) {
    static_assert(std::is_same_v<TA, TB>, "wmma multiplies two matrices of one type");
    ledger::tile::share(ledger::tile::mine().a, a);
    ledger::tile::share(ledger::tile::mine().b, b);
    ledger_warp(LEDGER_SYNCWARP, ~0u, 0, 0, line);
    ledger::tile::multiply<k, n>(d, a, b, c, saturate);
    ledger_warp(LEDGER_SYNCWARP, ~0u, 0, 0, line);
}

// To nearest, ties away from zero, 10 bits of fraction (PTX ISA, cvt.rna.tf32.f32).
LEDGER_INLINE float __float_to_tf32(float x) {
    uint32_t word;
    __builtin_memcpy(&word, &x, 4);
    if (x != x) word = 0x7FFFFFFF;
    else if ((word & 0x7F800000) != 0x7F800000) word = (word + 0x1000) & 0xFFFFE000;
    __builtin_memcpy(&x, &word, 4);
    return x;
}

}  // namespace wmma
}  // namespace nvcuda
#undef LEDGER_TILE
#undef LEDGER_TILE_TOUCH
