// Switching between the threads of one block on one OS thread. A switch saves what the calling convention says a callee
// must keep: the C++ compiler has already saved the rest around the call.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__ELF__)
#ifdef __AVX512F__    // no calling convention keeps these, but a loop around an inlined switch would keep constants in them
#define LEDGER_WIDE_REGISTERS                                                                                                   \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28",      \
        "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define LEDGER_WIDE_REGISTERS
#endif
// Inlined: the compiler saves what it needs around it, and the jump is one that the processor predicts. The runtime is built
// with -mno-red-zone, since this pushes below a stack pointer that the compiler thinks it knows.
inline __attribute__((always_inline)) void ledger_switch(void** save, void* load) {
    asm volatile(
        "pushq %%rbp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%0)\n\t"
        "movq %1, %%rsp\n\t"
        "popq %%rax\n\t"
        "jmp *%%rax\n"
        "1:\n\t"
        "popq %%rbp"
        : "+D"(save), "+S"(load)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1", "xmm2",
          "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
              LEDGER_WIDE_REGISTERS);
}

// Returns the stack pointer of a fiber that will start in `start`.
inline void* ledger_prepare(char* top, void (*start)()) {
    uintptr_t aligned = reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15};
    void** stack = reinterpret_cast<void**>(aligned);
    *--stack = nullptr;                            // where start would return to: it never does
    *--stack = reinterpret_cast<void*>(start);
    return stack;
}

#elif defined(__aarch64__) && defined(__ELF__)
extern "C" void ledger_switch(void** save, void* load);
asm(R"(
.text
.p2align 4
.weak ledger_switch
.hidden ledger_switch
.type ledger_switch, %function
ledger_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size ledger_switch, . - ledger_switch
)");

inline void* ledger_prepare(char* top, void (*start)()) {
    uintptr_t aligned = (reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15}) - 160;
    void** frame = reinterpret_cast<void**>(aligned);
    for (int i = 0; i < 20; ++i) frame[i] = nullptr;
    frame[11] = reinterpret_cast<void*>(start);    // x30, where ret goes
    return frame;
}

#else
// Elsewhere: ucontext. A saved "stack pointer" is the address of a context.
#include <ucontext.h>
inline void ledger_switch(void** save, void* load) {
    ucontext_t here;
    *save = &here;
    swapcontext(&here, static_cast<ucontext_t*>(load));
}
inline void* ledger_prepare(char* top, void (*start)()) {
    char* place = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(top) - sizeof(ucontext_t)) & ~uintptr_t{63});
    ucontext_t* context = reinterpret_cast<ucontext_t*>(place);
    getcontext(context);
    constexpr size_t stack_bytes = 512 * 1024;
    context->uc_stack.ss_sp = place - stack_bytes;
    context->uc_stack.ss_size = stack_bytes;
    context->uc_link = nullptr;
    makecontext(context, start, 0);
    return context;
}
#endif
