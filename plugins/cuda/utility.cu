// Kernels of the workbench itself: fresh values, guards, comparison, cache sweeps, the blocker and the clock probe.
// Needs no header, so that NVRTC alone compiles it. Philox4x32-10 after Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3" (SC 2011).

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

struct half_bits { unsigned short bits; };
struct bfloat_bits { unsigned short bits; };

__device__ inline u64 device_nanoseconds() {
    u64 now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

// ---- numbers -----------------------------------------------------------------------------------------------------

template <class T> struct number {
    static __device__ T from_real(double value) { return (T)value; }
    static __device__ T from_whole(u64 value, bool is_signed) { return is_signed ? (T)(i64)value : (T)value; }
    static __device__ double to_real(T value) { return (double)value; }
};

template <> struct number<bool> {
    static __device__ bool from_real(double value) { return value != 0.0; }
    static __device__ bool from_whole(u64 value, bool) { return value != 0; }
    static __device__ double to_real(bool value) { return value ? 1.0 : 0.0; }
};

template <> struct number<half_bits> {
    static __device__ half_bits from_real(double value) {
        half_bits out;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out.bits) : "f"((float)value));
        return out;
    }
    static __device__ half_bits from_whole(u64 value, bool is_signed) {
        return from_real(is_signed ? (double)(i64)value : (double)value);
    }
    static __device__ double to_real(half_bits value) {
        float out;
        asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(value.bits));
        return out;
    }
};

template <> struct number<bfloat_bits> {
    static __device__ bfloat_bits from_real(double value) {
        u32 bits = __float_as_uint((float)value);
        bfloat_bits out;
        out.bits = (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);  // finite values only: round to even
        return out;
    }
    static __device__ bfloat_bits from_whole(u64 value, bool is_signed) {
        return from_real(is_signed ? (double)(i64)value : (double)value);
    }
    static __device__ double to_real(bfloat_bits value) { return __uint_as_float((u32)value.bits << 16); }
};

// ---- draw --------------------------------------------------------------------------------------------------------

enum kind { ZEROS, ONES, ARANGE, NORMAL, UNIFORM, INTEGERS };

struct random_pair { u64 first, second; };

__device__ inline random_pair philox(u64 counter, u64 key) {
    u32 c0 = (u32)counter, c1 = (u32)(counter >> 32), c2 = 0, c3 = 0, k0 = (u32)key, k1 = (u32)(key >> 32);
    for (int round = 0; round < 10; ++round) {
        u32 high0 = __umulhi(0xD2511F53u, c0), low0 = 0xD2511F53u * c0;
        u32 high1 = __umulhi(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    random_pair out = {((u64)c0 << 32) | c1, ((u64)c2 << 32) | c3};
    return out;
}

__device__ inline double unit(u64 bits) { return (double)(bits >> 11) * 0x1p-53; }  // [0, 1)

__device__ inline u64 whole(double value) { return value < 0.0 ? (u64)(i64)value : (u64)value; }

// Its own function: thirteen inlined copies of log and cospi would make this file slow to compile.
__device__ __noinline__ double normal(random_pair random) {
    return sqrt(-2.0 * log(1.0 - unit(random.first))) * cospi(2.0 * unit(random.second));
}

template <class T> __device__ T drawn(u64 index, int kind, double low, double high, u64 seed) {
    if (kind == ZEROS) return number<T>::from_real(0.0);
    if (kind == ONES) return number<T>::from_real(1.0);
    if (kind == ARANGE) return number<T>::from_whole(index, false);
    random_pair random = philox(index, seed);
    if (kind == NORMAL) return number<T>::from_real(normal(random));
    if (kind == UNIFORM) return number<T>::from_real(low + unit(random.first) * (high - low));
    u64 base = whole(low), span = whole(high) - base;
    return number<T>::from_whole(base + __umul64hi(random.first, span), low < 0.0);
}

template <class T> __device__ void draw(T* out, u64 count, int kind, double low, double high, u64 seed) {
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        out[i] = drawn<T>(i, kind, low, high, seed);
}

// ---- compare -----------------------------------------------------------------------------------------------------

template <class V> __device__ V over_block(V value) {
    __shared__ V parts[32];
    for (int step = 16; step; step >>= 1) value += __shfl_down_sync(0xffffffffu, value, step);
    if ((threadIdx.x & 31) == 0) parts[threadIdx.x >> 5] = value;
    __syncthreads();
    if (threadIdx.x != 0) return V(0);
    V all = 0;
    for (u32 warp = 0; warp < blockDim.x >> 5; ++warp) all += parts[warp];
    return all;
}

template <class T> __device__ void squares(const T* a, u64 count, double* sum, u64* finite) {
    double mine = 0.0;
    u64 seen = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        double value = number<T>::to_real(a[i]);
        if (isfinite(value)) {
            mine += value * value;
            ++seen;
        }
    }
    double block_sum = over_block(mine);
    u64 block_seen = over_block(seen);
    if (threadIdx.x == 0) {
        atomicAdd(sum, block_sum);
        atomicAdd(finite, block_seen);
    }
}

__device__ inline bool differ(double a, double b, double relative, double allowed) {
    if (isnan(a) || isnan(b)) return isnan(a) != isnan(b);
    if (isinf(a) || isinf(b)) return a != b;
    return !(fabs(a - b) <= relative * fabs(a) + allowed);
}

template <class T> __device__ bool same_bits(T a, T b) { return a == b; }
template <> __device__ bool same_bits(half_bits a, half_bits b) { return a.bits == b.bits; }
template <> __device__ bool same_bits(bfloat_bits a, bfloat_bits b) { return a.bits == b.bits; }

// exact: 64-bit integers above 2^53 must not be compared as doubles.
template <class T>
__device__ void differing(const T* a, const T* b, u64 count, double relative, double allowed, int exact, u64* out) {
    u64 mine = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        bool same = same_bits(a[i], b[i]);
        if (!same && !exact) same = !differ(number<T>::to_real(a[i]), number<T>::to_real(b[i]), relative, allowed);
        mine += !same;
    }
    u64 block = over_block(mine);
    if (threadIdx.x == 0 && block) atomicAdd(out, block);
}

#define FOR_TYPE(name, T)                                                                                              \
    extern "C" __global__ void draw_##name(T* out, u64 count, int kind, double low, double high, u64 seed) {           \
        draw<T>(out, count, kind, low, high, seed);                                                                    \
    }                                                                                                                  \
    extern "C" __global__ void squares_##name(const T* a, u64 count, double* sum, u64* finite) {                       \
        squares<T>(a, count, sum, finite);                                                                             \
    }                                                                                                                  \
    extern "C" __global__ void differing_##name(const T* a, const T* b, u64 count, double relative, double allowed,    \
                                                int exact, u64* out) {                                                 \
        differing<T>(a, b, count, relative, allowed, exact, out);                                                      \
    }

FOR_TYPE(bool, bool)
FOR_TYPE(int8, signed char)
FOR_TYPE(uint8, u8)
FOR_TYPE(int16, short)
FOR_TYPE(uint16, unsigned short)
FOR_TYPE(int32, int)
FOR_TYPE(uint32, u32)
FOR_TYPE(int64, i64)
FOR_TYPE(uint64, u64)
FOR_TYPE(float16, half_bits)
FOR_TYPE(bfloat16, bfloat_bits)
FOR_TYPE(float32, float)
FOR_TYPE(float64, double)

// ---- guards ------------------------------------------------------------------------------------------------------
// The pattern depends on the place, so that no constant a kernel writes can pass for it.

__device__ inline u8 guard_byte(u64 place, u32 seed) {
    u32 mixed = ((u32)place + seed) * 0x9E3779B1u;
    return (u8)(mixed >> 23);
}

__device__ inline u64 guard_place(u64 index, u64 start, u64 end) { return index < start ? index : index - start + end; }

extern "C" __global__ void guard_fill(u8* base, u64 start, u64 end, u64 total, u32 seed) {
    u64 count = start + total - end;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        u64 place = guard_place(i, start, end);
        base[place] = guard_byte(place, seed);
    }
}

// nearest[0]: highest changed offset before the buffer; nearest[1]: lowest one after it (both from `start`).
extern "C" __global__ void guard_check(const u8* base, u64 start, u64 end, u64 total, u32 seed, i64* nearest) {
    u64 count = start + total - end;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        u64 place = guard_place(i, start, end);
        if (base[place] == guard_byte(place, seed)) continue;
        if (place < start) atomicMax(&nearest[0], (i64)place - (i64)start);
        else atomicMin(&nearest[1], (i64)(place - start));
    }
}

// ---- cache -------------------------------------------------------------------------------------------------------

extern "C" __global__ void sweep_write(uint4* out, u64 count, u32 value) {
    uint4 all = make_uint4(value, value, value, value);
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) out[i] = all;
}

extern "C" __global__ void sweep_read(const u8* in, u64 nbytes) {
    const u64 step = (u64)gridDim.x * blockDim.x * 16;
    for (u64 at = (blockIdx.x * (u64)blockDim.x + threadIdx.x) * 16; at + 16 <= nbytes; at += step) {
        u32 a, b, c, d;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in + at));
    }
}

// ---- clock -------------------------------------------------------------------------------------------------------

// Holds its stream for `least` ns and then until the host writes `ticket`, at most `limit` ns in all.
extern "C" __global__ void hold(volatile u32* released, u32 ticket, u64 least, u64 limit) {
    const u64 begin = device_nanoseconds();
    while (device_nanoseconds() - begin < least) { }
    while (*released != ticket && device_nanoseconds() - begin < limit) { }
}

// Spins for `least` ns between two edges of the device's nanosecond clock and writes cycles and nanoseconds passed.
extern "C" __global__ void clock_probe(u64 least, u64* out) {
    u64 before = device_nanoseconds(), begin = before, end;
    while ((begin = device_nanoseconds()) == before) { }
    const i64 cycles = clock64();
    while ((end = device_nanoseconds()) - begin < least) { }
    out[0] = clock64() - cycles;
    out[1] = end - begin;
}

extern "C" __global__ void spin(i64 cycles) {
    const i64 begin = clock64();
    while (clock64() - begin < cycles) { }
}
