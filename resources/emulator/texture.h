// Texture objects read by tex1Dfetch, tex1D, tex2D and tex3D (CUDA C++ Programming Guide, texture fetching). A handle is the
// address of a LedgerTexture, which plugins/emulator/textures.py makes from an array.
#pragma once
#include "cuda_emulator.h"

typedef unsigned long long cudaTextureObject_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

#ifdef LEDGER_CHECKED
#define LEDGER_FETCH inline __attribute__((noinline, no_sanitize("thread", "undefined")))
#else
#define LEDGER_FETCH inline
#endif

// What a texture object is here; mirrored in plugins/emulator/textures.py.
struct LedgerTexture {
    const void* data;
    uint32_t size[3];       // in elements; unused ones are 1
    uint32_t channels;
    uint32_t kind;          // 'f', 'i' or 'u'
    uint32_t bytes;         // of one channel
    uint32_t address[3];    // of LedgerAddress
    uint32_t linear;
    uint32_t unit_coordinates;
    uint32_t unit_values;   // integers are read as [0, 1] or [-1, 1]
};
enum LedgerAddress : uint32_t { LEDGER_WRAP = 0, LEDGER_CLAMP = 1, LEDGER_MIRROR = 2, LEDGER_BORDER = 3 };

namespace ledger {
namespace texture {

// What an address mode does outside the texture along one axis; the two that need unit coordinates clamp without them.
LEDGER_INLINE uint32_t outside(const LedgerTexture& t, int axis) {
    const uint32_t address = t.address[axis];
    return !t.unit_coordinates && (address == LEDGER_WRAP || address == LEDGER_MIRROR) ? uint32_t(LEDGER_CLAMP) : address;
}

// The texel that an index names along one axis; -1 beyond a border.
LEDGER_INLINE long long place(const LedgerTexture& t, int axis, double index, uint32_t address) {
    const double size = t.size[axis];
    if (!(index >= 0 && index < size)) {
        if (address == LEDGER_BORDER) return -1;
        if (address == LEDGER_CLAMP) return index >= size ? (long long)t.size[axis] - 1 : 0;
        const double period = address == LEDGER_WRAP ? size : 2 * size;
        index -= period * __builtin_floor(index / period);
        if (index >= size) index = 2 * size - 1 - index;
        if (!(index >= 0 && index < size)) return 0;    // NaN, and what is too large for a remainder
    }
    return (long long)index;
}

LEDGER_INLINE const char* texel(const LedgerTexture& t, const long long at[3]) {
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) return nullptr;
    const uint64_t index = (uint64_t(at[2]) * t.size[1] + uint64_t(at[1])) * t.size[0] + uint64_t(at[0]);
    return static_cast<const char*>(t.data) + index * t.channels * t.bytes;
}

// One channel as the type asked for, as it is stored.
template <class C>
LEDGER_INLINE C stored(const LedgerTexture& t, const char* from, uint32_t channel) {
    C value = 0;
    if (from && channel < t.channels && t.bytes == sizeof(C)) __builtin_memcpy(&value, from + channel * sizeof(C), sizeof(C));
    return value;
}
// One channel as a number; integers of a texture with unit values become a share of their largest.
LEDGER_INLINE float number(const LedgerTexture& t, const char* from, uint32_t channel) {
    if (!from || channel >= t.channels) return 0.0f;
    if (t.kind == 'f') return t.bytes == 4 ? stored<float>(t, from, channel) : 0.0f;
    if (t.kind == 'u') return t.bytes == 1 ? stored<uint8_t>(t, from, channel) / 255.0f : stored<uint16_t>(t, from, channel) / 65535.0f;
    const float value = t.bytes == 1 ? stored<int8_t>(t, from, channel) / 127.0f : stored<int16_t>(t, from, channel) / 32767.0f;
    return value < -1.0f ? -1.0f : value;
}

// Linear filtering. CUDA promises weights in 256ths; which ones, in which order they are split and how sums are rounded was
// found from an H200's results (tests/data/semantics). Here is where a read stands along one axis.
struct Between {
    double lower;
    int weight;    // of the upper texel, in 256ths
};
LEDGER_INLINE Between between(const LedgerTexture& t, int axis, double x) {
    double fixed = __builtin_floor(x * 256 + 0.5) - 128;
    if (outside(t, axis) == LEDGER_CLAMP) {
        const double last = 256.0 * (double(t.size[axis]) - 1);
        fixed = !(fixed > 0) ? 0 : fixed < last ? fixed : last;
    }
    const double lower = __builtin_floor(fixed / 256);
    return {lower, __builtin_fabs(fixed) < 1e15 ? int(fixed - 256 * lower) : 0};
}

// The weights of the corners in 256ths, which sum up to 256: the whole is split along z, then x, then y. Bit 0 of a corner is x.
struct Weights {
    int of[8];
    LEDGER_INLINE Weights(int x, int y, int z) {
        for (int upper = 0; upper < 2; ++upper) {
            const int plane = upper ? z : 256 - z, right = (x * plane + 128) >> 8, left = plane - right;
            split(4 * upper, left, (left * y + 127) >> 8);
            split(4 * upper + 1, right, (right * y + 128) >> 8);
        }
    }

  private:
    LEDGER_INLINE void split(int corner, int whole, int share) {
        of[corner] = whole - share;
        of[corner + 2] = share;
    }
};

// A sum rounded to float; ties go away from zero.
LEDGER_INLINE float rounded_sum(double sum) {
    if (!(__builtin_fabs(sum) < __builtin_inf())) return float(sum);
    uint64_t word;
    __builtin_memcpy(&word, &sum, sizeof word);
    word = (word + (uint64_t{1} << 28)) & ~((uint64_t{1} << 29) - 1);
    __builtin_memcpy(&sum, &word, sizeof sum);
    return float(sum);
}

LEDGER_INLINE void read_between(float* to, uint32_t channels, const LedgerTexture& t, int axes, const double* x) {
    Between spots[3] = {};
    for (int axis = 0; axis < axes; ++axis) spots[axis] = between(t, axis, x[axis]);
    const Weights weights(spots[0].weight, spots[1].weight, spots[2].weight);
    double sums[4] = {};
    const bool bytes = t.kind == 'u' && t.bytes == 1;    // these are added up as integers and read as 16-bit shares
    for (int corner = 0; corner < 8; ++corner) {
        if (!weights.of[corner]) continue;
        long long at[3] = {};
        for (int axis = 0; axis < axes; ++axis) at[axis] = place(t, axis, spots[axis].lower + (corner >> axis & 1), outside(t, axis));
        const char* from = texel(t, at);
        for (uint32_t c = 0; from && c < channels; ++c)
            sums[c] += weights.of[corner] * double(bytes ? stored<uint8_t>(t, from, c) : number(t, from, c));
    }
    for (uint32_t c = 0; c < channels; ++c)
        to[c] = bytes ? float((uint32_t(sums[c]) * 257 + 128) >> 8) / 65535.0f : rounded_sum(sums[c] / 256);
}

template <class C>
LEDGER_FETCH void read(C* to, uint32_t channels, cudaTextureObject_t handle, int axes, const double* coordinates, bool by_index) {
    const LedgerTexture& t = *reinterpret_cast<const LedgerTexture*>(handle);
    double x[3] = {0, 0, 0};
    for (int axis = 0; axis < axes; ++axis) {
        x[axis] = coordinates[axis];    // unit coordinates are cut to 21 bits behind the point, as on an H200
        if (t.unit_coordinates && !by_index) x[axis] = __builtin_floor(x[axis] * 2097152.0) / 2097152.0 * double(t.size[axis]);
    }
    if constexpr (std::is_same_v<C, float>)
        if (t.linear && !by_index) return read_between(to, channels, t, axes, x);
    if (t.linear && !by_index) return;
    long long at[3] = {0, 0, 0};
    for (int axis = 0; axis < axes; ++axis)
        at[axis] = place(t, axis, __builtin_floor(x[axis]), by_index ? uint32_t(LEDGER_BORDER) : outside(t, axis));
    const char* from = texel(t, at);
    for (uint32_t c = 0; c < channels; ++c)
        if constexpr (std::is_same_v<C, float>) to[c] = number(t, from, c);
        else to[c] = stored<C>(t, from, c);
}

template <class T> struct Channels { using type = T; static constexpr uint32_t count = 1; };
#define LEDGER_CHANNELS(T, name)                                                                          \
    template <> struct Channels<name##1> { using type = T; static constexpr uint32_t count = 1; };         \
    template <> struct Channels<name##2> { using type = T; static constexpr uint32_t count = 2; };         \
    template <> struct Channels<name##4> { using type = T; static constexpr uint32_t count = 4; };
LEDGER_CHANNELS(signed char, char) LEDGER_CHANNELS(unsigned char, uchar) LEDGER_CHANNELS(short, short)
LEDGER_CHANNELS(unsigned short, ushort) LEDGER_CHANNELS(int, int) LEDGER_CHANNELS(unsigned, uint) LEDGER_CHANNELS(float, float)
#undef LEDGER_CHANNELS

template <class T>
LEDGER_INLINE T fetch(cudaTextureObject_t handle, int axes, double x, double y, double z, bool by_index = false) {
    typename Channels<T>::type channels[4] = {};
    const double at[3] = {x, y, z};
    read(channels, Channels<T>::count, handle, axes, at, by_index);
    T result;
    __builtin_memcpy(&result, channels, sizeof result);
    return result;
}

}  // namespace texture
}  // namespace ledger
#undef LEDGER_FETCH

template <class T> LEDGER_INLINE T tex1Dfetch(cudaTextureObject_t t, int x) {
    return ledger::texture::fetch<T>(t, 1, x, 0, 0, true);
}
template <class T> LEDGER_INLINE T tex1D(cudaTextureObject_t t, float x) { return ledger::texture::fetch<T>(t, 1, x, 0, 0); }
template <class T> LEDGER_INLINE T tex2D(cudaTextureObject_t t, float x, float y) { return ledger::texture::fetch<T>(t, 2, x, y, 0); }
template <class T> LEDGER_INLINE T tex3D(cudaTextureObject_t t, float x, float y, float z) {
    return ledger::texture::fetch<T>(t, 3, x, y, z);
}
// No texture here has more than one level.
template <class T> LEDGER_INLINE T tex1DLod(cudaTextureObject_t t, float x, float) { return tex1D<T>(t, x); }
template <class T> LEDGER_INLINE T tex2DLod(cudaTextureObject_t t, float x, float y, float) { return tex2D<T>(t, x, y); }
template <class T> LEDGER_INLINE T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float) { return tex3D<T>(t, x, y, z); }
// The old forms that write through a pointer.
template <class T> LEDGER_INLINE void tex1Dfetch(T* to, cudaTextureObject_t t, int x) { *to = tex1Dfetch<T>(t, x); }
template <class T> LEDGER_INLINE void tex1D(T* to, cudaTextureObject_t t, float x) { *to = tex1D<T>(t, x); }
template <class T> LEDGER_INLINE void tex2D(T* to, cudaTextureObject_t t, float x, float y) { *to = tex2D<T>(t, x, y); }
