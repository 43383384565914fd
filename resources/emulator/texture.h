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

// The texel that an index names along one axis; -1 beyond a border.
LEDGER_INLINE long long place(const LedgerTexture& t, int axis, double index, uint32_t address) {
    const double size = t.size[axis];
    if (!t.unit_coordinates && (address == LEDGER_WRAP || address == LEDGER_MIRROR)) address = LEDGER_CLAMP;
    if (!(index >= 0 && index < size)) {
        if (address == LEDGER_BORDER) return -1;
        if (address == LEDGER_CLAMP) return index >= size ? (long long)t.size[axis] - 1 : 0;
        const double period = address == LEDGER_WRAP ? size : 2 * size;
        index -= period * __builtin_floor(index / period);
        if (index >= size) index = 2 * size - 1 - index;
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

// Where a linear read stands along one axis: the lower texel and the upper one's weight, in 256ths.
struct Between {
    double lower;
    int weight;
};
LEDGER_INLINE Between between(double x) {
    const double shifted = __builtin_floor(x * 256 + 0.5) - 128, lower = __builtin_floor(shifted / 256);
    return {lower, int(shifted - 256 * lower)};
}

template <class C>
LEDGER_FETCH void read(C* to, uint32_t channels, cudaTextureObject_t handle, int axes, const double* coordinates, bool by_index) {
    const LedgerTexture& t = *reinterpret_cast<const LedgerTexture*>(handle);
    double x[3] = {0, 0, 0};
    for (int axis = 0; axis < axes; ++axis)
        x[axis] = coordinates[axis] * (t.unit_coordinates && !by_index ? double(t.size[axis]) : 1.0);
    if (!t.linear || by_index) {
        long long at[3] = {0, 0, 0};
        for (int axis = 0; axis < axes; ++axis) at[axis] = place(t, axis, __builtin_floor(x[axis]), by_index ? uint32_t(LEDGER_BORDER) : t.address[axis]);
        const char* from = texel(t, at);
        for (uint32_t c = 0; c < channels; ++c)
            if constexpr (std::is_same_v<C, float>) to[c] = number(t, from, c);
            else to[c] = stored<C>(t, from, c);
        return;
    }
    if constexpr (std::is_same_v<C, float>) {
        Between spots[3];
        for (int axis = 0; axis < axes; ++axis) spots[axis] = between(x[axis]);
        for (uint32_t c = 0; c < channels; ++c) to[c] = 0;
        for (int corner = 0; corner < 1 << axes; ++corner) {
            long long at[3] = {0, 0, 0};
            float weight = 1;
            for (int axis = 0; axis < axes; ++axis) {
                const bool upper = corner >> axis & 1;
                at[axis] = place(t, axis, spots[axis].lower + upper, t.address[axis]);
                weight *= float(upper ? spots[axis].weight : 256 - spots[axis].weight) / 256;
            }
            const char* from = weight > 0 ? texel(t, at) : nullptr;
            for (uint32_t c = 0; c < channels; ++c) to[c] += from ? weight * number(t, from, c) : 0.0f;
        }
    }
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
