// CUDA's qualifiers and built-in variables as g++ and clang++ understand them.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#ifdef LEDGER_CHECKED
// Far apart, so that an overrun through a pointer ends between two variables and not in the next one.
#define __shared__ static __thread __attribute__((aligned(32768)))
#else
#define __shared__ static __thread
#endif
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__
#define CUDART_CB

#define threadIdx (static_cast<const uint3&>(ledger_thread.thread_index))
#define blockIdx (static_cast<const uint3&>(ledger_thread.block_index))
#define blockDim (static_cast<const uint3&>(ledger_thread.block_size))
#define gridDim (static_cast<const uint3&>(ledger_thread.grid_size))
constexpr int warpSize = 32;

typedef unsigned char uchar;
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_MIN_DENORM_F 1.401298464e-45f

// Helpers of this folder leave no trace of their own in a checked build: accesses belong to the kernel's line.
#define LEDGER_INLINE inline __attribute__((always_inline))

#define printf ledger_printf
#undef assert
#define assert(...) ((__VA_ARGS__) ? (void)0 : ledger_assertion(#__VA_ARGS__, __LINE__))
#define __trap() ledger_trap(__LINE__)
#define __brkpt() ((void)0)
#ifndef __clang__
#define __builtin_assume(x) ((x) ? (void)0 : __builtin_unreachable())
#endif

LEDGER_INLINE long long clock64() { return ledger_clock(); }
LEDGER_INLINE long ledger_ticks() { return static_cast<long>(ledger_clock()); }
#define clock ledger_ticks
LEDGER_INLINE void __nanosleep(unsigned) { ledger_spin(); }
