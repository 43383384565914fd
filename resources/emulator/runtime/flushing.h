// -ftz: denormals count as zero, as operands and as results, while a kernel's blocks run on this OS thread. The processor has one
// switch for float and double: those of double are flushed too (NOT_GPU_LIKE.md).
#pragma once
#include <stdint.h>

#include "../abi.h"

class Flushing {
  public:
    explicit Flushing(const LedgerModule* module) {
#if defined(__x86_64__)
        asm volatile("stmxcsr %0" : "=m"(saved_));
        const unsigned wanted = module->flags & LEDGER_FLUSHES ? saved_ | 0x8040u : saved_;    // flush to zero, denormals are zeros
        asm volatile("ldmxcsr %0" : : "m"(wanted));
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(saved_));
        asm volatile("msr fpcr, %0" : : "r"(module->flags & LEDGER_FLUSHES ? saved_ | uint64_t{1} << 24 : saved_));
#else
        (void)module;
#endif
    }
    ~Flushing() {
#if defined(__x86_64__)
        asm volatile("ldmxcsr %0" : : "m"(saved_));
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" : : "r"(saved_));
#endif
    }

  private:
#if defined(__x86_64__)
    unsigned saved_;
#else
    uint64_t saved_ = 0;
#endif
};
